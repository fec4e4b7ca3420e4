import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { type KeyedRequest } from '../../src/kernel/charging.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type RequestContext } from '../../src/http/request-context.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/stack.js';
import { type Answer, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

let database: Database;
let app: TestApp;

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

const post = (
  idempotencyKey: string,
  { path = '/things', key = 'good' }: { readonly path?: string; readonly key?: string },
): Promise<Answer> =>
  app.call('POST', path, { key, body: PERSON, headers: { ...fromNewAddress(), 'Idempotency-Key': idempotencyKey } });

const keyedOf = (context: RequestContext): KeyedRequest => {
  if (context.keyed === undefined) throw new Error('the request is not keyed');
  return context.keyed;
};

const expectReplay = (replay: Answer, first: Answer): void => {
  expect([replay.status, replay.text]).toEqual([first.status, first.text]);
  expect(replay.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-credits-charged': '0' });
};

describe('the route, not the spelling of the path, is what an Idempotency-Key belongs to', () => {
  it.each([
    ['/things', '/%74hings'],
    ['/things', '/%74%68%69%6E%67%73'],
    ['/things', '/things?'],
    ['/things', 'http://another.example/things'],
    ['/twice', '/api/v1/twice'],
    ['/api/v1/twice', '/%74wice'],
    ['/things/a-b/secrets', '/things/a%2Db/secrets'],
    ['/things/a%2fb/secrets', '/things/a%2Fb/secrets'],
    ['/things/%C3%A4/secrets', '/things/%c3%a4/secrets'],
  ])('%s is the same as %s', async (path, spelling) => {
    const key = randomUUID();
    app.scenario.operation = () => ({ id: app.scenario.calls });
    const first = await post(key, { path });
    expect(first.status).toBeLessThan(300);
    expectReplay(await post(key, { path: spelling }), first);
    expect(app.scenario.calls).toBe(1);
  });

  it.each(['/things/', '/Things', '//things', '/%2574hings', '/./things', '/things;a=b', '/things%3F'])(
    '%s is no spelling of /things',
    async (path) => {
      const answer = await post(randomUUID(), { path });
      expect(answer).toMatchObject({ status: 404, json: { error_code: 'NOT_FOUND' } });
      expect(app.scenario.calls).toBe(0);
    },
  );

  it.each([
    ['/things/a/secrets', '/things/A/secrets'],
    ['/things/a%2Fb/secrets', '/things/a%252Fb/secrets'],
    ['/things/a/secrets', '/things/a%2F/secrets'],
  ])('%s and %s are two', async (path, other) => {
    const key = randomUUID();
    await post(key, { path });
    expect((await post(key, { path: other })).headers['idempotency-replayed']).toBeUndefined();
    expect(app.scenario.calls).toBe(2);
  });
});

describe('an answer with a secret', () => {
  const SECRET = 'kyc_sandbox_abcdefgh_secret';
  const path = '/things/known/secrets';
  const make = (key: string, by = 'good'): Promise<Answer> => post(key, { path, key: by });

  beforeEach(() => {
    app.scenario.operation = () => ({ id: app.scenario.calls, secret: SECRET });
  });

  it('is repeated without it, to the caller itself too, and stored without it', async () => {
    const key = randomUUID();
    expect((await make(key)).json).toMatchObject({ id: 1, secret: SECRET });
    const again = await make(key);
    expect([again.status, again.json]).toMatchObject([201, { id: 1, secret: null }]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const rows = await database.query<{ ct: string }>(`SELECT answer ->> 'ct' AS ct FROM idempotency_keys`);
    const sealed = rows.map(({ ct }) => Buffer.from(ct ?? '', 'base64url').toString());
    expect(sealed.some((text) => text.includes(JSON.stringify('{"id":1,"secret":null').slice(0, -1)))).toBe(true);
    expect(sealed.join()).not.toContain(SECRET);
  });

  it('is of the calling key alone: another key of the account asks for itself', async () => {
    const key = randomUUID();
    await make(key);
    const other = await make(key, 'second');
    expect([other.headers['idempotency-replayed'], other.json]).toMatchObject([undefined, { id: 2, secret: SECRET }]);
  });

  it('is never handed to another key by what a dead attempt left', async () => {
    const effects: string[] = [];
    app.scenario.operation = (context) => {
      effects.push(keyedOf(context).effectId('api_key'));
      throw new Unavailable('postgres');
    };
    const key = randomUUID();
    for (const caller of ['good', 'good', 'second']) await make(key, caller);
    expect(effects[1]).toBe(effects[0]);
    expect(effects[2]).not.toBe(effects[0]);
  });
});

describe('a repeated request', () => {
  it('is answered to another key of the account, so that a rotated key is not charged again', async () => {
    const key = randomUUID();
    const first = await post(key, { path: '/things/charged' });
    expectReplay(await post(key, { path: '/things/charged', key: 'second' }), first);
    expect(app.scenario.calls).toBe(1);
  });

  it.each([
    ['narrow', 403, 'FORBIDDEN'],
    ['expired', 403, 'EXPIRED_API_KEY'],
    ['suspended', 403, 'ACCOUNT_DISABLED'],
  ])('is refused to the key %s as the first one would be', async (caller, status, code) => {
    for (const path of ['/things', '/things/charged', '/things/known/secrets']) {
      const key = randomUUID();
      await post(key, { path });
      const refused = await post(key, { path, key: caller });
      expect(refused).toMatchObject({ status, json: { error_code: code } });
      expect(refused.headers['idempotency-replayed']).toBeUndefined();
    }
  });
});
