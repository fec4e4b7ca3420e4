interface DocumentedError {
  readonly status: number;
  readonly meaning: string;
  /** What the caller does about it. */
  readonly remedy: string;
}

const FIX = 'Correct the fields that `errors` names and send the request again.';
const WAIT = 'Wait as long as `Retry-After` says, then try again, at most 3 times.';

/** The machine-readable codes that a caller may receive (docs/contract.md, Errors): what each means and what to do. */
export const ERROR_CODES = {
  INVALID_JSON: {
    status: 400,
    meaning: 'The body is no JSON object in UTF-8.',
    remedy: 'Send an object, with Content-Type: application/json.',
  },
  MISSING_FIELD: {
    status: 400,
    meaning: 'A required field is absent. `errors` names every field at fault.',
    remedy: FIX,
  },
  BAD_REQUEST: {
    status: 400,
    meaning: 'The request is not HTTP, or an event of the payment provider has no good signature.',
    remedy: 'Look at the client that built the request.',
  },
  WALLET_REFUSED: {
    status: 400,
    meaning:
      'The request of a wallet is refused. `error` says why in the words of OAuth 2.0, OpenID4VCI and OpenID4VP.',
    remedy: 'Scan the link again, or ask for a new one.',
  },
  INVALID_TOKEN: {
    status: 401,
    meaning:
      'The bearer token is missing, expired or not of the identity provider. On /dev/token: the secret is wrong.',
    remedy: 'Get a new access token.',
  },
  CREDITS_DEPLETED: {
    status: 402,
    meaning: 'The balance is 0. Nothing was charged.',
    remedy: 'Buy credits, or turn auto-recharge on.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    meaning: 'The balance is below the cost. Nothing was charged.',
    remedy: 'Buy credits, or turn auto-recharge on.',
  },
  KEY_CAP_REACHED: {
    status: 402,
    meaning: 'The API key has spent what it may on this UTC day. Nothing was charged.',
    remedy:
      'Wait until midnight UTC, as `Retry-After` says, use another key, or raise the cap: PATCH /api/v1/keys/{id}.',
  },
  MISSING_API_KEY: {
    status: 403,
    meaning: 'The header X-API-Key is absent.',
    remedy: 'Send your API key in X-API-Key.',
  },
  INVALID_API_KEY: {
    status: 403,
    meaning: 'The key is not known here. A sandbox key does not work in production, nor the reverse.',
    remedy: 'Check that the key is whole and belongs to this environment.',
  },
  EXPIRED_API_KEY: {
    status: 403,
    meaning: 'The key was revoked or has expired.',
    remedy: 'Use another key of the account, or create one.',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    meaning: 'The API key may be used from other addresses only.',
    remedy: 'Call from an address that the key allows, or change `allowed_addresses` with another key.',
  },
  ACCOUNT_DISABLED: { status: 403, meaning: 'The account is suspended.', remedy: 'Ask support, with the request id.' },
  FORBIDDEN: {
    status: 403,
    meaning: 'The key, token or role does not allow this operation.',
    remedy: 'Use credentials with the scope that the operation names.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'There is no such thing, or it belongs to another account.',
    remedy: 'Check the path and the id.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not take this method. `Allow` names those that it takes.',
    remedy: 'Use one of them.',
  },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request did not arrive in time.', remedy: 'Send it again.' },
  CONFLICT: {
    status: 409,
    meaning: 'The state of the thing does not allow this. `detail` says why.',
    remedy: 'Read the present state, then decide.',
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    meaning: 'The first request with this Idempotency-Key has not ended.',
    remedy: 'Wait a second and repeat the same request with the same key.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning:
      'The body is larger than the path takes: 16 KiB, 32 KiB for a record, 64 KiB for saved views and what a wallet shows, 1 MiB for a batch.',
    remedy: 'Send smaller batches.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is not application/json in UTF-8, or it is compressed.',
    remedy: 'Set Content-Type: application/json.',
  },
  INVALID_EMAIL: { status: 422, meaning: 'An e-mail address is not valid.', remedy: FIX },
  INVALID_PHONE: {
    status: 422,
    meaning: 'A phone number is not E.164: +, country code, number; digits only.',
    remedy: FIX,
  },
  INVALID_DATE: {
    status: 422,
    meaning: 'A date is not a real YYYY-MM-DD, or a timestamp is not ISO 8601 with an offset.',
    remedy: FIX,
  },
  INVALID_FIELD: {
    status: 422,
    meaning: 'A field has a value that it does not take. `errors` says what it takes.',
    remedy: FIX,
  },
  IDENTITY_NOT_ELIGIBLE: {
    status: 422,
    meaning: 'The network does not attest this person as the request describes them. The request was charged.',
    remedy: 'Do not repeat it unchanged: five refusals for one person in 24 hours are the most.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    meaning: 'The Idempotency-Key was used with another body.',
    remedy: 'Use a new key for a new request.',
  },
  RATE_LIMITED: { status: 429, meaning: 'Too many requests within a minute. Nothing was charged.', remedy: WAIT },
  BURST_EXCEEDED: { status: 429, meaning: 'Too many requests within a second. Nothing was charged.', remedy: WAIT },
  HEADERS_TOO_LARGE: {
    status: 431,
    meaning: 'The headers, or the URL, are larger than 16 KiB.',
    remedy: 'Send less in them.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'Something went wrong on our side. A charge is refunded in full.',
    remedy: 'Try again, at most 3 times from 1 s on, with the same Idempotency-Key.',
  },
  UPSTREAM_ERROR: {
    status: 502,
    meaning: 'The payment provider refused the request. Nothing was paid.',
    remedy: 'Try again, at most 3 times from 2 s on.',
  },
  UNAVAILABLE: {
    status: 503,
    meaning: 'A part of the service does not answer at the moment. A charge is refunded in full.',
    remedy: 'Try again, at most 5 times from 5 s on, with the same Idempotency-Key.',
  },
  TIMEOUT: {
    status: 504,
    meaning: 'The operation took longer than 30 s. It is refunded in full.',
    remedy: 'Try again, at most 3 times from 2 s on, with the same Idempotency-Key.',
  },
} as const satisfies Readonly<Record<string, DocumentedError>>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Every `detail` of a 402 begins so (the interface, Errors). */
export const PAYMENT_REQUIRED = 'Insufficient Credits - Payment Required';
