import { createHmac } from 'node:crypto';

/** The services of the tests take events that are signed with it. */
export const WEBHOOK_SECRET = 'whsec_of_the_tests';

const unixNow = (): number => Math.floor(Date.now() / 1_000);

/** The signature header that Stripe sends with a body. */
export const signed = (body: string, { secret = WEBHOOK_SECRET, at = unixNow() } = {}): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
