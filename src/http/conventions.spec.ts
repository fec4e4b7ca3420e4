import { InvariantViolation } from '../kernel/invariant.js';
import { networkOf } from '../kernel/address-ranges.js';
import { counterOf } from './caller.js';
import { createLogger, describeError } from '../observability/logging.js';
import { MethodTable } from './method-table.js';
import { requestIdOf } from './request-id.js';

describe('paths and methods', () => {
  const methods = new MethodTable();
  methods.add('/things', ['GET', 'HEAD']);
  methods.add('/things', ['POST']);
  methods.add('/things/:id', ['DELETE']);

  it.each([
    ['/things', 405, 'GET, HEAD, POST'],
    ['/things?x=/things/1', 405, 'GET, HEAD, POST'],
    ['/things/7', 405, 'DELETE'],
    ['/things/', 404, undefined],
    ['/', 404, undefined],
    ['', 404, undefined],
  ])('%s', (url, status, allow) => {
    const failure = methods.failureFor(url);
    expect(failure.status).toBe(status);
    expect(failure.extra.headers?.['Allow']).toBe(allow);
  });
});

describe('addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s is counted as %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('are counted apart where a path has limits of its own', () => {
    const counted = (perMinute?: number) =>
      counterOf({ kind: 'public', ...(perMinute === undefined ? {} : { perMinute }) }, { kind: 'anonymous' }, '::1');
    expect(counted(6_000).subject).not.toEqual(counted().subject);
    expect(counted().subject).toEqual(counterOf(undefined, { kind: 'anonymous' }, '::1').subject);
  });
});

describe('request ids', () => {
  it('never repeats a header that could carry a name', () => {
    for (const given of [
      'maria',
      'Ana Pop',
      '',
      'a'.repeat(65),
      '01ARZ3NDEKTSV4RRFFQ69G5FA!',
      'zzzzzzzzzzzzzzzzzzzz',
    ]) {
      expect(requestIdOf({ 'x-request-id': given })).toMatch(/^[0-9a-f]{8}-/);
    }
    expect(requestIdOf({})).not.toBe(requestIdOf({}));
  });
});

describe('logs', () => {
  it('quote an error only where its words are ours', () => {
    const foreign = Object.assign(new Error('duplicate key (email)=(maria@example.org)'), { code: '23505' });
    foreign.stack = `Error: ${foreign.message}\n    at save (store.js:1:1)`;
    const text = JSON.stringify(describeError(new InvariantViolation('a deduction is positive', { cause: foreign })));
    expect(text).toContain('a deduction is positive');
    expect(text).toContain('23505');
    expect(text).toContain('at save (store.js:1:1)');
    expect(text).not.toContain('maria');
    expect(describeError('maria')).toEqual({ type: 'string', frames: [] });
    const refused = Object.assign(new TypeError("Received type string ('maria')"), { code: 'ERR_INVALID_ARG_TYPE' });
    expect(describeError(refused).message).toBeUndefined();
  });

  it('are one JSON object a line', () => {
    const lines: string[] = [];
    createLogger('info', { write: (line) => void lines.push(line) }).info({ status: 200 }, 'request');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', status: 200, msg: 'request' });
  });
});
