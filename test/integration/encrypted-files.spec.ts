import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTenantId } from '../../src/kernel/ids.js';
import { DataKeyShredder } from '../../src/platform/crypto/data-key-shredder.js';
import { EncryptedFiles, FileDestroyed, type FileDraft } from '../../src/reports/encrypted-files.js';
import { type OpenVault, openVault } from '../../src/platform/crypto/open-vault.js';
import { Database } from '../../src/platform/postgres/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { createServiceDatabase, eventually } from '../support/stack.js';

const MINUTE = 60_000;

describe('a file in the making', () => {
  const clock = new ManualClock();
  const dataDir = mkdtempSync(join(tmpdir(), 'kyc-files-'));
  let database: Database;
  let opened: OpenVault;
  let files: EncryptedFiles;

  beforeAll(async () => {
    database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
    opened = await openVault({ keys: { file: undefined, inline: undefined }, dataDir }, database, clock);
    files = new EncryptedFiles(database, opened.keys, new DataKeyShredder(database), clock);
  });

  afterAll(async () => {
    opened.close();
    await database.close();
    rmSync(dataDir, { recursive: true });
  });

  const written = async () => {
    const owner = { tenantId: newTenantId(), documentId: randomUUID() };
    const claim = () => files.claim(owner, new Date(clock.now().getTime() - MINUTE));
    const draft = (await claim()) as FileDraft;
    await draft.write(Buffer.from('a line\n'));
    const isMade = async () => (await claim()) === undefined;
    return { owner, draft, isMade, claim };
  };

  it('shows that its maker lives, until the maker has been silent for long', async () => {
    const { isMade } = await written();
    clock.advance(MINUTE - 1);
    expect(await isMade()).toBe(true);
    clock.advance(2);
    expect(await isMade()).toBe(false);
  });

  it('is given up by its maker, and keeps what it has', async () => {
    const { draft, isMade } = await written();
    const { fileId } = await draft.finish();
    await draft.abandon(new Date(clock.now().getTime() - MINUTE + 5_000));
    expect(await isMade()).toBe(true);
    clock.advance(5_001);
    expect(await isMade()).toBe(false);
    const bytes: Buffer[] = [];
    for await (const part of files.read(fileId)) bytes.push(part);
    expect(Buffer.concat(bytes).toString()).toBe('a line\n');
  });

  it('is claimed by one of many attempts at once, and leaves no key of the others', async () => {
    const owner = { tenantId: newTenantId(), documentId: randomUUID() };
    const since = new Date(clock.now().getTime() - MINUTE);
    const claims = await Promise.all(Array.from({ length: 12 }, () => files.claim(owner, since)));
    expect(claims.filter((draft) => draft !== undefined)).toHaveLength(1);
    const keys = await database.query('SELECT FROM data_keys WHERE tenant_id = $1', [owner.tenantId]);
    expect(keys).toHaveLength(1);
  });

  it('is destroyed, and no other fault, where its row goes as a chunk is stored', async () => {
    const { draft, owner } = await written();
    let storing: Promise<unknown> = Promise.resolve();
    await database.transaction(async (transaction) => {
      await transaction.query('DELETE FROM files WHERE document_id = $1', [owner.documentId]);
      storing = draft.write(Buffer.alloc(300_000)).catch((error: unknown) => error);
      await eventually('the chunk to wait for the row', async () => {
        const waiting = await database.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
        return waiting.length > 0;
      });
    });
    expect(await storing).toBeInstanceOf(FileDestroyed);
  });
});
