import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** Bytes of chance in a secret. */
export const SECRET_BYTES = 32;

/** Standard base64: libraries of Standard Webhooks do not read base64url. */
export const secretOf = (bytes: Buffer): string => `${SECRET_PREFIX}${bytes.toString('base64')}`;

/** While a rotation's overlap runs, `former` is the secret that receivers may still hold. */
export interface Secrets {
  readonly present: string;
  readonly former?: string;
}

export interface Message {
  readonly id: string;
  readonly body: string;
  /** From 1. */
  readonly attempt: number;
  readonly at: Date;
}

/** Of Standard Webhooks: the key is what the text after the prefix decodes to. */
const standardSignature = (secret: string, signed: string): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

/** What answers a challenge: under the secret as it was shown, or under the former one while a rotation overlaps. */
export const proofsOf = ({ present, former }: Secrets, challenge: string): readonly string[] =>
  [present, ...(former === undefined ? [] : [former])].map((secret) =>
    createHmac('sha256', secret).update(challenge).digest('hex'),
  );

/** The headers of one try: our own, and those of Standard Webhooks (standardwebhooks.com, Signature scheme). */
export const signedHeaders = (
  { present, former }: Secrets,
  { id, body, attempt, at }: Message,
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const digest = createHmac('sha256', former ?? present)
    .update(`${timestamp}.${body}`)
    .digest('hex');
  const secrets = former === undefined ? [present] : [present, former];
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'kyc-network-webhooks/1',
    'X-Service-Signature': `sha256=${digest}`,
    'X-Service-Timestamp': timestamp,
    'X-Service-Attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => standardSignature(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
};
