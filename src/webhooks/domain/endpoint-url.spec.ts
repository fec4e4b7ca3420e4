import { canonicalUrl } from './endpoint-url.js';

it.each([
  ['HTTPS://Example.ORG:443/hook#part', 'https://example.org/hook'],
  ['http://0x7f.1/a/../hook', 'http://127.0.0.1/hook'],
  ['https://example.org/%68ook?%61=%2F', 'https://example.org/hook?a=%2F'],
  ['https://example.org', 'https://example.org/'],
])('%s is %s', (spelling, canonical) => expect(canonicalUrl(spelling)).toBe(canonical));

it.each([
  ['https://example.org/hook', 'https://example.org/Hook'],
  ['https://example.org/hook', 'https://example.org/hook?'.concat('x')],
  ['https://example.org/hook', 'http://example.org/hook'],
  ['https://example.org/a%2Fb', 'https://example.org/a/b'],
])('%s is not %s', (one, other) => expect(canonicalUrl(one)).not.toBe(canonicalUrl(other)));
