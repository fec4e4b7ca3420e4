import {
  assertOwnPage,
  isConsolePage,
  isFromConsole,
  isSecureConsole,
  routedPath,
  sessionTokenIn,
} from './console-request.js';

const TOKEN = 'a'.repeat(43);
const OTHER = 'b'.repeat(43);

describe('the path of a request', () => {
  it.each([
    ['/console/api/billing/credits', '/billing/credits', true],
    ['/console/api', '/console/api', false],
    ['/console/apiary', '/console/apiary', false],
    ['/billing/credits', '/billing/credits', false],
    ['/console/api/console/api/billing/credits', '/console/api/console/api/billing/credits', false],
    ['/console/api/console/session', '/console/api/console/session', false],
  ])('%s means the route %s', (path, route, isFromPage) => {
    expect(routedPath(path)).toBe(route);
    expect(isFromConsole({ originalUrl: path })).toBe(isFromPage);
  });
});

describe('the cookie of a session', () => {
  it.each([
    [`kyc_console=${TOKEN}`, false, TOKEN],
    [`theme=dark; kyc_console=${TOKEN}`, false, TOKEN],
    [`__Secure-kyc_console=${TOKEN}`, true, TOKEN],
    [`kyc_console=${TOKEN}`, true, undefined],
    [`__Secure-kyc_console=${TOKEN}`, false, undefined],
    [`kyc_console=${TOKEN}; kyc_console=${OTHER}`, false, undefined],
    [`kyc_console=${TOKEN}x`, false, undefined],
    [`kyc_console=`, false, undefined],
    [undefined, false, undefined],
  ])('in %s, secure: %s, is %s', (cookies, isSecure, token) => {
    expect(sessionTokenIn(cookies, isSecure)).toBe(token);
  });

  it.each([
    [{ environment: 'production' }, true],
    [{ environment: 'sandbox' }, false],
    [{ environment: 'sandbox', publicUrl: 'https://kyc.example.org' }, true],
    [{ environment: 'sandbox', publicUrl: 'http://kyc.example.org' }, false],
    [{ environment: 'sandbox', tls: { certFile: 'c', keyFile: 'k' } }, true],
  ] as const)('is sent over TLS alone where the deployment is %j: %s', (deployment, isSecure) => {
    expect(isSecureConsole({ tls: undefined, publicUrl: undefined, ...deployment })).toBe(isSecure);
  });
});

describe('a page of another site', () => {
  const HOST = { host: 'kyc.example.org' };
  const MARKED = { 'x-console': '1' };

  it.each([
    ['GET', {}],
    ['GET', { 'sec-fetch-site': 'same-origin' }],
    ['GET', { 'sec-fetch-site': 'none' }],
    ['POST', MARKED],
    ['POST', { ...MARKED, origin: 'https://kyc.example.org' }],
    // A proxy gave the request another Host.
    ['POST', { ...MARKED, origin: 'https://public.example.org', 'sec-fetch-site': 'same-origin' }],
  ])('is not what sends %s with %j', (method, headers) => {
    expect(() => assertOwnPage({ method, headers: { ...HOST, ...headers } })).not.toThrow();
  });

  it.each([
    ['POST', {}],
    ['POST', { 'sec-fetch-site': 'same-origin' }],
    ['POST', { ...MARKED, 'sec-fetch-site': 'none' }],
    ['POST', { ...MARKED, 'sec-fetch-site': 'same-site' }],
    ['POST', { ...MARKED, origin: 'https://evil.example' }],
    ['POST', { ...MARKED, origin: 'null' }],
    ['GET', { 'sec-fetch-site': 'cross-site' }],
    ['GET', { origin: 'https://evil.example' }],
  ])('may be what sends %s with %j, which is refused', (method, headers) => {
    expect(() => assertOwnPage({ method, headers: { ...HOST, ...headers } })).toThrow('its own pages alone');
  });
});

describe('the page of the console', () => {
  it.each(['/console', '/console/', '/console?sign_in=x', '/console/matches', '/console/accounts/t01HZ0/keys?page=2'])(
    'is at %s',
    (url) => expect(isConsolePage(url)).toBe(true),
  );

  it.each([
    ...['/%63onsole', '/console/API', '/console/api', '/console/Api/billing', '/console/%61pi/billing/credits'],
    ...[
      '/console//api',
      '/console/../api',
      '/console/matches/..%2f',
      '/console/assets',
      '/console/session/x',
      '/consoles',
    ],
  ])('is not at %s', (url) => expect(isConsolePage(url)).toBe(false));
});
