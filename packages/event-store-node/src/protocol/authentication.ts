import { timingSafeEqual } from 'node:crypto';
import { type Credentials } from '../credentials.js';
import { type Call } from '../grpc/call.js';
import { type Handler } from '../grpc/server.js';
import { accessDenied, unauthenticated } from './errors.js';

const SCHEME = 'Basic ';

/** The name and password as RFC 7617 joins them. Undefined without Basic credentials. */
function basicCredentialsOf(authorization: string | undefined): Buffer | undefined {
  if (authorization?.startsWith(SCHEME) !== true) return undefined;
  const presented = Buffer.from(authorization.slice(SCHEME.length), 'base64');
  return presented.includes(':') ? presented : undefined;
}

/**
 * The same methods for calls with these credentials. As on EventStoreDB, wrong credentials are refused everywhere. Calls
 * without credentials pass only for the methods in `open`.
 */
export function authenticated(
  handlers: ReadonlyMap<string, Handler>,
  open: ReadonlySet<string>,
  { username, password }: Credentials,
): ReadonlyMap<string, Handler> {
  const expected = Buffer.from(`${username}:${password}`);
  // The length is no secret. The comparison takes the same time for every password of the right length.
  const areRight = (presented: Buffer): boolean =>
    presented.length === expected.length && timingSafeEqual(presented, expected);
  const admit = (call: Call, path: string): void => {
    const presented = basicCredentialsOf(call.headers.authorization);
    if (presented === undefined) {
      if (!open.has(path)) throw accessDenied();
    } else if (!areRight(presented)) throw unauthenticated();
  };
  return new Map(
    [...handlers].map(([path, handler]): [string, Handler] => [
      path,
      (call) => {
        admit(call, path);
        return handler(call);
      },
    ]),
  );
}
