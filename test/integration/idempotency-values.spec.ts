import fc from 'fast-check';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/stack.js';
import { type Answer, fromNewAddress, startTestApp, type TestApp } from './http-test-app.js';

let database: Database;
let app: TestApp;
let names = 0;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
  app = await startTestApp({ database });
}, 60_000);

afterAll(async () => {
  await app.close();
  await database.close();
});

beforeEach(() => {
  app.scenario.calls = 0;
  app.scenario.operation = () => ({ call: app.scenario.calls });
});

const newKey = (): string => `value-${(names += 1)}`;

const post = (key: string, body: string): Promise<Answer> =>
  app.call('POST', '/things', { key: 'good', body, headers: { ...fromNewAddress(), 'Idempotency-Key': key } });

/** A body with this text as its member `extra_data`. */
const withData = (data: string): string =>
  `{"email":"maria@example.org","phone_number":"+12025550123","full_name":"Maria","extra_data":${data}}`;

/** What the second body gets under the key of the first: a replay, or a refusal. */
const second = async (one: string, other: string): Promise<'replayed' | 'refused' | readonly unknown[]> => {
  const key = newKey();
  const [first, again] = [await post(key, one), await post(key, other)];
  expect(first.status).toBe(202);
  if (again.status === 422 && again.json['error_code'] === 'IDEMPOTENCY_MISMATCH') return 'refused';
  const replayed = again.headers['idempotency-replayed'] === 'true' && again.text === first.text;
  return replayed ? 'replayed' : [again.status, again.text];
};

describe('the same Idempotency-Key replays the same JSON value', () => {
  it.each([
    ['in another order of its members', '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ['in another order, with names that are numbers', '{"2":1,"10":2,"a":3}', '{"a":3,"10":2,"2":1}'],
    ['in another order within a list', '{"l":[{"a":1,"b":2}]}', '{"l":[{"b":2,"a":1}]}'],
    ['with other blanks', '{"a":[1,2]}', '{ "a" :\n\t[ 1 , 2 ] }\r\n'],
    ['with other spellings of its numbers', '{"n":100,"m":0.5}', '{"n":1.00e2,"m":5E-1}'],
    ['with zero below zero', '{"n":0}', '{"n":-0}'],
    ['with other escapes', '{"t":"A/\\u00e9\\n"}', '{"t":"\\u0041\\/\u00e9\\u000a"}'],
    ['with a picture as two escapes', '{"t":"\u{1f600}"}', '{"t":"\\ud83d\\ude00"}'],
    ['with escapes in a name', '{"name":1}', '{"n\\u0061me":1}'],
  ])('%s', async (_, one, other) => expect(await second(withData(one), withData(other))).toBe('replayed'));

  it('whatever the value and the order', async () => {
    const shuffled = (value: unknown, turn: number): unknown => {
      if (Array.isArray(value)) return value.map((item) => shuffled(item, turn));
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([name, member]) => [name, shuffled(member, turn)] as const);
      return Object.fromEntries(
        [...entries.slice(turn % entries.length || 0), ...entries.slice(0, turn % entries.length || 0)].reverse(),
      );
    };
    const member = fc.string().filter((name) => name !== '__proto__' && name !== '\0');
    const data = fc.dictionary(member, fc.oneof(fc.dictionary(member, fc.integer()), fc.boolean(), fc.constant(null)));
    await fc.assert(
      fc.asyncProperty(data, fc.nat(5), async (value, turn) => {
        const other = JSON.stringify(shuffled(value, turn));
        expect(await second(withData(JSON.stringify(value)), withData(other))).toBe('replayed');
      }),
      { numRuns: 60 },
    );
  });
});

describe('the same Idempotency-Key refuses another JSON value', () => {
  it.each([
    ['another order of a list', '{"l":[1,2]}', '{"l":[2,1]}'],
    ['a number and its text', '{"n":1}', '{"n":"1"}'],
    ['a null and nothing', '{"a":null}', '{}'],
    ['an empty list and an empty object', '{"a":[]}', '{"a":{}}'],
    ['letters in another case', '{"a":"x"}', '{"a":"X"}'],
    ['letters put together otherwise', '{"a":"\u00e9"}', '{"a":"e\u0301"}'],
    ['a member that could be taken for the prototype', '{"__proto__":{"a":1}}', '{}'],
    ['members within such a one', '{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'],
    ['names and values that run together alike', '{"a":"1,b","c":"2"}', '{"a":"1","b,c":"2"}'],
    ['numbers that differ in their last place', '{"n":0.1}', '{"n":0.10000000000000002}'],
  ])('%s', async (_, one, other) => expect(await second(withData(one), withData(other))).toBe('refused'));

  it('also where only what the operation ignores differs', async () => {
    expect(await second(`{"unknown":1,${withData('{}').slice(1)}`, `{"unknown":2,${withData('{}').slice(1)}`)).toBe(
      'refused',
    );
  });
});
