import { jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { categories } from '../../src/categories.js';
import { giveUp } from '../../src/cli/lost-keys.js';
import { creditsStream } from '../../src/credits/domain/credits.events.js';
import { identityStream } from '../../src/identity/domain/identity.events.js';
import { systemClock } from '../../src/kernel/clock.js';
import { type Envelope } from '../../src/kernel/envelope.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { DataKeyMissing } from '../../src/platform/crypto/data-keys.js';
import { KeyCensus } from '../../src/platform/crypto/key-census.js';
import { LostKeys } from '../../src/platform/crypto/lost-keys.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { HealthChecks } from '../../src/observability/health.js';
import { Metrics } from '../../src/observability/metrics.js';
import { Database } from '../../src/platform/postgres/database.js';
import { LiveEventStore } from '../support/accounts-world.js';
import { createServiceDatabase } from '../support/stack.js';

const tenantId = newTenantId();
let folder: string;
let database: Database;
let store: LiveEventStore;
let opened: OpenVault;
let lost: LostKeys;
let census: KeyCensus;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lost-keys-'));
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  store = new LiveEventStore();
  opened = await openVault({ keys: { file: undefined, inline: undefined }, dataDir: folder }, database, systemClock);
  lost = new LostKeys(database, store, categories, opened.vault);
  census = new KeyCensus(database, store, lost, new HealthChecks(), new Metrics());
});

afterEach(async () => {
  opened.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const append = async (stream: string, type: string, dataOf: (eventId: string) => object): Promise<void> => {
  const id = newUuid();
  const actor = { type: 'system', id: 'spec' } as const;
  const metadata = { $correlationId: newUuid(), actor, time: new Date().toISOString(), schemaVersion: 1 };
  await store.append(stream, [{ id, type, data: dataOf(id), metadata }], 'any');
};

/** A person who was ingested; returns the data key of the record. */
const ingested = async (identityId: string): Promise<string> => {
  const key = await opened.vault.subjectKey(tenantId, identityId);
  const stream = identityStream(tenantId, identityId);
  await append(stream, 'IdentityIngested.v1', (eventId) => ({
    personal: opened.vault.seal(key, { tenantId, stream, eventId, field: 'personal' }, 'data'),
  }));
  return key.id;
};

const lose = (...ids: string[]): Promise<unknown> => database.query('DELETE FROM data_keys WHERE id = ANY($1)', [ids]);
const lostIds = async (): Promise<readonly string[]> => (await lost.waiting()).map(({ id }) => id);

describe('the census of data keys', () => {
  it('finds what a database lost that went back to an earlier state between two looks', async () => {
    await ingested('idn_before');
    await census.look();
    const [before] = await database.query<{ position: string }>('SELECT position FROM key_census');
    const gone = await ingested('idn_after');
    await census.look();
    expect(await lostIds()).toEqual([]);
    await lose(gone);
    await database.query('UPDATE key_census SET position = $1', [before?.position]);
    await census.look();
    expect(await lostIds()).toEqual([gone]);
  });

  it('looks where another server answers, as after a failover, though the census is as far as before', async () => {
    let server = 'one';
    const query = async (text: string, values?: unknown[]) => {
      const rows = await database.query<Record<string, unknown>>(text, values);
      return rows.map((row) => ('server' in row ? { ...row, server } : row));
    };
    const health = new HealthChecks();
    const watching = new KeyCensus({ query } as unknown as Database, store, lost, health, new Metrics());
    await ingested('idn_1');
    await watching.look();
    await lose(await ingested('idn_2'));
    const later = performance.now() + 3_600_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    server = 'two';
    await watching.look();
    clock.mockRestore();
    expect(await lostIds()).toHaveLength(1);
  });

  it('goes on looking for a while, at what processes seal under keys that they still hold', async () => {
    const gone = await ingested('idn_1');
    await census.look();
    await lose(gone);
    await database.query('DELETE FROM key_census');
    await ingested('idn_2');
    await census.look();
    await append(identityStream(tenantId, 'idn_3'), 'IdentityIngested.v1', (): object => ({
      personal: { v: 1, alg: 'A256GCM', key: '00000000-0000-4000-8000-000000000009', iv: '', ct: '' },
    }));
    await census.look();
    expect([...(await lostIds())].sort()).toEqual([gone, '00000000-0000-4000-8000-000000000009'].sort());
  });

  it('finds the key of a decision, which a charge’s record names within what is sealed', async () => {
    const decision = await opened.vault.subjectKey(tenantId, 'decision');
    const own = await opened.vault.tenantKey(tenantId, 'texts');
    const stream = creditsStream(tenantId);
    let within: Envelope | undefined;
    await append(stream, 'OperationCharged.v1', (eventId) => {
      const place = { tenantId, stream, eventId, field: 'record' };
      within = opened.vault.seal(decision, { ...place, field: 'decision' }, 'what was decided');
      return { record: opened.vault.seal(own, place, { decision: within }) };
    });
    await lose(decision.id);
    await census.look();
    expect(await lostIds()).toEqual([decision.id]);
  });
});

describe('giving up', () => {
  const giveUpAll = async (): Promise<{ readonly status: number; readonly lines: readonly string[] }> => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const status = await giveUp({ lostKeys: lost, store, database, print });
    return { status, lines };
  };
  const isDestroyed = async (id: string): Promise<boolean> =>
    (await database.query('SELECT FROM destroyed_data_keys WHERE id = $1', [id])).length > 0;

  it('destroys no key that a later restore has brought back', async () => {
    const [back, gone] = [await ingested('idn_back'), await ingested('idn_gone')];
    const kept = await database.query<{ row: object }>('SELECT to_jsonb(k) AS row FROM data_keys k WHERE id = $1', [
      back,
    ]);
    await lose(back, gone);
    await census.look();
    await database.query('INSERT INTO data_keys SELECT * FROM jsonb_populate_record(NULL::data_keys, $1)', [
      kept[0]?.row,
    ]);
    expect(await giveUpAll()).toMatchObject({ status: 0 });
    expect([await isDestroyed(back), await isDestroyed(gone)]).toEqual([false, true]);
  });

  it('counts what no census has found yet', async () => {
    const gone = await ingested('idn_gone');
    await lose(gone);
    expect((await giveUpAll()).lines[0]).toBe('1 keys are given up. What they sealed reads as erased.');
    expect(await isDestroyed(gone)).toBe(true);
  });

  it('has what was parked for want of a key tried again, and nothing else', async () => {
    await lose(await ingested('idn_gone'));
    const error = String(new DataKeyMissing('a key'));
    const park = `INSERT INTO parked_events (reactor, event_id, event_type, stream, revision, position, attempts, error)
      VALUES ('r', gen_random_uuid(), 'T.v1', 's', 0, 0, 1, $1)`;
    for (const text of [error, 'Error: broken']) await database.query(park, [text]);
    expect((await giveUpAll()).lines).toContain('1 parked events will be tried again.');
    const retried = 'SELECT error FROM parked_events WHERE retry_requested';
    expect(await database.query(retried)).toEqual([{ error }]);
  });

  it('says that there is nothing to give up', async () => {
    await ingested('idn_1');
    expect(await giveUpAll()).toEqual({ status: 1, lines: ['No data key is lost: there is nothing to give up.'] });
  });
});
