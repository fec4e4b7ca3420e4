import { newUuid } from '../../src/kernel/ids.js';
import { beginJob, endJob, readJob, saveProgress, saveResult } from '../../src/operations/projection-job-rows.js';
import { Database } from '../../src/platform/postgres/database.js';
import { createServiceDatabase } from '../support/stack.js';
import { openSession } from './projections-histories.js';

let database: Database;

beforeAll(async () => {
  const connectionString = await createServiceDatabase();
  await (await openSession(connectionString, [])).close();
  database = new Database({ connectionString });
});

afterAll(() => database.close());

const result = { projection: 'balances' } as Parameters<typeof saveResult>[2];

it('a job that was read as interrupted stays so, though its process comes to an end later', async () => {
  const id = newUuid();
  await beginJob(database, { id, kind: 'verify', projections: ['balances'] });
  expect((await readJob(database, id))?.state).toBe('running');
  await database.query("UPDATE projections.jobs SET seen_at = now() - interval '16 seconds' WHERE id = $1", [id]);
  expect((await readJob(database, id))?.state).toBe('interrupted');
  await saveProgress(database, id, { doing: 'comparing' });
  await saveResult(database, id, result);
  await endJob(database, id, 'done', null);
  expect(await readJob(database, id)).toMatchObject({ state: 'interrupted', results: [] });
});

it('a job that is seen saves each result once, and ends once', async () => {
  const id = newUuid();
  await beginJob(database, { id, kind: 'verify', projections: ['balances'] });
  for (let times = 0; times < 2; times += 1) await saveResult(database, id, result);
  await endJob(database, id, 'done', null);
  await endJob(database, id, 'failed', 'late');
  await saveResult(database, id, { ...result, projection: 'late' });
  expect(await readJob(database, id)).toMatchObject({ state: 'done', error: null, results: [result] });
});
