import { type BillableOperation, OPERATIONS } from '../kernel/contract.js';
import { type Conclusion } from '../kernel/charging.js';
import { isRejection } from '../kernel/rejection.js';
import { type Config } from '../platform/config/config.js';
import { documentationUrl } from '../http/documentation-url.js';
import { errorBody, HttpFailure, toFailure } from '../http/failure.js';

/** A refusal by the operation, with its body as JSON text. */
export interface Refusal {
  readonly conclusion: Conclusion;
  readonly body: string;
}

/**
 * Turns a 4xx from an operation into a response, which is charged, kept and recorded like any other. Undefined for
 * other errors, which are not charged.
 */
export const refusalOf = (
  error: unknown,
  operation: BillableOperation,
  requestId: string,
  config: Config,
): Refusal | undefined => {
  if (!(error instanceof HttpFailure) && !isRejection(error)) return undefined;
  const failure = toFailure(error);
  // A caller who has to come later pays nothing.
  if (failure.status >= 500 || failure.status === 429) return undefined;
  const result = failure.status === 404 ? 'not_found' : 'invalid';
  const body = errorBody(failure, requestId, documentationUrl(config));
  return { conclusion: { action: OPERATIONS[operation].action, result, status: failure.status, body }, body };
};
