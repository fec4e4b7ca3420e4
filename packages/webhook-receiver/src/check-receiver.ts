import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { signWebhook } from './sign-webhook.js';

export interface ReceiverUnderTest {
  readonly url: string;
  readonly secret: string;
  /** How often the receiver has handled the event. Without it, only answers are judged. */
  readonly handled?: (eventId: string) => number | Promise<number>;
}

export interface ReceiverCheck {
  readonly name: string;
  readonly passed: boolean;
  /** What the receiver did. */
  readonly found: string;
}

/** The headers of one delivery, as the service would send them. */
type Headers = Readonly<Record<string, string>>;

interface Rule {
  readonly name: string;
  /** The statuses that the receiver may answer. */
  readonly status: readonly number[];
  /** How often the event is handled in the end. */
  readonly handled: 0 | 1;
  readonly deliveries: number;
  readonly secondsAgo?: number;
  readonly signedWith?: string;
  readonly change?: (headers: Headers) => Headers;
  /** A challenge in place of an event, which the body of the answer must prove. */
  readonly isChallenge?: true;
}

const TIMEOUT_MS = 15_000;

const without =
  (pattern: RegExp) =>
  (headers: Headers): Headers =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)));

const ANY_SIGNATURE = /^(x-service-signature|x-service-timestamp|webhook-.*)$/i;
const STALE = { handled: 0, deliveries: 1, status: [400, 401] } as const;

/** The rules for receivers (docs/contract.md). */
const RULES: readonly Rule[] = [
  { name: 'answers a challenge by its secret', status: [200], handled: 0, deliveries: 1, isChallenge: true },
  {
    name: 'answers 400 where the signature headers are missing',
    status: [400],
    handled: 0,
    deliveries: 1,
    change: without(ANY_SIGNATURE),
  },
  {
    name: 'answers 400 where the timestamp is missing',
    status: [400],
    handled: 0,
    deliveries: 1,
    change: without(/^(x-service-timestamp|webhook-.*)$/i),
  },
  {
    name: 'answers 401 where the signature is made with another secret',
    status: [401],
    handled: 0,
    deliveries: 1,
    signedWith: `whsec_${randomBytes(32).toString('base64')}`,
  },
  { ...STALE, name: 'refuses a delivery that was signed ten minutes ago', secondsAgo: 600 },
  { ...STALE, name: 'refuses a delivery that was signed ten minutes ahead of its clock', secondsAgo: -600 },
  { name: 'answers 200 to a delivery that is fine', status: [200], handled: 1, deliveries: 1 },
  { name: 'answers 200 to a duplicate and handles the event once', status: [200], handled: 1, deliveries: 2 },
];

const sampleOf = (created: string): object => ({
  identity_id: `idn_${'0'.repeat(32)}`,
  kyc_level: 'Tier1',
  confidence_score: 1,
  verified_at: created,
});

/** An event with a challenge, or an example of one. */
const eventOf = (id: string, challenge: string | undefined): string => {
  const created = new Date().toISOString();
  const type = challenge === undefined ? 'identity.verified' : 'endpoint.verification';
  const data = challenge === undefined ? sampleOf(created) : { challenge };
  return JSON.stringify({
    id,
    event_type: type,
    type,
    created_at: created,
    timestamp: created,
    event_data: data,
    data,
  });
};

const checkRule = async ({ url, secret, handled }: ReceiverUnderTest, rule: Rule): Promise<ReceiverCheck> => {
  const id = `evt_${randomUUID()}`;
  const challenge = randomBytes(24).toString('base64url');
  const body = eventOf(id, rule.isChallenge === true ? challenge : undefined);
  const proof = createHmac('sha256', secret).update(challenge).digest('hex');
  const statuses: number[] = [];
  let isProven = true;
  for (let attempt = 1; attempt <= rule.deliveries; attempt += 1) {
    const timestamp = Math.floor(Date.now() / 1_000) - (rule.secondsAgo ?? 0);
    const signed = signWebhook({ id, body, secret: rule.signedWith ?? secret, timestamp, attempt });
    const headers = rule.change?.(signed) ?? signed;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await answer.text();
    if (rule.isChallenge === true) isProven = text.includes(proof);
    statuses.push(answer.status);
  }
  const times = await handled?.(id);
  return {
    name: rule.name,
    passed:
      isProven &&
      statuses.every((status) => rule.status.includes(status)) &&
      (times === undefined || times === rule.handled),
    found: `answered ${statuses.join(' and ')}${isProven ? '' : ' without the HMAC of the challenge'}${times === undefined ? '' : `, handled ${times} times`}`,
  };
};

/** Sends deliveries that a receiver must refuse, and others that it must take, and says what it did. */
export const checkReceiver = async (receiver: ReceiverUnderTest): Promise<readonly ReceiverCheck[]> => {
  const checks: ReceiverCheck[] = [];
  for (const rule of RULES) checks.push(await checkRule(receiver, rule));
  return checks;
};
