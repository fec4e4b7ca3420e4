import 'reflect-metadata';
import { type KeyedRequest } from '../../src/kernel/charging.js';
import { refuse } from '../../src/kernel/rejection.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { purgeExpiredKeys, removeAnswersUnder } from '../../src/idempotency/idempotency-store.js';
import { type RequestContext } from '../../src/http/request-context.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase, eventually } from '../support/stack.js';
import { type Answer, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

let database: Database;
let app: TestApp;
let names = 0;
/** Ends the attempts that tests left running, so that the server can close. */
const abandoned: (() => void)[] = [];

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
  app = await startTestApp({ database });
}, 60_000);

afterAll(async () => {
  for (const release of abandoned) release();
  await app.close();
  await database.close();
});

beforeEach(() => {
  app.deductions.default = 'unknown';
  app.vault.destroyed.clear();
  app.scenario.calls = 0;
  app.scenario.operation = () => ({ call: app.scenario.calls });
});

const newKey = (): string => `key-${(names += 1)}`;

interface PostOptions {
  readonly path?: string;
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (
  idempotencyKey: string | string[],
  { path = '/things', key = 'good', body = PERSON, headers = {} }: PostOptions = {},
): Promise<Answer> =>
  app.call('POST', path, {
    key,
    body,
    headers: { ...fromNewAddress(), 'Idempotency-Key': idempotencyKey, ...headers },
  });

const expectReplay = (replay: Answer, first: Answer): void => {
  expect([replay.status, replay.headers['cache-control']]).toEqual([first.status, 'no-store']);
  expect(replay.text).toBe(first.text);
  expect(replay.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-credits-charged': '0' });
  expect(replay.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
};

const keyedOf = (context: RequestContext): KeyedRequest => {
  if (context.keyed === undefined) throw new Error('the request is not keyed');
  return context.keyed;
};

/** What Charging does with a keyed request, as far as this layer sees it; `until` is where it stops. */
const chargedOperation =
  (until: 'kept' | 'confirmed' | 'audit_unknown') =>
  async (context: RequestContext): Promise<unknown> => {
    const keyed = keyedOf(context);
    const answer = { call: app.scenario.calls };
    await keyed.keepAnswer(200, JSON.stringify(answer), { kind: 'subject', email: 'a@b.cd', phone: '+1' });
    if (until === 'audit_unknown') throw new Unavailable('event_store');
    if (until === 'confirmed') keyed.confirm();
    return answer;
  };

/** An operator's request. It takes no body. */
const ADMINISTERING = { path: '/admin/things', headers: { Authorization: 'Bearer admin' }, body: {} };

describe('a request with an Idempotency-Key', () => {
  it('is answered again with the first answer, byte for byte, without running again', async () => {
    const key = newKey();
    const first = await post(key);
    expect(first).toMatchObject({ status: 202, json: { call: 1 } });
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expectReplay(await post(key), first);
    expect(app.scenario.calls).toBe(1);
  });

  it('is answered again by another instance, after a restart', async () => {
    const key = newKey();
    const first = await post(key);
    const restarted = await startTestApp({ database });
    const options = { key: 'good', body: PERSON, headers: { 'Idempotency-Key': key } };
    expectReplay(await restarted.call('POST', '/things', options), first);
    await restarted.close();
  });

  it('with another body is refused with 422', async () => {
    const key = newKey();
    await post(key);
    const answer = await post(key, { body: { ...PERSON, full_name: 'Another' } });
    expect(answer).toMatchObject({ status: 422, json: { error_code: 'IDEMPOTENCY_MISMATCH' } });
    expect(app.scenario.calls).toBe(1);
  });

  it('is recorded each time where an operator gets it, also the answer that is given again', async () => {
    const [key, asAdmin] = [newKey(), ADMINISTERING];
    const answers = [await post(key, asAdmin), await post(key, asAdmin)];
    const ids = answers.map(({ headers }) => headers['x-request-id']);
    expect(app.operators.recorded.slice(-2).map(({ requestId }) => requestId)).toEqual(ids);
  });

  it('is another request for another tenant, operator, method or path', async () => {
    const key = newKey();
    await post(key);
    await post(key, { key: 'other' });
    await post(key, { path: '/things/charged' });
    await post(key, ADMINISTERING);
    expect(app.scenario.calls).toBe(4);
    expectReplay(await post(key, ADMINISTERING), { ...(await post(key, ADMINISTERING)), headers: {} });
  });

  it('runs once however many arrive at once; the others meet 409 or the answer', async () => {
    const key = newKey();
    app.scenario.operation = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { call: app.scenario.calls };
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(key)));
    expect(app.scenario.calls).toBe(1);
    const ran = answers.filter(
      ({ status, headers }) => status === 202 && headers['idempotency-replayed'] === undefined,
    );
    expect(ran).toHaveLength(1);
    for (const { status, json } of answers) {
      if (status === 202) expect(json).toEqual({ call: 1 });
      else expect(json['error_code']).toBe('IDEMPOTENCY_IN_PROGRESS');
    }
  });

  it('keeps refusals of the operation itself, with the request id that they first had', async () => {
    const key = newKey();
    app.scenario.operation = () => {
      throw refuse('not_found');
    };
    const first = await post(key);
    expect(first.status).toBe(404);
    expectReplay(await post(key), first);
    expect(app.scenario.calls).toBe(1);
  });

  it.each([
    ['credits_depleted', 402],
    ['account_state_conflict', 409],
    ['invalid_field', 422],
    ['timeout', 504],
    ['unavailable', 503],
  ] as const)('is free again after %s (%i), also for another body', async (code, status) => {
    const key = newKey();
    app.scenario.operation = () => {
      throw refuse(code);
    };
    expect((await post(key)).status).toBe(status);
    app.scenario.operation = () => ({ call: app.scenario.calls });
    expect(await post(key, { body: { ...PERSON, full_name: 'Another' } })).toMatchObject({
      status: 202,
      json: { call: 2 },
    });
  });

  it('is free again after a refused validation', async () => {
    const key = newKey();
    expect((await post(key, { body: {} })).status).toBe(400);
    expect((await post(key, { body: { ...PERSON, email: 'x' } })).status).toBe(422);
    expect((await post(key)).status).toBe(202);
  });

  it('finds the effects of an earlier attempt by the same ids, and new ids for another body', async () => {
    const key = newKey();
    const effects: string[] = [];
    app.scenario.operation = (context) => {
      effects.push(keyedOf(context).effectId('ingestion'));
      throw new Unavailable('event_store');
    };
    await post(key);
    await post(key);
    await post(key, { body: { ...PERSON, full_name: 'Another' } });
    expect(effects[0]).toBe(effects[1]);
    expect(effects[2]).not.toBe(effects[0]);
    expect(effects[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([[''], ['x'.repeat(256)], [['twice', 'twice']]])('refuses the key %j with 422', async (key) => {
    expect(await post(key)).toMatchObject({ status: 422, json: { errors: [{ field: 'Idempotency-Key' }] } });
    expect((await post('x'.repeat(255))).status).toBe(202);
  });

  it('is not looked at on other methods and on public paths', async () => {
    const headers = { ...fromNewAddress(), 'Idempotency-Key': newKey() };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(
        (await app.call('GET', '/things', { key: 'good', headers })).headers['idempotency-replayed'],
      ).toBeUndefined();
      expect((await app.call('POST', '/dev/token', { headers })).headers['idempotency-replayed']).toBeUndefined();
    }
  });

  it('stores neither key, body nor answer in the clear', async () => {
    app.scenario.operation = () => ({ echo: 'plain-answer' });
    await post('plain-key');
    const rows = await database.query('SELECT idempotency_keys::text AS row FROM idempotency_keys');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/plain-key|plain-answer|example\.org|12025550123/);
  });
});

describe('a charged request with an Idempotency-Key', () => {
  const chargedPost = (key: string): Promise<Answer> => post(key, { path: '/things/charged' });

  it('is replayed after its confirmation, uncharged', async () => {
    const key = newKey();
    app.scenario.operation = chargedOperation('confirmed');
    const first = await chargedPost(key);
    expect(first.headers['x-credits-charged']).toBe('1');
    await eventually('the confirmation', async () => {
      app.deductions.default = 'open';
      return (await chargedPost(key)).status === 200;
    });
    expectReplay(await chargedPost(key), first);
    expect(app.scenario.calls).toBe(1);
  });

  it('whose confirmation was lost is judged by its deduction: unknown or open 409, settled replayed', async () => {
    const key = newKey();
    app.scenario.operation = chargedOperation('kept');
    const first = await chargedPost(key);
    app.deductions.default = 'unknown';
    expect((await chargedPost(key)).status).toBe(409);
    app.deductions.default = 'open';
    expect(await chargedPost(key)).toMatchObject({ status: 409, json: { error_code: 'IDEMPOTENCY_IN_PROGRESS' } });
    app.deductions.default = 'settled';
    expectReplay(await chargedPost(key), first);
    app.deductions.default = 'open';
    await eventually('the confirmation', async () => (await chargedPost(key)).status === 200);
    expect(app.scenario.calls).toBe(1);
  });

  it('whose confirmation was lost runs again where its deduction was refunded', async () => {
    const key = newKey();
    app.scenario.operation = chargedOperation('kept');
    await chargedPost(key);
    app.deductions.default = 'refunded';
    expect((await chargedPost(key)).json).toEqual({ call: 2 });
  });

  it('frees the key where the audit entry is unknown, although the answer was stored', async () => {
    const key = newKey();
    app.scenario.operation = chargedOperation('audit_unknown');
    expect((await chargedPost(key)).status).toBe(503);
    app.scenario.operation = chargedOperation('confirmed');
    expect(await chargedPost(key)).toMatchObject({ status: 200, json: { call: 2 } });
  });

  it('keeps the key while its refund is pending, and frees it with the refund', async () => {
    const key = newKey();
    let refunded = (): void => undefined;
    app.scenario.operation = (context) => {
      keyedOf(context).hold(new Promise((resolve) => (refunded = () => resolve('refunded'))));
      throw new Unavailable('event_store');
    };
    expect((await chargedPost(key)).status).toBe(503);
    app.scenario.operation = chargedOperation('confirmed');
    expect((await chargedPost(key)).status).toBe(409);
    refunded();
    await eventually('the key', async () => (await chargedPost(key)).status === 200);
    expect(app.scenario.calls).toBe(2);
  });

  it.each(['settled', 'unknown'] as const)('does not free a held key whose deduction ended %s', async (end) => {
    const key = newKey();
    app.scenario.operation = async (context) => {
      await keyedOf(context).keepAnswer(200, '{"call":1}', { kind: 'tenant' });
      keyedOf(context).hold(Promise.resolve(end));
      throw new Unavailable('event_store');
    };
    expect((await chargedPost(key)).status).toBe(503);
    app.deductions.default = 'open';
    expect((await chargedPost(key)).status).toBe(409);
    app.deductions.default = 'settled';
    const replay = await chargedPost(key);
    expect(replay).toMatchObject({ status: 200, text: '{"call":1}', headers: { 'idempotency-replayed': 'true' } });
    expect(app.scenario.calls).toBe(1);
  });

  it('keeps no answer that frees the key, though it was charged', async () => {
    const key = newKey();
    app.scenario.operation = async (context) => {
      await keyedOf(context).keepAnswer(409, '{}', { kind: 'tenant' });
      keyedOf(context).confirm();
      throw refuse('account_state_conflict');
    };
    expect((await chargedPost(key)).status).toBe(409);
    app.scenario.operation = chargedOperation('confirmed');
    expect(await chargedPost(key)).toMatchObject({ status: 200, json: { call: 2 } });
  });

  it('runs again where the data key of its answer was destroyed', async () => {
    const key = newKey();
    app.scenario.operation = chargedOperation('confirmed');
    await chargedPost(key);
    app.vault.destroyed.add('subject-t01arz3ndektsv4rrffq69g5fav-a@b.cd');
    app.deductions.default = 'settled';
    expect((await chargedPost(key)).json).toEqual({ call: 2 });
  });
});

describe('an attempt that died', () => {
  /** Runs an attempt that never answers, and gives the id of its effect; its caller gives up. */
  const abandon = async (key: string): Promise<string> => {
    const running = new Promise<string>((resolve) => {
      app.scenario.operation = (context) => {
        resolve(keyedOf(context).effectId('thing'));
        return new Promise((release) => abandoned.push(() => release({})));
      };
    });
    void post(key).catch(() => undefined);
    const effect = await running;
    app.scenario.operation = () => ({ call: app.scenario.calls });
    return effect;
  };
  /** As if every attempt had begun a minute earlier: longer ago than any that lives. */
  const grown = (): Promise<unknown> =>
    database.query(`UPDATE idempotency_keys SET started_at = started_at - interval '1 minute'`);

  it('answers 409 until it is surely dead, then runs again with the same effect ids', async () => {
    const key = newKey();
    const effects = [await abandon(key)];
    expect((await post(key)).status).toBe(409);
    await grown();
    app.scenario.operation = (context) => {
      effects.push(keyedOf(context).effectId('thing'));
      return { call: app.scenario.calls };
    };
    expect((await post(key)).status).toBe(202);
    expect(effects).toHaveLength(2);
    expect(effects[1]).toBe(effects[0]);
  });

  it.each(['open', 'settled'] as const)(
    'answers 409 while its deduction is %s and no answer is stored',
    async (state) => {
      const key = newKey();
      await abandon(key);
      await grown();
      app.deductions.default = state;
      expect(await post(key)).toMatchObject({ status: 409, json: { error_code: 'IDEMPOTENCY_IN_PROGRESS' } });
    },
  );

  it('never answers after its key was taken over', async () => {
    const key = newKey();
    let wake = (): void => undefined;
    app.scenario.operation = () => new Promise((resolve) => (wake = () => resolve({ late: true })));
    const sleeper = post(key);
    await eventually('the first attempt', () => app.scenario.calls === 1);
    await grown();
    app.scenario.operation = () => ({ call: app.scenario.calls });
    const heir = await post(key);
    expect(heir.status).toBe(202);
    wake();
    expect((await sleeper).status).toBe(503);
    expectReplay(await post(key), heir);
  });
});

describe('stored answers', () => {
  it('are gone after 24 hours', async () => {
    const key = newKey();
    await post(key);
    await database.query(`UPDATE idempotency_keys SET expires_at = clock_timestamp() - interval '1 second'`);
    expect((await post(key)).json).toEqual({ call: 2 });
    await database.query(`UPDATE idempotency_keys SET expires_at = clock_timestamp() - interval '1 second'`);
    expect(await purgeExpiredKeys(database, 5_000)).toBeGreaterThan(0);
    expect(await database.query('SELECT 1 FROM idempotency_keys')).toHaveLength(0);
  });

  it('are removed with the data key that they are sealed under', async () => {
    app.scenario.operation = chargedOperation('confirmed');
    await post(newKey(), { path: '/things/charged' });
    expect(await removeAnswersUnder(database, 'subject-t01arz3ndektsv4rrffq69g5fav-a@b.cd')).toBe(1);
  });
});
