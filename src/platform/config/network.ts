import { isIP } from 'node:net';

/** Whether what is sent to this host stays on this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** The host of a URL, an IPv6 address without its brackets; empty where Node reads none. */
export const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.+)\]$/, '$1') : '';

/** Hosts and query as the official client reads them: several hosts make no URL for Node. */
const CONNECTION_STRING = /^[^:]+:\/\/(?:[^:]+:[^@]+@)?([^/?]+)\/?(?:\?(.*))?$/s;

/** Whether an EventStoreDB connection string sends in clear what others on the network can read. */
export const eventStoreInClear = (url: string): boolean => {
  const [, authority = '', query = ''] = CONNECTION_STRING.exec(url) ?? [];
  const hosts = authority.split(',').map((host) => host.trim().replace(/:.*$/, ''));
  // The client ignores case, - and _ in the names of options.
  const withoutTls = query.split('&').some((option) => /^tls=false$/i.test(option.replace(/[\s_-]/g, '')));
  return withoutTls && !hosts.every(isLoopback);
};

/** The modes in which the driver asks for a certificate that it trusts; `no-verify` takes that of whoever stands in between. */
const TLS_MODES: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);

/** The driver reads `require` as libpq does where it is told to: any certificate will do. */
const LIBPQ_TLS_MODES: ReadonlySet<string> = new Set(['verify-ca', 'verify-full']);

/** The same of a Postgres URL, whose host may be a socket's folder; a server that anybody can pass for counts as in clear. */
export const postgresInClear = (url: string): boolean => {
  // Of a name that is given twice the driver takes the last value.
  const query = Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?') + 1)));
  const mode = query['sslmode'] ?? (query['ssl'] === 'true' ? 'require' : 'disable');
  const modes = query['uselibpqcompat'] === 'true' ? LIBPQ_TLS_MODES : TLS_MODES;
  const host = query['host'] ?? hostOf(url);
  return !modes.has(mode) && !host.startsWith('/') && !isLoopback(host);
};

/** The same of a URL whose scheme tells of TLS. */
export const schemeInClear = (url: string): boolean => !/^(https|rediss):/.test(url) && !isLoopback(hostOf(url));
