import { type IncomingHttpHeaders } from 'node:http';

const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/;
const LOOPBACK_HOST = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])(:[0-9]+)?$/i;

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a caller sits on this machine. A proxy on this machine makes everyone look local, and a web page may point a name of its
 * own at 127.0.0.1: neither passes.
 */
export const isLocal = (remoteAddress: string | undefined, headers: IncomingHttpHeaders): boolean =>
  LOOPBACK_ADDRESS.test(remoteAddress ?? '') &&
  LOOPBACK_HOST.test(headers.host ?? '') &&
  FORWARDED.every((name) => headers[name] === undefined);
