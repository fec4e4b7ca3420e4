import { newTenantId, newUuid, type TenantId } from '../../src/kernel/ids.js';
import { Database } from '../../src/platform/postgres/database.js';
import { DocumentRepository, type DocumentTarget } from '../../src/reports/document-repository.js';
import { ExportTurns } from '../../src/reports/export-turns.js';
import { aggregatesOf } from '../support/aggregates.js';
import { createServiceDatabase } from '../support/postgres.js';
import { SimulatedEventStore } from '../support/simulated-event-store.js';

const METADATA = { requestId: newUuid(), actor: { type: 'system', id: 'spec' } } as const;
const ROUNDS = 25;

let databases: readonly [Database, Database];
let documents: DocumentRepository;
/** Two instances on the same stores. */
let instances: readonly ExportTurns[];
let tenantId: TenantId;

beforeAll(async () => {
  const connectionString = await createServiceDatabase();
  databases = [new Database({ connectionString }), new Database({ connectionString })];
});
afterAll(() => Promise.all(databases.map((database) => database.close())));

beforeEach(() => {
  const store = new SimulatedEventStore({ delay: () => Math.floor(Math.random() * 3) });
  documents = new DocumentRepository(aggregatesOf(store));
  instances = databases.map((database) => new ExportTurns(database, documents));
  tenantId = newTenantId();
});

const target = (): DocumentTarget => ({ tenantId, documentId: newUuid() });

const take = (instance: number, document = target()): Promise<DocumentTarget | undefined> =>
  (instances[instance]?.take(document) ?? Promise.reject(new Error('no such instance'))).then(
    () => document,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'export_running' });
      return undefined;
    },
  );

const taken = async (instance: number): Promise<DocumentTarget> => {
  const document = await take(instance);
  if (document === undefined) throw new Error('another export has the turn');
  return document;
};

const request = async (document: DocumentTarget): Promise<void> => {
  const { documentId } = document;
  const about = { kind: 'export', format: 'json', period: null, include: [], identityId: null } as const;
  const requested = { documentId, ...about, requestedAt: new Date().toISOString() };
  await documents.execute(document, { kind: 'request', request: requested }, METADATA);
};

const end = (document: DocumentTarget) =>
  documents.execute(document, { kind: 'fail', reason: 'broken', now: new Date() }, METADATA);

describe('one export of an account at a time', () => {
  it('lets one of many requests of the same moment through, on two instances, again and again', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all([0, 1, 0, 1].map((instance) => take(instance)));
      const winners = answers.filter((answer) => answer !== undefined);
      expect(winners).toHaveLength(1);
      const [winner = target()] = winners;
      await request(winner);
      expect(await Promise.all([take(0), take(1)])).toEqual([undefined, undefined]);
      await end(winner);
    }
  });

  it('lets the same request through again, while its export is made and after others were', async () => {
    const first = await taken(0);
    expect(await take(1, first)).toBe(first);
    await request(first);
    expect(await take(1, first)).toBe(first);
    await end(first);
    await request(await taken(1));
    expect(await take(0, first)).toBe(first);
  });

  it('takes the turn of a request that died before its export was in the log', async () => {
    await taken(0);
    expect(await take(1)).toBeUndefined();
    await databases[0].query(`UPDATE export_turns SET taken_at = now() - interval '11 seconds' WHERE tenant_id = $1`, [
      tenantId,
    ]);
    const answers = await Promise.all([take(0), take(1)]);
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  });

  it('is each account’s own', async () => {
    await request(await taken(0));
    tenantId = newTenantId();
    await taken(1);
  });
});
