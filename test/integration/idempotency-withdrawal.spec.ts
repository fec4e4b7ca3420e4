import 'reflect-metadata';
import { type KeyedRequest } from '../../src/kernel/charging.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { purgeExpiredKeys, purgeRepeatedAnswers, removeAnswersUnder } from '../../src/idempotency/idempotency-store.js';
import { StoredResponses } from '../../src/idempotency/stored-responses.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/stack.js';
import { type Answer, fromNewAddress, PERSON, startTestApp, type TestApp } from './http-test-app.js';

const DATA_KEY = 'subject-t01arz3ndektsv4rrffq69g5fav-a@b.cd';

let database: Database;
let app: TestApp;
let answers: StoredResponses;
let names = 0;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase() });
  answers = new StoredResponses(database);
  app = await startTestApp({ database });
}, 60_000);

afterAll(async () => {
  await app.close();
  await database.close();
});

beforeEach(async () => {
  app.deductions.default = 'settled';
  app.vault.destroyed.clear();
  await database.query('DELETE FROM idempotency_keys');
});

const post = (key: string): Promise<Answer> =>
  app.call('POST', '/things/charged', {
    key: 'good',
    body: PERSON,
    headers: { ...fromNewAddress(), 'Idempotency-Key': key },
  });

/** A charged request that was answered 503 after its answer was stored: whether its charge landed is not known yet. */
const unacknowledged = async (key: string): Promise<KeyedRequest> => {
  const attempt = new Promise<KeyedRequest>((resolve, reject) => {
    app.scenario.operation = async ({ keyed }) => {
      if (keyed === undefined) return reject(new Error('the request is not keyed'));
      await keyed.keepAnswer(200, '{"call":1}', { kind: 'subject', email: 'a@b.cd', phone: '+1' });
      keyed.hold(new Promise(() => undefined));
      resolve(keyed);
      throw new Unavailable('event_store');
    };
  });
  expect((await post(key)).status).toBe(503);
  app.scenario.operation = () => ({ call: 'anew' });
  return attempt;
};

const expire = () => database.query(`UPDATE idempotency_keys SET expires_at = clock_timestamp() - interval '1 second'`);

const LOSSES: readonly [string, (key: string) => Promise<unknown>][] = [
  ['is there still', () => Promise.resolve()],
  ['was purged after 24 hours', async () => (await expire(), await purgeExpiredKeys(database, 5_000))],
  ['was taken by another attempt after 24 hours', async (key) => (await expire(), await post(key))],
  ['went with the data key of its answer', () => removeAnswersUnder(database, DATA_KEY)],
  [
    'was taken by another attempt, as the data key of its answer was destroyed',
    async (key) => (app.vault.destroyed.add(DATA_KEY), await post(key)),
  ],
];

describe('the charge of a stored answer whose row', () => {
  it.each(LOSSES)('%s stands where a repeat was given that answer', async (_, lose) => {
    const key = `key-${(names += 1)}`;
    const { rowId, deductionId } = await unacknowledged(key);
    expect(await post(key)).toMatchObject({ status: 200, text: '{"call":1}' });
    await lose(key);
    expect(await answers.withdraw(rowId, deductionId)).toBe(false);
    expect(await answers.withdraw(rowId, deductionId)).toBe(false);
  });

  it.each(LOSSES)('%s may be undone where nobody was given that answer', async (_, lose) => {
    const key = `key-${(names += 1)}`;
    const { rowId, deductionId } = await unacknowledged(key);
    await lose(key);
    expect(await answers.withdraw(rowId, deductionId)).toBe(true);
    expect(await answers.withdraw(rowId, deductionId)).toBe(true);
  });
});

it('repeats are remembered for longer than billing records, and no longer', async () => {
  await database.query('DELETE FROM repeated_answers');
  await database.query(
    `INSERT INTO repeated_answers SELECT gen_random_uuid(), clock_timestamp() - make_interval(months => months)
     FROM unnest(ARRAY[0, 7 * 12 + 1, 8 * 12 + 1]) AS months`,
  );
  expect(await purgeRepeatedAnswers(database, 10)).toBe(1);
  expect(await purgeRepeatedAnswers(database, 10)).toBe(0);
});
