export const Status = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Trailers that echo a long request would exceed the header limit of a connection and end it. */
const MAX_MESSAGE = 1_000;

/** Ends a call with a gRPC status. `metadata` goes into the trailers. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly metadata: Readonly<Record<string, string>> = {},
  ) {
    // The conversion by UTF-8 removes half a character at the cut, which could not be percent-encoded.
    super(Buffer.from(message.slice(0, MAX_MESSAGE)).toString());
  }
}

export const unavailable = (message: string) => new GrpcError(Status.unavailable, message);
