import { type OpenAPIObject } from '@nestjs/swagger';

type Header = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>[string];
export type References = Record<string, { $ref: string }>;

const header = (description: string, type: 'string' | 'integer', example: string | number): Header => ({
  description,
  schema: { type },
  example,
});

const EVERYWHERE: Readonly<Record<string, Header>> = {
  'X-Request-Id': header(
    'Names the request; the caller may choose it (a UUID, a ULID or 16 to 64 hexadecimal digits)',
    'string',
    '01JD3QH8ZK5T0W3V9Y6N2B4C7D',
  ),
  'Cache-Control': header('no-store, except of a public document', 'string', 'no-store'),
  'X-RateLimit-Limit': header('Requests a minute', 'integer', 300),
  'X-RateLimit-Remaining': header('Requests left in the window', 'integer', 299),
  'X-RateLimit-Reset': header('When the present window ends, Unix seconds', 'integer', 1_795_348_800),
};

const SOMEWHERE: Readonly<Record<string, Header>> = {
  'Retry-After': header('Seconds until a request would be allowed', 'integer', 12),
  'WWW-Authenticate': header('Says that a bearer token is wanted', 'string', 'Bearer realm="kyc"'),
  'X-Credits-Charged': header('Credits that the request cost; 0 for a replay', 'integer', 1),
  'X-Credits-Balance': header('Credits left', 'integer', 999),
  'X-Ledger-Revision': header("Revision of the deduction in the account's credit stream", 'integer', 42),
  'X-RateLimit-Plan': header(
    "Requests a minute that the account's plan has in production; in a sandbox",
    'integer',
    300,
  ),
  'Idempotency-Replayed': header('true where the answer is the first one again', 'string', 'true'),
};

export const HEADERS: Readonly<Record<string, Header>> = { ...EVERYWHERE, ...SOMEWHERE };

const references = (names: readonly string[]): References =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const everywhere = references([...Object.keys(EVERYWHERE), 'X-RateLimit-Plan']);
const charges = references(['X-Credits-Charged', 'X-Credits-Balance', 'X-Ledger-Revision']);
const replays = references(['Idempotency-Replayed']);

/** The headers of a success. `keyed`: the request takes an Idempotency-Key. */
export const headersOfSuccess = (isCharged: boolean, isKeyed: boolean): References => ({
  ...everywhere,
  ...(isCharged ? charges : {}),
  ...(isKeyed ? replays : {}),
});

export const headersOfError = (status: number): References => ({
  ...everywhere,
  ...(status === 429 ? references(['Retry-After']) : {}),
  ...(status === 401 ? references(['WWW-Authenticate']) : {}),
});
