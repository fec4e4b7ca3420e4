import { type IncomingHttpHeaders } from 'node:http';

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/;
const LOOPBACK_HOST = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]+)?$/i;

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a caller runs on this machine. It refuses two cases that look local. A proxy on this machine forwards calls
 * of others. A web page may resolve a name of its own to 127.0.0.1.
 */
export const isLocal = (remoteAddress: string | undefined, headers: IncomingHttpHeaders): boolean =>
  LOOPBACK_ADDRESS.test(remoteAddress ?? '') &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  FORWARDED.every((name) => headers[name] === undefined);
