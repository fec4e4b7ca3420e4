import {
  accountAfter,
  adjusted,
  carry,
  charge,
  charged,
  deduct,
  deducted,
  given,
  metadata,
  purchase,
  purchased,
  rules,
  settle,
  tenant,
} from '../../../test/support/credit-account.js';
import {
  type OlderReferences,
  PurchaseCredits,
  RestoreCredits,
  ReturnCredits,
  ReverseCredits,
} from './credits.commands.js';
import { type CreditEvent } from './credits.events.js';

const takeBack = (reference: string, credits: number, purchaseReference = 'p1'): ReverseCredits =>
  new ReverseCredits(tenant, { reference, purchaseReference, credits }, metadata);
const restore = (reference: string, reversalReference: string): RestoreCredits =>
  new RestoreCredits(tenant, { reference, reversalReference }, metadata);
const giveBack = (deductionId: string): ReturnCredits =>
  new ReturnCredits(tenant, { deductionId, operation: 'report', amount: 5, settledIn: null }, metadata);

/** The history continued by what these commands bring about. */
const after = (history: readonly CreditEvent[], ...commands: Parameters<typeof rules.decide>[0][]): CreditEvent[] =>
  commands.reduce<CreditEvent[]>(
    (events, one) => [...events, ...rules.decide(one, accountAfter(events))],
    [...history],
  );

describe('a payment given back', () => {
  const bought = [purchased('p1', 1_000)];

  it('takes the credits, once by its reference', () => {
    const events = after(bought, takeBack('r1', 400), takeBack('r1', 400));
    expect(accountAfter(events)).toMatchObject({ balance: 600, debt: 0 });
  });
  it('never claims more than the purchase brought, over all its reversals', () => {
    const events = after(bought, takeBack('r1', 700), takeBack('r2', 700), takeBack('r3', 700));
    expect(accountAfter(events)).toMatchObject({ balance: 0, debt: 0 });
  });
  it('leaves as a debt what was spent, which the next purchase pays first', () => {
    const owing = after(bought, charge('c1', 900), takeBack('r1', 1_000));
    expect(accountAfter(owing)).toMatchObject({ balance: 0, debt: 900 });
    const paid = after(owing, purchase('p2', 1_000));
    expect(paid.slice(-2).map(({ type }) => type)).toEqual(['CreditsPurchased.v1', 'DebtPaid.v1']);
    expect(accountAfter(paid)).toMatchObject({ balance: 100, debt: 0, alerts: { base: 100 } });
  });
  it('is paid by several purchases if one is too small', () => {
    const owing = after(bought, charge('c1', 900), takeBack('r1', 1_000), purchase('p2', 500));
    expect(accountAfter(owing)).toMatchObject({ balance: 0, debt: 400 });
  });
  it('is refused as long as its purchase is not known, so that it can come again', () =>
    given(adjusted('a1', 5)).when(takeBack('r1', 5)).thenRejected('not_found'));
  it('is refused of what is no purchase, and under the reference of something else', () => {
    given(adjusted('a1', 5))
      .when(takeBack('r1', 5, 'a1'))
      .thenRejected('not_found');
    given(...bought)
      .when(takeBack('p1', 5))
      .thenRejected('reference_reused');
  });
});

describe('a dispute that is won', () => {
  const spent = after([purchased('p1', 1_000)], charge('c1', 900), takeBack('r1', 1_000));

  it('gives back what was taken and cancels the debt, once', () => {
    const won = after(spent, restore('w1', 'r1'), restore('w1', 'r1'), restore('w2', 'r1'));
    expect(accountAfter(won)).toMatchObject({ balance: 100, debt: 0 });
  });
  it('gives back too what a purchase paid of the debt', () => {
    const won = after(spent, purchase('p2', 1_000), restore('w1', 'r1'));
    expect(accountAfter(won)).toMatchObject({ balance: 1_100, debt: 0 });
  });
  it('lets the purchase be refunded afterwards', () => {
    const refunded = after(spent, restore('w1', 'r1'), takeBack('r2', 50));
    expect(accountAfter(refunded)).toMatchObject({ balance: 50, debt: 0 });
  });
  it('is refused before its dispute is known', () =>
    given(...spent)
      .when(restore('w1', 'r9'))
      .thenRejected('not_found'));
});

describe('an operation that fails after its answer', () => {
  it('gives its credits back once', () => {
    const events = after([purchased('p1', 10), deducted('d1', 5)], settle('d1'), giveBack('d1'), giveBack('d1'));
    expect(accountAfter(events).balance).toBe(10);
  });
  it('ends a deduction that is not settled yet, so that a refund adds nothing', () => {
    const events = after([purchased('p1', 10), deducted('d1', 5)], giveBack('d1'), settle('d1'));
    expect(accountAfter(events).balance).toBe(10);
    expect([...accountAfter(events).open]).toEqual([]);
  });
});

describe('references of long ago', () => {
  const carriedAfter = (days: number): CreditEvent[] => {
    const second = new Date(Date.parse('2026-12-01T00:00:00.000Z') + days * 86_400_000).toISOString();
    return after([purchased('p1', 100)], carry('2026-12'), carry('2027-01', second));
  };
  const again = (older?: OlderReferences): PurchaseCredits =>
    new PurchaseCredits(
      tenant,
      { reference: 'p1', package: 'small', credits: 100, amountMinor: 1, origin: 'checkout' },
      metadata,
      older,
    );
  const known = new Map([['p1', { kind: 'purchase', amount: 100, reversed: 0, carriedAt: null }]] as const);

  it('are remembered for 35 days', () =>
    given(...carriedAfter(34.9))
      .when(again())
      .thenNothing());
  it('are not trusted to be new without a search', () =>
    given(...carriedAfter(35))
      .when(again())
      .thenRejected('unavailable'));
  it('are not trusted to be new after a search that a carry made out of date', () =>
    given(...carriedAfter(35))
      .when(again({ searchedIn: '2026-12', found: new Map() }))
      .thenRejected('unavailable'));
  it('count once where the search finds them', () =>
    given(...carriedAfter(35))
      .when(again({ searchedIn: '2027-01', found: known }))
      .thenNothing());
  it('count where the search finds none', () =>
    given(...carriedAfter(35))
      .when(again({ searchedIn: '2027-01', found: new Map() }))
      .thenTypes('CreditsPurchased.v1'));
  it('can be claimed back where the search finds them', () => {
    const older = { searchedIn: '2027-01', found: known };
    given(...carriedAfter(35))
      .when(new ReverseCredits(tenant, { reference: 'r1', purchaseReference: 'p1', credits: 40 }, metadata, older))
      .then({
        type: 'CreditsReversed.v1',
        data: {
          reference: 'r1',
          purchaseReference: 'p1',
          cause: 'refund',
          purchased: 100,
          reversed: 40,
          credits: 40,
          taken: 40,
        },
      });
  });
  it('stay known as long as something of them was claimed back', () => {
    const events = after([purchased('p1', 100)], takeBack('r1', 60), carry('2026-12'), carry('2027-03'));
    expect(accountAfter(after(events, takeBack('r1', 60), takeBack('r2', 60)))).toMatchObject({ balance: 0, debt: 0 });
  });
});

describe('low balance', () => {
  const bought = [purchased('p1', 1_000)];
  const alerts = (events: readonly CreditEvent[]) =>
    events.flatMap((event) => (event.type === 'LowBalanceReached.v1' ? [event.data] : []));

  it('is told in the append of the deduction that reaches a threshold', () => {
    given(...bought, charged('c0', 799, 201))
      .when(charge('c1', 1))
      .then(charged('c1', 1, 200), {
        type: 'LowBalanceReached.v1',
        data: { currentBalance: 200, percentage: 20, threshold: 200, severity: 'warning' },
      });
    given(...bought)
      .when(deduct('d1', 960))
      .thenTypes('CreditsDeducted.v1', 'LowBalanceReached.v1');
  });
  it('is told once per threshold, and the lowest of those that one deduction reaches', () => {
    const steps = [700, 100, 100, 60, 30, 10].map((amount, index) => charge(`c${index}`, amount));
    expect(alerts(after(bought, ...steps)).map(({ severity }) => severity)).toEqual([
      'warning',
      'critical',
      'depleted',
    ]);
    expect(alerts(after(bought, charge('c', 1_000))).map(({ severity }) => severity)).toEqual(['depleted']);
  });
  it('is armed again by a purchase or a gift, and by nothing else', () => {
    const low = after(bought, charge('c1', 850));
    expect(alerts(after([...low, adjusted('a1', -10)], charge('c2', 1)))).toHaveLength(1);
    const gifted = after([...low, adjusted('a1', 850)], charge('c2', 800));
    expect(alerts(gifted).map(({ threshold }) => threshold)).toEqual([200, 200]);
  });
});
