import { type components } from './schema.js';

export type ErrorBody = components['schemas']['Error'];
export type ErrorCode = ErrorBody['error_code'];

/** An answer that is no success. */
export class KycError extends Error {
  override readonly name = 'KycError';

  constructor(
    readonly status: number,
    /** Undefined where something before the service answered, for example a proxy. */
    readonly code: ErrorCode | undefined,
    readonly requestId: string | undefined,
    /** Every field at fault. */
    readonly errors: NonNullable<ErrorBody['errors']>,
    readonly detail: string,
    /** The chapter of the documentation about the code. */
    readonly docUrl?: string,
  ) {
    super(`${status} ${code ?? ''}: ${detail}`);
  }
}

interface Result<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'error_code' in value;

const errorOf = ({ error, response }: Result<unknown>): KycError =>
  isErrorBody(error)
    ? new KycError(response.status, error.error_code, error.request_id, error.errors ?? [], error.detail, error.doc_url)
    : new KycError(
        response.status,
        undefined,
        response.headers.get('X-Request-Id') ?? undefined,
        [],
        'no answer of the service',
      );

/**
 * The body of a success: `const { credits } = await answer(client.GET('/billing/credits'))`. Undefined for a 204, which has none.
 * Throws a KycError otherwise.
 */
export const answer = async <Data>(sent: Promise<Result<Data>>): Promise<NonNullable<Data>> => {
  const result = await sent;
  if (result.response.status === 204) return undefined as unknown as NonNullable<Data>;
  if (!result.response.ok || result.data === undefined || result.data === null) throw errorOf(result);
  return result.data;
};
