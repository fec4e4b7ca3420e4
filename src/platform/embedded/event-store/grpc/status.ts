export const Status = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

/** Ends a call with a gRPC status; `metadata` goes into the trailers. */
export class GrpcError extends Error {
  override readonly name = 'GrpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly metadata: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export const unavailable = (message: string) => new GrpcError(Status.unavailable, message);
