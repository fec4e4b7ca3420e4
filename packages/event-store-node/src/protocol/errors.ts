import { GrpcError, Status } from '@kyc/esdb-wire/status';
import { MAX_APPEND_BYTES } from '../log/append-size.js';

/** The errors as EventStoreDB sends them. The client reads the class from `exception` and its fields from the trailers. */

/**
 * grpc-js drops a trailer with anything but printable ASCII. db-client ends its process where it then misses a name. A
 * percent-encoded name reaches the application as the error's streamName.
 */
const inTrailers = (stream: string) => (/^[ -~]*$/.test(stream) ? stream : encodeURIComponent(stream));

export const streamDeleted = (stream: string) =>
  new GrpcError(Status.failedPrecondition, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': inTrailers(stream),
  });

export const wrongExpectedVersion = (stream: string, expected: number, actual: number) =>
  new GrpcError(
    Status.failedPrecondition,
    `Append failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': inTrailers(stream),
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  );

export const maximumAppendSizeExceeded = () =>
  new GrpcError(Status.invalidArgument, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_BYTES),
  });

export const missingMetadataProperty = (property: string) =>
  new GrpcError(Status.invalidArgument, `Required Metadata Property '${property}' is missing.`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

/** For calls without credentials. */
export const accessDenied = () =>
  new GrpcError(Status.permissionDenied, 'Access Denied', { exception: 'access-denied' });

/** For calls with wrong credentials. */
export const unauthenticated = () => new GrpcError(Status.unauthenticated, 'Unauthenticated');

export const deadlineExceeded = () => new GrpcError(Status.deadlineExceeded, 'Deadline exceeded');

export const invalidArgument = (message: string) => new GrpcError(Status.invalidArgument, message);
