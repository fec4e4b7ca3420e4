import fc from 'fast-check';
import { usedEvent } from './event-shapes.js';
import { noticeOf } from './notices.js';
import { MalformedEvent } from './payments.js';

const metadata = { tenant: 't01jd0000000000000000000000', purchase: '88888888-8888-4888-8888-888888888888' };

/** One good object for each type of event. */
const OBJECTS: Readonly<Record<string, object>> = {
  'checkout.session.completed': {
    id: 'cs_1',
    mode: 'payment',
    payment_status: 'paid',
    amount_total: 12_000,
    currency: 'usd',
    customer: 'cus_1',
    payment_intent: { id: 'pi_1' },
    subscription: null,
    metadata,
  },
  'payment_intent.payment_failed': {
    id: 'pi_1',
    status: 'requires_payment_method',
    amount: 12_000,
    currency: 'usd',
    customer: null,
    metadata: { ...metadata, origin: 'auto_recharge' },
    last_payment_error: { code: 'card_declined' },
  },
  'invoice.paid': { parent: { subscription_details: { subscription: 'sub_1', metadata } } },
  'customer.subscription.updated': { id: 'sub_1', metadata },
  'charge.refunded': { id: 'ch_1', amount_refunded: 6_000, payment_intent: 'pi_1', metadata },
  'refund.failed': { id: 're_1', amount: 6_000, payment_intent: 'pi_1', charge: 'ch_1', status: 'failed' },
  'charge.dispute.created': { id: 'du_1', status: 'needs_response', amount: 12_000, payment_intent: 'pi_1' },
};
const TYPES = Object.keys(OBJECTS);

const eventOf = (type: string, object: unknown = OBJECTS[type]) => ({
  id: 'evt_1',
  type,
  created: 1_763_000_000,
  livemode: false,
  data: { object },
});

const faultOf = (event: unknown): unknown => {
  try {
    const used = usedEvent(event);
    if (used !== undefined) noticeOf(used);
    return undefined;
  } catch (error) {
    return error instanceof MalformedEvent ? [error.field, error.missing] : error;
  }
};

describe('a signed event', () => {
  it.each(TYPES)('%s is read where it has its form', (type) => {
    const event = usedEvent(eventOf(type));
    expect(event && noticeOf(event)).toMatchObject({ eventId: 'evt_1', livemode: false });
  });

  it.each([
    [{}, ['type', true]],
    [[], ['body', false]],
    [{ type: 7 }, ['type', false]],
    [{ type: 'charge.refunded' }, ['id', true]],
    [{ ...eventOf('charge.refunded'), created: 'now' }, ['created', false]],
    [{ ...eventOf('charge.refunded'), created: 1e15 }, ['created', false]],
    [{ ...eventOf('charge.refunded'), data: {} }, ['data.object', true]],
    [eventOf('charge.refunded', { id: 'ch 1' }), ['data.object.id', false]],
    [eventOf('refund.failed', { id: 're_1' }), ['data.object.payment_intent', true]],
    [
      eventOf('charge.dispute.created', { id: 'du_1', status: 'lost', amount: 1 }),
      ['data.object.payment_intent', true],
    ],
    [
      eventOf('invoice.payment_failed', { id: 'in_1', billing_reason: 'subscription_cycle', of: 'sub_1' }),
      ['data.object.subscription', true],
    ],
    [
      eventOf('checkout.session.completed', { ...OBJECTS['checkout.session.completed'], mode: 'subscription' }),
      ['data.object.subscription', true],
    ],
    [
      eventOf('checkout.session.completed', { ...OBJECTS['checkout.session.completed'], amount_total: 1.5 }),
      ['data.object.amount_total', false],
    ],
    [
      eventOf('checkout.session.completed', { ...OBJECTS['checkout.session.completed'], id: 'cs_\u0000' }),
      ['data.object.id', false],
    ],
    [
      eventOf('customer.subscription.updated', { id: 'sub_1', metadata: { tenant: ['t'] } }),
      ['data.object.metadata', false],
    ],
  ])('%j is refused, and the member at fault is named', (event, fault) => {
    expect(faultOf(event)).toEqual(fault);
  });

  it('of a type that nothing follows from is passed over, whatever it holds', () => {
    expect(usedEvent({ type: 'customer.updated', data: 7 })).toBeUndefined();
    expect(usedEvent({ type: 'toString' })).toBeUndefined();
  });

  /** Puts a value in the place of one of its members, at any depth. */
  const withMember = (value: unknown, path: readonly number[], put: unknown): unknown => {
    const [at, ...rest] = path;
    if (at === undefined || typeof value !== 'object' || value === null) return put;
    const names = Object.keys(value);
    const name = names[at % Math.max(1, names.length)] ?? 'other';
    return { ...value, [name]: withMember((value as Record<string, unknown>)[name], rest, put) };
  };

  it('is read or refused by a member, and never breaks the reader, whatever stands in whichever place', () => {
    const anything = fc.oneof(fc.anything(), fc.jsonValue(), fc.constantFrom(null, undefined, '', -1, 1e300, [], {}));
    fc.assert(
      fc.property(fc.constantFrom(...TYPES), fc.array(fc.nat(9), { maxLength: 5 }), anything, (type, path, put) => {
        const event = withMember(eventOf(type), path, put);
        const fault = faultOf(event);
        if (fault !== undefined) {
          expect(Array.isArray(fault)).toBe(true);
          return;
        }
        const used = usedEvent(event);
        const notice = used && noticeOf(used);
        expect(['undefined', 'string']).toContain(typeof notice?.eventId);
      }),
      { numRuns: 2_000 },
    );
  });
});
