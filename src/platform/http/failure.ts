import { InvariantViolation } from '../../kernel/invariant.js';
import { isRejection, type Rejection, type RejectionCode } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { DataKeyMissing } from '../crypto/data-keys.js';

/** The machine-readable codes that a caller may receive (docs/contract.md, Errors). */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'INVALID_JSON'
  | 'MISSING_FIELD'
  | 'INVALID_TOKEN'
  | 'CREDITS_DEPLETED'
  | 'INSUFFICIENT_CREDITS'
  | 'MISSING_API_KEY'
  | 'INVALID_API_KEY'
  | 'EXPIRED_API_KEY'
  | 'ACCOUNT_DISABLED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'CONFLICT'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'INVALID_EMAIL'
  | 'INVALID_PHONE'
  | 'INVALID_DATE'
  | 'INVALID_FIELD'
  | 'IDENTITY_NOT_ELIGIBLE'
  | 'IDEMPOTENCY_MISMATCH'
  | 'RATE_LIMITED'
  | 'BURST_EXCEEDED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'UPSTREAM_ERROR'
  | 'UNAVAILABLE'
  | 'TIMEOUT';

export interface FieldFault {
  /** The field's name in the API's spelling; a member of a list as `events[2]`. */
  readonly field: string;
  readonly code: ErrorCode;
  readonly detail: string;
}

/** An error as an HTTP response. The caller sees `detail`, so it holds no internals and no personal data. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';

  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    readonly detail: string,
    readonly extra: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly errors?: readonly FieldFault[];
      /** The request never reached its operation, so its Idempotency-Key is free again. */
      readonly beforeOperation?: boolean;
    } = {},
  ) {
    super(`${status} ${code}`);
  }
}

interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
}

const PAYMENT_REQUIRED = 'Insufficient Credits - Payment Required';

/** Total: a new rejection code does not compile without its status. */
export const REFUSALS: Readonly<Record<RejectionCode, Refusal>> = {
  credits_depleted: { status: 402, code: 'CREDITS_DEPLETED', detail: `${PAYMENT_REQUIRED}: the balance is 0` },
  insufficient_credits: {
    status: 402,
    code: 'INSUFFICIENT_CREDITS',
    detail: `${PAYMENT_REQUIRED}: the balance is below the cost`,
  },
  deduction_id_reused: { status: 409, code: 'CONFLICT', detail: 'The deduction was made with another amount' },
  balance_limit_exceeded: {
    status: 409,
    code: 'CONFLICT',
    detail: 'The balance would exceed what an account may hold',
  },
  adjustment_below_zero: { status: 409, code: 'CONFLICT', detail: 'The balance would fall below zero' },
  reference_reused: { status: 409, code: 'CONFLICT', detail: 'The reference was used before' },
  subscription_exists: {
    status: 409,
    code: 'CONFLICT',
    detail: 'The account has a subscription: change it in the portal',
  },
  payment_not_grantable: { status: 409, code: 'CONFLICT', detail: 'The payment has no package to grant' },
  missing_api_key: { status: 403, code: 'MISSING_API_KEY', detail: 'The header X-API-Key is required' },
  invalid_api_key: { status: 403, code: 'INVALID_API_KEY', detail: 'The API key is not recognized' },
  expired_api_key: { status: 403, code: 'EXPIRED_API_KEY', detail: 'The API key was revoked or has expired' },
  account_disabled: { status: 403, code: 'ACCOUNT_DISABLED', detail: 'The account is suspended' },
  missing_token: {
    status: 401,
    code: 'INVALID_TOKEN',
    detail: 'The header Authorization: Bearer <token> is required',
  },
  invalid_token: { status: 401, code: 'INVALID_TOKEN', detail: 'A valid bearer token is required' },
  forbidden: { status: 403, code: 'FORBIDDEN', detail: 'The credentials do not allow this operation' },
  account_state_conflict: { status: 409, code: 'CONFLICT', detail: 'The state of the account does not allow this' },
  identity_deleted: { status: 409, code: 'CONFLICT', detail: 'The identity is deleted' },
  identity_not_deleted: { status: 409, code: 'CONFLICT', detail: 'The identity is not deleted' },
  export_running: { status: 409, code: 'CONFLICT', detail: 'Another export of this account is being made' },
  replays_running: { status: 409, code: 'CONFLICT', detail: 'Other replays are being sent; wait for one to end' },
  ingestion_not_failed: { status: 409, code: 'CONFLICT', detail: 'The ingestion has not failed' },
  identity_not_eligible: {
    status: 422,
    code: 'IDENTITY_NOT_ELIGIBLE',
    detail: 'The network does not attest this identity as the request describes it',
  },
  credential_revoked: { status: 409, code: 'CONFLICT', detail: 'The credential is revoked, which is final' },
  attestor_distrusted: {
    status: 409,
    code: 'CONFLICT',
    detail: 'The attestation behind the credential does not count at present',
  },
  credential_not_suspended: { status: 409, code: 'CONFLICT', detail: 'The credential is not suspended' },
  claim_repeated: {
    status: 409,
    code: 'CONFLICT',
    detail: 'The identity was claimed less than 30 days ago',
  },
  too_many_claims: { status: 409, code: 'CONFLICT', detail: 'The account has 20 open claims, the most that it may' },
  claim_decided: { status: 409, code: 'CONFLICT', detail: 'The claim was decided otherwise, or has run out' },
  claim_not_approved: { status: 409, code: 'CONFLICT', detail: 'Nobody has approved the claim' },
  webhook_url_registered: {
    status: 409,
    code: 'CONFLICT',
    detail: 'Another webhook endpoint of the account has this URL; change its events instead',
  },
  webhook_endpoints_used_up: { status: 409, code: 'CONFLICT', detail: 'The account has 20 webhook endpoints' },
  webhook_endpoint_inactive: {
    status: 409,
    code: 'CONFLICT',
    detail: 'The webhook endpoint is not active; set is_active first',
  },
  list_refused: { status: 409, code: 'CONFLICT', detail: 'The list differs too much from the one in force' },
  idempotency_in_progress: {
    status: 409,
    code: 'IDEMPOTENCY_IN_PROGRESS',
    detail: 'The first request with this Idempotency-Key is still running',
  },
  idempotency_mismatch: {
    status: 422,
    code: 'IDEMPOTENCY_MISMATCH',
    detail: 'The Idempotency-Key was used with another body',
  },
  invalid_field: { status: 422, code: 'INVALID_FIELD', detail: 'A field is invalid' },
  not_found: { status: 404, code: 'NOT_FOUND', detail: 'The resource does not exist' },
  timeout: { status: 504, code: 'TIMEOUT', detail: 'The operation took too long; nothing was charged' },
  unavailable: { status: 503, code: 'UNAVAILABLE', detail: 'The service cannot answer at the moment; please retry' },
};

const detailOf = (rejection: Rejection, refusal: Refusal): string => {
  const ownDetail = rejection.info.detail;
  if (ownDetail === undefined) return refusal.detail;
  return refusal.status === 402 && !ownDetail.startsWith(PAYMENT_REQUIRED)
    ? `${PAYMENT_REQUIRED}: ${ownDetail}`
    : ownDetail;
};

/** A request without credentials gets no error code (RFC 6750 section 3.1). */
const challengeOf = ({ code }: Rejection): string =>
  code === 'missing_token' ? 'Bearer realm="kyc"' : 'Bearer realm="kyc", error="invalid_token"';

const fromRejection = (rejection: Rejection): HttpFailure => {
  const refusal = REFUSALS[rejection.code];
  const detail = detailOf(rejection, refusal);
  const { field } = rejection.info;
  return new HttpFailure(refusal.status, refusal.code, detail, {
    ...(refusal.status === 401 ? { headers: { 'WWW-Authenticate': challengeOf(rejection) } } : {}),
    ...(field === undefined ? {} : { errors: [{ field, code: refusal.code, detail }] }),
    // Only the decider can judge this field, but the refusal is like any other. The key stays free for the corrected body.
    ...(rejection.code === 'invalid_field' ? { beforeOperation: true } : {}),
  });
};

const INTERNAL = new HttpFailure(
  500,
  'INTERNAL_ERROR',
  'Something went wrong on our side; quote the request id to support',
);

const invalidJson = (detail: string): HttpFailure =>
  new HttpFailure(400, 'INVALID_JSON', detail, { beforeOperation: true });

/** `fault` is where the body stops being JSON and what is expected there. */
export const bodyIsNotJson = (fault: string | undefined): HttpFailure =>
  invalidJson(fault === undefined ? 'The body is not valid JSON' : `The body is not valid JSON: ${fault}`);

export const bodyIsNotUtf8 = (): HttpFailure => invalidJson('The body is not UTF-8');

export const bodyIsNotAnObject = (): HttpFailure => invalidJson('The body must be a JSON object');

export const bodyHasTooManyValues = (): HttpFailure =>
  invalidJson('The body has more than 50,000 values, or nests them deeper than 20');

const MOST_HEADERS = 100;

/** Node drops headers beyond its limit in silence, and with them an address or a key. */
export const hasTooManyHeaders = ({ raw }: { readonly raw: { readonly rawHeaders: readonly string[] } }): boolean =>
  raw.rawHeaders.length > 2 * MOST_HEADERS;

export const tooManyHeaders = (): HttpFailure =>
  new HttpFailure(431, 'HEADERS_TOO_LARGE', `The request has more than ${MOST_HEADERS} headers`);

const KIBIBYTE = 1_024;
const MEBIBYTE = KIBIBYTE ** 2;

const sizeOf = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${Math.floor(bytes / KIBIBYTE)} KiB`;

/** `limit`: bytes that the path takes. */
const bodyIsTooLarge = (limit: number): HttpFailure =>
  new HttpFailure(413, 'PAYLOAD_TOO_LARGE', `The body is larger than ${sizeOf(limit)}, which is what this path takes`);

export const bodyIsNotSigned = (): HttpFailure =>
  new HttpFailure(
    400,
    'BAD_REQUEST',
    'The signature is missing, does not fit the body, or is older or newer than 300 s',
  );

/** Until an operator restores the key or gives it up. */
const dataIsLost = (): HttpFailure =>
  new HttpFailure(503, 'UNAVAILABLE', 'The key of this data was lost with a database; ingest it again to replace it');

const unsupported = (detail: string): HttpFailure =>
  new HttpFailure(415, 'UNSUPPORTED_MEDIA_TYPE', detail, { beforeOperation: true });

/** Only the log shows this failure. */
export const callerIsGone = (): HttpFailure =>
  new HttpFailure(400, 'BAD_REQUEST', 'The caller went away before the request was read');
export const bodyIsEncoded = (): HttpFailure => unsupported('The body must not be compressed');

export const bodyIsInAnotherCharset = (): HttpFailure => unsupported('The charset of the body must be UTF-8');

/** Faults that Fastify finds before any of our code runs, by its error codes. */
const FRAMEWORK_FAULTS: Readonly<Record<string, HttpFailure>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpFailure(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: invalidJson('The body does not have the length that Content-Length says'),
  FST_ERR_CTP_EMPTY_JSON_BODY: invalidJson('The body is empty'),
  FST_ERR_BAD_URL: new HttpFailure(404, 'NOT_FOUND', 'The path is not a valid one'),
  FST_ERR_MAX_PARAM_LENGTH: new HttpFailure(404, 'NOT_FOUND', 'The path is not a valid one'),
  FST_ERR_NOT_FOUND: new HttpFailure(404, 'NOT_FOUND', 'There is nothing at this path'),
};

const fromFramework = (error: unknown): HttpFailure | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code === 'string' && code in FRAMEWORK_FAULTS) return FRAMEWORK_FAULTS[code];
  return statusCode === 400 ? new HttpFailure(400, 'BAD_REQUEST', 'The request is malformed') : undefined;
};

/** Whether Fastify refused a body for its length. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE';

/**
 * Converts any thrown value to the failure that the caller sees. An unknown error gives 500 and reveals nothing. `limit`: bytes
 * that a body of the path may have.
 */
export const toFailure = (error: unknown, limit = 0): HttpFailure => {
  if (error instanceof HttpFailure) return error;
  if (isTooLarge(error)) return bodyIsTooLarge(limit);
  if (isRejection(error)) return fromRejection(error);
  if (error instanceof Unavailable) return fromRejectionCode('unavailable');
  if (error instanceof DataKeyMissing) return dataIsLost();
  if (error instanceof InvariantViolation) return INTERNAL;
  return fromFramework(error) ?? INTERNAL;
};

const fromRejectionCode = (code: RejectionCode): HttpFailure => {
  const { status, code: errorCode, detail } = REFUSALS[code];
  return new HttpFailure(status, errorCode, detail);
};

/** The chapter of a code on the documentation's page. */
export const chapterOf = (code: ErrorCode): string => `errors-${code.toLowerCase().replaceAll('_', '-')}`;

/** The error body, exactly as it is sent. `documentation` is the URL of the documentation's page. */
export const errorBody = (failure: HttpFailure, requestId: string, documentation: string): string =>
  JSON.stringify({
    detail: failure.detail,
    error_code: failure.code,
    request_id: requestId,
    doc_url: `${documentation}#${chapterOf(failure.code)}`,
    ...(failure.extra.errors === undefined ? {} : { errors: failure.extra.errors }),
  });
