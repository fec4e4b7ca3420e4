import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a webhook tells. Each of the last two members has a twin with the same value: `type` and `data`. */
export interface WebhookEvent {
  /** The same for every delivery of the event: what is known by it already is not handled again. */
  readonly id: string;
  readonly event_type: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
  readonly event_data: Readonly<Record<string, unknown>>;
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Seconds that the timestamp may differ from the clock, in both directions (300). */
  readonly toleranceSeconds?: number;
  /** The receiver's clock. */
  readonly now?: () => Date;
}

export type Verification =
  | {
      readonly valid: true;
      readonly event: WebhookEvent;
      /** Counts from 1. */
      readonly attempt: number;
      /** The answer to the challenge of an `endpoint.verification`, under the secret that signed it. */
      readonly proof: (challenge: string) => string;
    }
  /** `status` is what the receiver answers. */
  | { readonly valid: false; readonly status: 400 | 401; readonly reason: string };

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const SECONDS = /^\d{1,12}$/;
const SERVICE_SIGNATURE = /^sha256=([0-9a-f]{64})$/;
const ATTEMPT = /^[1-9]\d{0,3}$/;

const refused = (status: 400 | 401, reason: string): Verification => ({ valid: false, status, reason });

const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.length === 1 ? found[0] : undefined;
};

const hmac = (key: string | Buffer, ...parts: readonly (string | Uint8Array)[]): Buffer => {
  const sum = createHmac('sha256', key);
  for (const part of parts) sum.update(part);
  return sum.digest();
};

const areEqual = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

/** A signature that a delivery carries, with the moment that it was made. */
interface Signed {
  readonly timestamp: string;
  readonly isOf: (secret: string, body: string | Uint8Array) => boolean;
}

/** The service's own headers: the whole secret is the key, and the signed text is `timestamp.body`. */
const serviceSignature = (headers: WebhookHeaders): Signed | undefined => {
  const signature = headerOf(headers, 'x-service-signature');
  const timestamp = headerOf(headers, 'x-service-timestamp');
  if (signature === undefined || timestamp === undefined) return undefined;
  const given = Buffer.from(SERVICE_SIGNATURE.exec(signature)?.[1] ?? '', 'hex');
  return { timestamp, isOf: (secret, body) => areEqual(hmac(secret, `${timestamp}.`, body), given) };
};

/** Standard Webhooks: the decoded secret is the key, the signed text is `id.timestamp.body`, and there may be several signatures. */
const standardSignature = (headers: WebhookHeaders): Signed | undefined => {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) return undefined;
  const given = signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice('v1,'.length), 'base64'));
  return {
    timestamp,
    isOf: (secret, body) => {
      const key = Buffer.from(secret.slice(secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX.length : 0), 'base64');
      const expected = hmac(key, `${id}.${timestamp}.`, body);
      return given.some((each) => areEqual(expected, each));
    },
  };
};

const isEvent = (value: unknown): value is WebhookEvent => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, event_type: type, created_at: created, event_data: data } = value as Record<string, unknown>;
  return [id, type, created].every((each) => typeof each === 'string') && typeof data === 'object' && data !== null;
};

const eventIn = (rawBody: string | Uint8Array): WebhookEvent | undefined => {
  try {
    const value: unknown = JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
    return isEvent(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Whether a delivery is the service's own and fresh. `rawBody` is the body's bytes as they came: JSON that was parsed and
 * written again has another signature. With two secrets, either may have signed, as while one is rotated. One valid signature
 * is enough: of the service's own headers or of Standard Webhooks.
 */
export const verifyWebhook = (
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = () => new Date() }: VerifyOptions = {},
): Verification => {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  // An empty key would accept whatever anybody signs with it.
  if (secrets.length === 0 || secrets.some((each) => each.length <= SECRET_PREFIX.length))
    throw new TypeError('The secret of the endpoint is missing');
  const signed = [serviceSignature(headers), standardSignature(headers)].filter((each) => each !== undefined);
  if (signed.length === 0) return refused(400, 'X-Service-Signature and X-Service-Timestamp are required');
  const genuine = signed.filter(({ isOf }) => secrets.some((each) => isOf(each, rawBody)));
  const used = secrets.find((each) => signed.some(({ isOf }) => isOf(each, rawBody))) ?? '';
  if (genuine.length === 0) return refused(401, 'the signature is wrong');
  const age = ({ timestamp }: Signed): number =>
    SECONDS.test(timestamp) ? Math.abs(now().getTime() / 1_000 - Number(timestamp)) : Infinity;
  if (!genuine.some((each) => age(each) <= toleranceSeconds))
    return refused(401, `the timestamp is more than ${toleranceSeconds} s from the clock`);
  const event = eventIn(rawBody);
  if (event === undefined) return refused(400, 'the body is no event');
  const attempt = headerOf(headers, 'x-service-attempt') ?? '';
  const proof = (challenge: string): string => hmac(used, challenge).toString('hex');
  return { valid: true, event, attempt: ATTEMPT.test(attempt) ? Number(attempt) : 1, proof };
};
