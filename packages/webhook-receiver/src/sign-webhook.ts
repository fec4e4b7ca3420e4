import { createHmac } from 'node:crypto';

export interface Delivery {
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Counts from 1. */
  readonly attempt?: number;
}

/** The headers under which the service would deliver this body, for tests of receivers. */
export const signWebhook = ({ id, body, secret, timestamp, attempt = 1 }: Delivery): Record<string, string> => {
  const own = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'X-Service-Signature': `sha256=${own}`,
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Attempt': String(attempt),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard}`,
  };
};
