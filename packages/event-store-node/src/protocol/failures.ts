import { GrpcError, Status, unavailable } from '@kyc/esdb-wire/status';
import { NotWritable } from '../log/writer.js';
import { SessionLost } from '../postgres/session.js';
import { invalidArgument } from './errors.js';
import { MalformedMessage } from '@kyc/esdb-wire/messages';

/** Connection failures of Postgres and its refusals while it starts or stops (class 57, 08 and 53 of SQLSTATE). */
const OUT_OF_REACH = /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|57|08|53)/;

/** Maps a failure to a gRPC error. An unreachable database must never look like an error of the request. */
export function asGrpcError(error: unknown): GrpcError {
  if (error instanceof GrpcError) return error;
  if (error instanceof MalformedMessage) return invalidArgument(error.message);
  if (error instanceof NotWritable || error instanceof SessionLost) return unavailable(error.message);
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined && OUT_OF_REACH.test(code)) return unavailable(message ?? code);
  return new GrpcError(Status.unknown, message ?? String(error));
}
