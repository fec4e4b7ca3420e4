import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { Database, type Queryable } from '../../src/platform/postgres/database.js';
import { createServiceDatabase, eventually } from '../support/stack.js';
import { type Answer, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

/** Gives up the next statement of a name. Postgres, silent for a while, may carry it out all the same, later. */
class StallingDatabase implements Queryable {
  givesUp: string | undefined;
  /** Milliseconds. Undefined: never. */
  carriesOutAfter: number | undefined;
  /** Statements of this name wait for the promise. */
  held: { readonly name: string; readonly until: Promise<void>; isWaiting: boolean } | undefined;

  constructor(private readonly database: Database) {}

  async query<Row extends object>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
    if (this.held !== undefined && name === this.held.name) {
      this.held.isWaiting = true;
      await this.held.until;
    }
    if (name === undefined || name !== this.givesUp) return this.database.query<Row>(text, values, name);
    this.givesUp = undefined;
    if (this.carriesOutAfter !== undefined)
      setTimeout(() => void this.database.query(text, values), this.carriesOutAfter);
    throw new Unavailable('postgres');
  }
}

let database: Database;
let stalling: StallingDatabase;
let app: TestApp;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  stalling = new StallingDatabase(database);
  app = await startTestApp({ database: stalling });
}, 60_000);

afterAll(async () => {
  await app.close();
  await database.close();
});

const post = (key: string): Promise<Answer> =>
  app.call('POST', '/things/charged', {
    key: 'good',
    body: PERSON,
    headers: { ...fromNewAddress(), 'Idempotency-Key': key },
  });

it.each([
  ['idempotency_claim', 700],
  ['idempotency_claim', 5_000],
  ['idempotency_free', undefined],
] as const)(
  'frees the key of a request that was told 503 as soon as Postgres answers again, after a silence at %s',
  async (statement, carriedOutAfter) => {
    const key = newUuid();
    stalling.carriesOutAfter = carriedOutAfter;
    app.scenario.operation = () => Promise.reject(new Unavailable('event_store'));
    stalling.givesUp = statement;
    expect((await post(key)).status).toBe(503);
    expect(stalling.givesUp).toBeUndefined();
    // By then what was given up is carried out, if ever.
    await pause((carriedOutAfter ?? 0) + 300);
    app.scenario.operation = () => ({ call: 'anew' });
    // An attempt is dead by its age after 45 s.
    await eventually('a free key', async () => (await post(key)).status === 200, 20_000);
  },
  40_000,
);

it('runs no operation for an operator who left before the kept answer was found', async () => {
  const call = {
    body: {},
    headers: { ...fromNewAddress(), Authorization: 'Bearer admin', 'Idempotency-Key': newUuid() },
  };
  app.scenario.operation = () => ({ call: 'once' });
  expect((await app.call('POST', '/admin/things', call)).status).toBe(201);
  const { calls } = app.scenario;
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  const held = { name: 'idempotency_find', until, isWaiting: false };
  stalling.held = held;
  app.operators.concludesIn = 50;
  const caller = new AbortController();
  const repeat = fetch(`${app.url}/admin/things`, {
    method: 'POST',
    headers: { ...call.headers, 'Content-Type': 'application/json' },
    body: '{}',
    signal: caller.signal,
  }).catch(() => 'left');
  await eventually('the search for the kept answer', () => held.isWaiting);
  caller.abort();
  expect(await repeat).toBe('left');
  // The server hears of it, then Postgres answers.
  await pause(200);
  stalling.held = undefined;
  release();
  await pause(200);
  expect(await app.call('POST', '/admin/things', call)).toMatchObject({ status: 201, json: { call: 'once' } });
  expect(app.scenario.calls).toBe(calls);
});
