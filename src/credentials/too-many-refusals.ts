import { HttpFailure } from '../http/failure.js';

const DETAIL = 'Too many refusals about this person; ask again later';

/** Costs nothing, and leaves the Idempotency-Key free. */
export const tooManyRefusals = (until: Date, now: Date): HttpFailure =>
  new HttpFailure(429, 'RATE_LIMITED', DETAIL, {
    headers: { 'Retry-After': String(Math.ceil((until.getTime() - now.getTime()) / 1_000)) },
    beforeOperation: true,
  });
