import { systemClock } from '../kernel/clock.js';
import { REJECTIONS, type RejectionCode } from '../kernel/contract.js';
import { ERROR_CODES, type ErrorCode, PAYMENT_REQUIRED } from '../kernel/error-codes.js';
import { InvariantViolation } from '../kernel/invariant.js';
import { isRejection, type Rejection } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';

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
      /** Further members of the body, where a standard has its own. */
      readonly members?: Readonly<Record<string, string>>;
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

export const refusalOf = (rejection: RejectionCode): Refusal => {
  const { code, detail } = REJECTIONS[rejection];
  return { status: ERROR_CODES[code].status, code, detail };
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

const headersOf = (rejection: Rejection, { status }: Refusal): { readonly headers?: Record<string, string> } => {
  if (status === 401) return { headers: { 'WWW-Authenticate': challengeOf(rejection) } };
  const { retryAt } = rejection.info;
  if (retryAt === undefined) return {};
  const seconds = Math.ceil((retryAt.getTime() - systemClock.now().getTime()) / 1_000);
  return { headers: { 'Retry-After': String(Math.max(1, seconds)) } };
};

const fromRejection = (rejection: Rejection): HttpFailure => {
  const refusal = refusalOf(rejection.code);
  const detail = detailOf(rejection, refusal);
  const { field } = rejection.info;
  return new HttpFailure(refusal.status, refusal.code, detail, {
    ...headersOf(rejection, refusal),
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

/** `name`: as JSON. */
export const bodyHasDoubledName = (name: string | undefined): HttpFailure =>
  invalidJson(`The body is not valid JSON: the name ${name ?? ''} stands twice in one object`);

const MAX_HEADERS = 100;

/** Node drops headers beyond its limit in silence, and with them an address or a key. */
export const hasTooManyHeaders = ({ raw }: { readonly raw: { readonly rawHeaders: readonly string[] } }): boolean =>
  raw.rawHeaders.length > 2 * MAX_HEADERS;

export const tooManyHeaders = (): HttpFailure =>
  new HttpFailure(431, 'HEADERS_TOO_LARGE', `The request has more than ${MAX_HEADERS} headers`);

/** RFC 9112, section 3.2: servers differ in which one they use. */
export const hasTwoHosts = ({ raw }: { readonly raw: { readonly rawHeaders: readonly string[] } }): boolean =>
  raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host').length >
  1;

export const twoHosts = (): HttpFailure =>
  new HttpFailure(400, 'BAD_REQUEST', 'The request has more than one Host header');

const KIBIBYTE = 1_024;
const MEBIBYTE = KIBIBYTE ** 2;

const sizeOf = (bytes: number): string =>
  bytes % MEBIBYTE === 0 ? `${bytes / MEBIBYTE} MiB` : `${Math.floor(bytes / KIBIBYTE)} KiB`;

/** `limit`: bytes that the path takes. */
export const bodyIsTooLarge = (limit: number): HttpFailure =>
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

export const formHasDoubledName = (): HttpFailure =>
  new HttpFailure(400, 'BAD_REQUEST', 'The form has a parameter twice');

export const bodyIsNoForm = (): HttpFailure => unsupported('The body must be application/json');

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
  const { status, code: errorCode, detail } = refusalOf(code);
  return new HttpFailure(status, errorCode, detail);
};

/** The chapter of a code on the documentation's page. */
export const chapterOf = (code: ErrorCode): string => `errors-${code.toLowerCase().replaceAll('_', '-')}`;

/** The error body, exactly as it is sent. `documentation` is the URL of the documentation's page. */
export const errorBody = (failure: HttpFailure, requestId: string, documentation: string): string =>
  JSON.stringify({
    ...failure.extra.members,
    detail: failure.detail,
    error_code: failure.code,
    request_id: requestId,
    doc_url: `${documentation}#${chapterOf(failure.code)}`,
    ...(failure.extra.errors === undefined ? {} : { errors: failure.extra.errors }),
  });
