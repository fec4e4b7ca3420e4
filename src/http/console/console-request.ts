import { hash } from 'node:crypto';
import { type FastifyRequest } from 'fastify';
import { pathOfTarget } from '../request-target.js';
import { refuse } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';

/** Under this path the console reaches the API's own routes, by its session in place of a key or token. */
const CONSOLE_API = '/console/api/';

/** Signing in, and the pages, are reached by their own paths alone. */
const isOfApi = (path: string): boolean =>
  path.startsWith(CONSOLE_API) && !path.startsWith('/console', CONSOLE_API.length - 1);

/** The path of the route that a request of the console means; other paths stay as they are. */
export const routedPath = (path: string): string => (isOfApi(path) ? path.slice(CONSOLE_API.length - 1) : path);

/** Judged by the path as it was sent. */
export const isFromConsole = ({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>): boolean =>
  isOfApi(pathOfTarget(originalUrl));

/** A production deployment is reached by TLS, which a proxy may end. */
export const isSecureConsole = ({
  tls,
  publicUrl,
  environment,
}: Pick<Config, 'tls' | 'publicUrl' | 'environment'>): boolean =>
  tls !== undefined || environment === 'production' || publicUrl?.startsWith('https:') === true;

/** The cookie is `__Secure-` where the connection is, since browsers take such a name over TLS alone. */
const cookieName = (isSecure: boolean): string => (isSecure ? '__Secure-kyc_console' : 'kyc_console');

/** `maxAge`: seconds. */
export const sessionCookie = (token: string, maxAge: number, isSecure: boolean): string =>
  `${cookieName(isSecure)}=${token}; Path=/console; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

export const sessionTokensIn = (cookies: string | undefined, isSecure: boolean): readonly string[] => {
  const name = `${cookieName(isSecure)}=`;
  const named = (cookies ?? '').split(/; */).filter((cookie) => cookie.startsWith(name));
  return named.map((cookie) => cookie.slice(name.length));
};

/** The session token among the cookies. Undefined where there are several: another host of the domain may have added one. */
export const sessionTokenIn = (cookies: string | undefined, isSecure: boolean): string | undefined => {
  const [token = '', ...others] = sessionTokensIn(cookies, isSecure);
  return others.length === 0 && /^[\w-]{43}$/.test(token) ? token : undefined;
};

export const tokenHashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Throws `forbidden` unless the console's own page sends the request. A page of another origin can neither set the header
 * X-Console without asking first, nor forge Origin and Sec-Fetch-Site.
 */
export const assertOwnPage = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void => {
  const site = headers['sec-fetch-site'];
  const isElsewhere = site !== undefined && site !== 'same-origin' && !(site === 'none' && READS.has(method));
  const isUnmarked = !READS.has(method) && headers['x-console'] !== '1';
  const { origin } = headers;
  // A proxy may have changed Host, but no page forges Sec-Fetch-Site.
  const isForeign =
    site !== 'same-origin' && origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== headers.host);
  if (isElsewhere || isUnmarked || isForeign)
    throw refuse('forbidden', { detail: 'A session of the console serves its own pages alone' });
};

/** As it was sent: what a proxy could read as another path, such as `/%63onsole` or `/console/API`, is no screen. */
const SCREEN = /^\/console(?:\/(?:(?!(?:api|assets|session)(?:\/|$))[a-z][a-z-]*(?:\/[\w.:-]+)*\/?)?)?$/;

/** Whether the address names the page of the console, whose script then finds the screen. */
export const isConsolePage = (url: string): boolean => SCREEN.test(url.split('?', 1)[0] ?? '');
