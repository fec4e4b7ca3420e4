import { isIP } from 'node:net';

/** Whether data sent to this host stays on this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** The host of a URL, an IPv6 address without its brackets; empty if Node cannot read one. */
export const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.+)\]$/, '$1') : '';

/** Reads hosts and query as the official client does. Node cannot parse a URL with several hosts. */
const CONNECTION_STRING = /^[^:]+:\/\/(?:[^:]+:[^@]+@)?([^/?]+)\/?(?:\?(.*))?$/s;

/** Whether an EventStoreDB connection string sends data in clear over the network. */
export const eventStoreInClear = (url: string): boolean => {
  const [, authority = '', query = ''] = CONNECTION_STRING.exec(url) ?? [];
  const hosts = authority.split(',').map((host) => host.trim().replace(/:.*$/, ''));
  // The client ignores case, - and _ in option names.
  const withoutTls = query.split('&').some((option) => /^tls=false$/i.test(option.replace(/[\s_-]/g, '')));
  return withoutTls && !hosts.every(isLoopback);
};

/** The modes in which the driver requires a trusted certificate. `no-verify` would accept that of a man in the middle. */
const TLS_MODES: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full']);

/** With `uselibpqcompat` the driver reads `require` as libpq does, and accepts any certificate. */
const LIBPQ_TLS_MODES: ReadonlySet<string> = new Set(['verify-ca', 'verify-full']);

/**
 * As `eventStoreInClear`, for a Postgres URL, whose host may be a socket's folder. A connection without a trusted certificate
 * counts as in clear.
 */
export const postgresInClear = (url: string): boolean => {
  // If a name is given twice, the driver takes the last value.
  const query = Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?') + 1)));
  const mode = query['sslmode'] ?? (query['ssl'] === 'true' ? 'require' : 'disable');
  const modes = query['uselibpqcompat'] === 'true' ? LIBPQ_TLS_MODES : TLS_MODES;
  const host = query['host'] ?? hostOf(url);
  return !modes.has(mode) && !host.startsWith('/') && !isLoopback(host);
};

interface StoreUrls {
  readonly eventStoreUrl?: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
}

/** The stores whose data goes over the network without TLS, with what their URL must have instead. */
export const storesInClear = ({ eventStoreUrl, databaseUrl, redisUrl }: StoreUrls) => [
  ...(eventStoreUrl !== undefined && eventStoreInClear(eventStoreUrl)
    ? [{ key: 'eventStoreUrl', needs: 'must have tls=true' } as const]
    : []),
  ...(databaseUrl !== undefined && postgresInClear(databaseUrl)
    ? [{ key: 'databaseUrl', needs: 'must have sslmode=verify-full' } as const]
    : []),
  ...(redisUrl !== undefined && schemeInClear(redisUrl)
    ? [{ key: 'redisUrl', needs: 'must begin with rediss://' } as const]
    : []),
];

/** As `eventStoreInClear`, for a URL whose scheme says whether it uses TLS. */
export const schemeInClear = (url: string): boolean => !/^(https|rediss):/.test(url) && !isLoopback(hostOf(url));
