import fc from 'fast-check';
import { isRejection } from '../../kernel/rejection.js';
import { type PaymentCommand, type ReportDispute, type ReportPayment } from './payment.commands.js';
import { type PaymentEvent } from './payment.events.js';
import { paymentDecider } from './payment.js';
import { type Payment } from './payment-state.js';

const purchaseId = '88888888-8888-4888-8888-888888888888';
const CREDITS = 1_000;
const PRICE = 12_000;

const open: PaymentCommand = { type: 'OpenPayment', purchaseId, origin: 'checkout', package: 'small' };
const good: ReportPayment = {
  type: 'ReportPayment',
  purchaseId,
  ownMode: true,
  paid: true,
  amountMinor: PRICE,
  currency: 'usd',
  providerId: 'cs_1',
  paymentIntentId: 'pi_1',
};
const refund = (refundedMinor: number): PaymentCommand => ({ type: 'ReportRefund', purchaseId, refundedMinor });
const dispute = (state: ReportDispute['state'], disputeId = 'du_1', amountMinor = PRICE): PaymentCommand => ({
  type: 'ReportDispute',
  purchaseId,
  disputeId,
  amountMinor,
  state,
});

/** Carries the commands out, one after the other. A refused one changes nothing. */
const after = (...commands: readonly PaymentCommand[]): { payment: Payment; events: PaymentEvent[] } => {
  const events: PaymentEvent[] = [];
  let payment = paymentDecider.initialState();
  for (const command of commands) {
    let decided: readonly PaymentEvent[] = [];
    try {
      decided = paymentDecider.decide(command, payment);
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
    for (const event of decided) payment = paymentDecider.evolve(payment, event);
    events.push(...decided);
  }
  return { payment, events };
};

const typesOf = (events: readonly PaymentEvent[]): string[] => events.map(({ type }) => type);

/** What the events give to and take from the tenant's credits. */
const creditsOf = (events: readonly PaymentEvent[]): number =>
  events.reduce((sum, event) => {
    const given = ['PaymentReceived.v1', 'DisputeWon.v1', 'RefundFailed.v1'].includes(event.type);
    if (given && 'credits' in event.data) return sum + event.data.credits;
    const taken = event.type === 'PaymentRefunded.v1' || event.type === 'PaymentDisputed.v1';
    return taken ? sum - event.data.credits : sum;
  }, 0);

describe('a payment', () => {
  it.each(['cancelled', 'expired'] as const)(
    'that is %s is neither paid nor failed, and may be paid after all',
    (how) => {
      const end: PaymentCommand = { type: 'EndCheckout', purchaseId, how };
      expect(after(open, end).payment.status).toBe(how);
      expect(after(open, end, { ...end, how: 'expired' }).payment.status).toBe(how);
      expect(after(open, good, end).payment.status).toBe('received');
      expect(creditsOf(after(open, end, good).events)).toBe(CREDITS);
      expect(after(end).events).toEqual([]);
    },
  );

  it('is received once, however often it is reported', () => {
    expect(typesOf(after(open, good, good, good).events)).toEqual(['PaymentOpened.v1', 'PaymentReceived.v1']);
  });

  it.each([
    ['other_mode', { ownMode: false }],
    ['unpaid', { paid: false }],
    ['other_currency', { currency: 'eur' }],
    ['other_amount', { amountMinor: PRICE - 1 }],
  ])('is held as %s, once, and received when the good news comes', (reason, fault) => {
    const bad = { ...good, ...fault };
    const { events, payment } = after(open, bad, bad, good, bad);
    expect(typesOf(events)).toEqual(['PaymentOpened.v1', 'PaymentHeld.v1', 'PaymentReceived.v1']);
    expect(events[1]?.data).toMatchObject({ reason });
    expect(payment.held).toBeUndefined();
  });

  it('that nobody opened is held, and has nothing to release', () => {
    const { payment } = after(good);
    expect(payment.held?.reason).toBe('unknown_purchase');
    expect(() => paymentDecider.decide({ type: 'ReleaseHeld', purchaseId }, payment)).toThrow('There is no package');
  });

  it('that failed and is paid after all is received', () => {
    const { events } = after(open, { type: 'ReportFailure', purchaseId, reason: 'card_declined' }, good);
    expect(creditsOf(events)).toBe(CREDITS);
  });

  it.each([
    [1, 0],
    [12, 1],
    [3_000, 250],
    [PRICE, CREDITS],
    [2 * PRICE, CREDITS],
  ])('refunded by %i cents loses %i credits, before or after it was received', (minor, credits) => {
    expect(creditsOf(after(open, good, refund(minor)).events)).toBe(CREDITS - credits);
    expect(creditsOf(after(open, refund(minor), good).events)).toBe(CREDITS - credits);
  });

  it('gives back what a won dispute took, whichever is told first', () => {
    expect(creditsOf(after(open, good, dispute('open'), dispute('won'), dispute('open')).events)).toBe(CREDITS);
    expect(creditsOf(after(open, good, dispute('won'), dispute('open')).events)).toBe(CREDITS);
    expect(creditsOf(after(open, dispute('lost'), good, dispute('open')).events)).toBe(0);
    expect(creditsOf(after(open, good, dispute('open'), dispute('lost'), dispute('won')).events)).toBe(CREDITS);
    expect(creditsOf(after(open, dispute('lost'), dispute('won'), good, dispute('lost')).events)).toBe(CREDITS);
  });

  const anything = fc.oneof(
    fc.constant(good),
    fc.record({ ownMode: fc.boolean(), paid: fc.boolean(), amountMinor: fc.constantFrom(1, PRICE) }).map((odd) => ({
      ...good,
      ...odd,
    })),
    fc.integer({ min: 0, max: PRICE }).map(refund),
    fc
      .record({
        state: fc.constantFrom('open' as const, 'won' as const, 'lost' as const),
        id: fc.constantFrom('du_1', 'du_2'),
        amount: fc.integer({ min: 1, max: PRICE }),
      })
      .map(({ state, id, amount }) => dispute(state, id, amount)),
    fc.constantFrom<PaymentCommand>(
      { type: 'ReportFailure', purchaseId, reason: 'card_declined' },
      { type: 'ReleaseHeld', purchaseId },
      { type: 'RefuseHeld', purchaseId },
    ),
  );

  it('never gives more than its package nor takes more than it gave, whatever comes in whatever order', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 30 }), (commands) => {
        const { events } = after(open, ...commands);
        expect(events.filter(({ type }) => type === 'PaymentReceived.v1').length).toBeLessThanOrEqual(1);
        for (let end = 0; end <= events.length; end += 1) {
          const credits = creditsOf(events.slice(0, end));
          expect(credits).toBeGreaterThanOrEqual(0);
          expect(credits).toBeLessThanOrEqual(CREDITS);
        }
        const references = events.flatMap(({ data }) => ('reference' in data ? [data.reference] : []));
        const effective = events.filter(({ data }) => 'reference' in data && 'credits' in data && data.credits > 0);
        expect(new Set(effective.map(({ data }) => ('reference' in data ? data.reference : ''))).size).toBe(
          effective.length,
        );
        expect(references.length).toBeGreaterThanOrEqual(effective.length);
      }),
    );
  });

  it.each([
    ['all of 112.50 euros', 'eur', 11_250, refund(11_250), 1_000],
    ['half of 112.50 euros', 'eur', 11_250, refund(5_625), 500],
    ['a tenth of 18,000 yen', 'jpy', 18_000, dispute('open', 'du_1', 1_800), 100],
    ['a third of 1,800 yen', 'jpy', 1_800, refund(600), 333],
    ['all of 60 dollars, which are less than the price', 'usd', 6_000, refund(6_000), 1_000],
  ])('loses its share of what was paid, not of the price, when an operator let it pass: %s', (...of) => {
    const [, currency, amountMinor, reversal, credits] = of;
    const held: ReportPayment = { ...good, currency, amountMinor };
    const release: PaymentCommand = { type: 'ReleaseHeld', purchaseId };
    expect(creditsOf(after(open, held, release, reversal).events)).toBe(CREDITS - credits);
    expect(creditsOf(after(open, reversal, held, release).events)).toBe(CREDITS - credits);
  });

  it('gets back what a failed refund took, before or after it was received', () => {
    const failed = [refund(6_000), refund(9_000), refund(3_000)];
    expect(creditsOf(after(open, good, ...failed).events)).toBe(CREDITS - 250);
    expect(creditsOf(after(open, ...failed, good, refund(0), refund(0)).events)).toBe(CREDITS);
  });

  it('loses to a dispute what a refund of the same money held, once that refund has failed', () => {
    const both = [good, refund(PRICE), dispute('open', 'du_1', PRICE / 2)];
    expect(creditsOf(after(open, ...both).events)).toBe(0);
    expect(creditsOf(after(open, ...both, refund(0)).events)).toBe(CREDITS / 2);
    expect(creditsOf(after(open, ...both, refund(0), dispute('won', 'du_1', PRICE / 2)).events)).toBe(CREDITS);
  });

  it('loses no credit to the rounding of several small disputes', () => {
    const small = [dispute('open', 'du_1', 14), dispute('open', 'du_2', 1)];
    expect(creditsOf(after(open, good, refund(5_223), ...small, refund(0)).events)).toBe(CREDITS - 1);
  });

  /** What of the price is with the buyer or a bank after these: the first word on a dispute's amount and end counts. */
  const lostOf = (commands: readonly PaymentCommand[]): number => {
    let refundedMinor = 0;
    const disputes = new Map<string, { readonly amountMinor: number; readonly state: ReportDispute['state'] }>();
    for (const command of commands) {
      if (command.type === 'ReportRefund') refundedMinor = command.refundedMinor;
      if (command.type !== 'ReportDispute') continue;
      const known = disputes.get(command.disputeId);
      if (known?.state === 'won' || (known?.state === 'lost' && command.state !== 'won')) continue;
      disputes.set(command.disputeId, { ...command, amountMinor: known?.amountMinor ?? command.amountMinor });
    }
    const standing = [...disputes.values()].filter(({ state }) => state !== 'won');
    return Math.min(
      PRICE,
      standing.reduce((sum, { amountMinor }) => sum + amountMinor, refundedMinor),
    );
  };

  it('ends at the credits that the provider’s state leaves, after refunds, failures, disputes, wins and losses', () => {
    const reversal = anything.filter(({ type }) => type === 'ReportRefund' || type === 'ReportDispute');
    fc.assert(
      fc.property(fc.array(reversal, { maxLength: 20 }), fc.nat(20), (reversals, at) => {
        const commands = [...reversals.slice(0, at), good, ...reversals.slice(at)];
        const left = CREDITS - Math.round((CREDITS * lostOf(reversals)) / PRICE);
        expect(creditsOf(after(open, ...commands).events)).toBe(left);
      }),
      { numRuns: 1_000 },
    );
  });
});
