import { type RejectionCode } from './contract.js';

export interface RejectionDetail {
  /** The caller sees it, so it must hold no personal data. */
  readonly detail?: string;
  /** The invalid field of the request, in the API's spelling. */
  readonly field?: string;
  /** When the same request may be accepted. */
  readonly retryAt?: Date;
}

/** A refusal that the caller may see. The refused command changed nothing. */
export class Rejection extends Error {
  override readonly name = 'Rejection';

  constructor(
    readonly code: RejectionCode,
    readonly info: RejectionDetail = {},
  ) {
    super(info.detail ?? code);
  }
}

export const refuse = (code: RejectionCode, info: RejectionDetail = {}): Rejection => new Rejection(code, info);

export const isRejection = (error: unknown, code?: RejectionCode): error is Rejection =>
  error instanceof Rejection && (code === undefined || error.code === code);
