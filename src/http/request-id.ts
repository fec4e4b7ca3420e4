import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';

/** A UUID, a ULID or 16 to 64 hexadecimal digits. None of these can contain a name. */
const ACCEPTABLE =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{16,64})$/i;

export const isRequestId = (text: string): boolean => ACCEPTABLE.test(text);

/** The caller's request id if it is acceptable, otherwise a new one. */
export const requestIdOf = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && isRequestId(given) ? given : randomUUID();
};
