import type Stripe from 'stripe';
import { MalformedEvent } from './payments.js';

/** What a member of an event must be, and how a fault says so. */
interface Takes {
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
}

/** The members of an event by their paths. */
type Shape = Readonly<Record<string, Takes>>;

/** The last moment of the year 9999 in Unix seconds: later times have another form in ISO 8601. */
const LATEST_SECOND = 253_402_300_799;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textLike = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const upTo = (most: number) => (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;

/** Absent or null too. */
const optional = ({ takes, fits }: Takes): Takes => ({
  takes: `${takes}, or null`,
  fits: (value) => value === undefined || value === null || fits(value),
});

const ID: Takes = { takes: 'an id of up to 255 characters', fits: textLike(/^[\w.:-]{1,255}$/) };
const WORD: Takes = { takes: 'a word of up to 100 characters', fits: textLike(/^[\w.-]{1,100}$/) };
const FLAG: Takes = { takes: 'true or false', fits: (value) => typeof value === 'boolean' };
const AMOUNT: Takes = { takes: 'a whole number of 0 or more', fits: upTo(Number.MAX_SAFE_INTEGER) };
const SECONDS: Takes = { takes: 'Unix seconds', fits: upTo(LATEST_SECOND) };
const OBJECT: Takes = { takes: 'an object', fits: isObject };
/** An id, or the object that has it. */
const REFERENCE = optional({ takes: ID.takes, fits: (value) => ID.fits(isObject(value) ? value['id'] : value) });
const METADATA = optional({
  takes: 'an object of texts',
  fits: (value) => isObject(value) && Object.values(value).every((text) => typeof text === 'string'),
});

const EVENT: Shape = { id: ID, created: SECONDS, livemode: FLAG, data: OBJECT, 'data.object': OBJECT };

const SESSION: Shape = {
  'data.object.id': ID,
  'data.object.mode': WORD,
  'data.object.payment_status': WORD,
  'data.object.amount_total': optional(AMOUNT),
  'data.object.currency': optional(WORD),
  'data.object.customer': REFERENCE,
  'data.object.payment_intent': REFERENCE,
  'data.object.subscription': REFERENCE,
  'data.object.metadata': METADATA,
};

const INTENT: Shape = {
  'data.object.id': ID,
  'data.object.status': WORD,
  'data.object.amount': AMOUNT,
  'data.object.currency': WORD,
  'data.object.customer': REFERENCE,
  'data.object.metadata': METADATA,
  'data.object.last_payment_error': optional(OBJECT),
  'data.object.last_payment_error.code': optional(WORD),
};

const INVOICE: Shape = {
  'data.object.billing_reason': optional(WORD),
  'data.object.parent': optional(OBJECT),
  'data.object.parent.subscription_details': optional(OBJECT),
  'data.object.parent.subscription_details.subscription': REFERENCE,
  'data.object.parent.subscription_details.metadata': METADATA,
  // As in versions of Stripe's API before 2025-03-31.
  'data.object.subscription': REFERENCE,
  'data.object.subscription_details': optional(OBJECT),
  'data.object.subscription_details.metadata': METADATA,
};

const SUBSCRIPTION: Shape = { 'data.object.id': ID, 'data.object.metadata': METADATA };

const CHARGE: Shape = { 'data.object.id': ID, 'data.object.payment_intent': REFERENCE };

const REFUND: Shape = { 'data.object.payment_intent': REFERENCE, 'data.object.charge': REFERENCE };

const DISPUTE: Shape = {
  'data.object.id': ID,
  'data.object.status': WORD,
  'data.object.amount': AMOUNT,
  'data.object.payment_intent': REFERENCE,
  'data.object.charge': REFERENCE,
};

/** The events that the service has a use for, with the members that it reads of them. */
const SHAPES = {
  'checkout.session.completed': SESSION,
  'checkout.session.async_payment_succeeded': SESSION,
  'checkout.session.async_payment_failed': SESSION,
  'checkout.session.expired': SESSION,
  'payment_intent.succeeded': INTENT,
  'payment_intent.payment_failed': INTENT,
  'invoice.paid': INVOICE,
  'invoice.payment_failed': INVOICE,
  'customer.subscription.updated': SUBSCRIPTION,
  'customer.subscription.deleted': SUBSCRIPTION,
  'charge.refunded': CHARGE,
  'charge.updated': CHARGE,
  'charge.refund.updated': REFUND,
  'refund.created': REFUND,
  'refund.updated': REFUND,
  'refund.failed': REFUND,
  'charge.dispute.created': DISPUTE,
  'charge.dispute.updated': DISPUTE,
  'charge.dispute.funds_withdrawn': DISPUTE,
  'charge.dispute.funds_reinstated': DISPUTE,
  'charge.dispute.closed': DISPUTE,
} satisfies Readonly<Record<string, Shape>>;

export type UsedEvent = Extract<Stripe.Event, { type: keyof typeof SHAPES }>;

const memberAt = (event: object, path: string): unknown =>
  path.split('.').reduce<unknown>((within, name) => (isObject(within) ? within[name] : undefined), event);

const check = (event: object, shape: Shape): void => {
  for (const [path, { takes, fits }] of Object.entries(shape)) {
    const value = memberAt(event, path);
    if (!fits(value)) throw new MalformedEvent(path, takes, value === undefined);
  }
};

const isUsed = (type: string): type is keyof typeof SHAPES => Object.hasOwn(SHAPES, type);

/**
 * The event as the stripe package types it, once every member that is read of it has its type. A signature says who wrote an
 * event, and nothing of its form. Undefined: an event that the service has no use for. Throws MalformedEvent.
 */
export const usedEvent = (event: unknown): UsedEvent | undefined => {
  if (!isObject(event)) throw new MalformedEvent('body', OBJECT.takes, false);
  const { type } = event;
  if (typeof type !== 'string') throw new MalformedEvent('type', WORD.takes, type === undefined);
  if (!isUsed(type)) return undefined;
  check(event, EVENT);
  check(event, SHAPES[type]);
  return event as unknown as UsedEvent;
};
