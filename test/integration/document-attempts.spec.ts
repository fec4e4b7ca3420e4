import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { newTenantId } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { DataKeyShredder } from '../../src/platform/crypto/data-key-shredder.js';
import { type OpenVault, openVault } from '../../src/platform/crypto/open-vault.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type Document } from '../../src/reports/domain/document.js';
import { type DocumentRequested, documentStream } from '../../src/reports/domain/document.events.js';
import { DocumentMaker } from '../../src/reports/document-maker.js';
import { DocumentRepository } from '../../src/reports/document-repository.js';
import { EncryptedFiles } from '../../src/reports/encrypted-files.js';
import { aggregatesOf } from '../support/aggregates.js';
import { Hold } from '../support/hold.js';
import { ManualClock } from '../support/manual-clock.js';
import { SimulatedEventStore } from '../support/simulated-event-store.js';
import { createServiceDatabase } from '../support/stack.js';

const MINUTE = 60_000;

const dataDir = mkdtempSync(join(tmpdir(), 'kyc-attempts-'));
const clock = new ManualClock();
let database: Database;
let opened: OpenVault;

beforeAll(async () => {
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  opened = await openVault({ keys: { file: undefined, inline: undefined }, dataDir }, database, clock);
});

afterAll(async () => {
  opened.close();
  await database.close();
  rmSync(dataDir, { recursive: true });
});

/** One process that makes documents, and where it waits. */
interface Attempt {
  readonly content?: Hold;
  readonly append?: Hold;
  readonly appended?: Hold;
  readonly fault?: Error;
}

class World {
  readonly target = { tenantId: newTenantId(), documentId: randomUUID() };
  readonly store = new SimulatedEventStore();
  readonly repository = new DocumentRepository(aggregatesOf(this.store));

  static async open(): Promise<World> {
    const world = new World();
    const request: DocumentRequested['data'] = {
      documentId: world.target.documentId,
      ...{ kind: 'export', format: 'json', period: null, include: [], identityId: null },
      requestedAt: clock.now().toISOString(),
    };
    const metadata = { requestId: 'r', actor: { type: 'system', id: 's' } } as const;
    await world.repository.request(world.target, request, metadata);
    return world;
  }

  /** As a process of its own would: its connection and its objects are not those of the others. */
  make(attempt: Attempt = {}): Promise<void> {
    const repository = new DocumentRepository(aggregatesOf(this.storeOf(attempt)));
    const files = new EncryptedFiles(database, opened.keys, new DataKeyShredder(database), clock);
    const archive = {
      readFrom: () => [],
      of: async function* () {
        yield Buffer.alloc(300_000);
        await attempt.content?.pass();
        if (attempt.fault !== undefined) throw attempt.fault;
        yield Buffer.alloc(300_000);
      },
    };
    const readModels = { reach: () => Promise.resolve() };
    const maker = new DocumentMaker(
      ...[repository, files, readModels as never, {} as never, archive as never],
      ...[{} as never, {} as never, clock, pino({ level: 'silent' })],
    );
    return maker.make(this.target);
  }

  async document(): Promise<Document> {
    return (await this.repository.load(this.target)).state;
  }

  /** The files of the document that are there. */
  async files(): Promise<readonly string[]> {
    const rows = await database.query<{ file_id: string }>('SELECT file_id FROM files WHERE document_id = $1', [
      this.target.documentId,
    ]);
    return rows.map(({ file_id: id }) => id);
  }

  types(): readonly string[] {
    const { tenantId, documentId } = this.target;
    return (this.store.streams.get(documentStream(tenantId, documentId)) ?? []).map(({ type }) => type);
  }

  private storeOf({ append, appended }: Attempt): SimulatedEventStore {
    const own = Object.create(this.store) as SimulatedEventStore;
    own.append = async (...args) => {
      await append?.pass();
      const result = await this.store.append(...args);
      await appended?.pass();
      return result;
    };
    return own;
  }
}

/** It is completed, and its file is there and can be read. */
const expectWhole = async (world: World): Promise<void> => {
  const document = await world.document();
  expect(document.status).toBe('completed');
  const fileId = document.status === 'completed' ? document.file?.fileId : undefined;
  expect(await world.files()).toEqual([fileId]);
  let bytes = 0;
  const files = new EncryptedFiles(database, opened.keys, new DataKeyShredder(database), clock);
  for await (const part of files.read(fileId ?? '')) bytes += part.length;
  expect(bytes).toBe(600_000);
};

describe('a document that two processes make', () => {
  it('is made by one of them while that one lives', async () => {
    const world = await World.open();
    const content = new Hold();
    const first = world.make({ content });
    await content.reached;
    await world.make();
    expect(await world.files()).toHaveLength(1);
    content.release();
    await first;
    await expectWhole(world);
    expect(world.types()).toEqual(['DocumentRequested.v1', 'DocumentCompleted.v1']);
  });

  it('keeps the file of the one that completed it, though the other was silent for long and completes it too', async () => {
    const world = await World.open();
    const append = new Hold();
    const first = world.make({ append });
    await append.reached;
    clock.advance(MINUTE + 1);
    await world.make();
    append.release();
    await first;
    await expectWhole(world);
  });

  it('keeps it while the other still writes, and where it fails for another reason', async () => {
    for (const fault of [undefined, new Error('a fault of its own')]) {
      const world = await World.open();
      const [append, content] = [new Hold(), new Hold()];
      const first = world.make({ append });
      await append.reached;
      clock.advance(MINUTE + 1);
      const second = world.make({ content, ...(fault && { fault }) });
      await content.reached;
      append.release();
      await first;
      content.release();
      await second;
      await expectWhole(world);
    }
  });

  it('keeps it where the other ends between the completion and its clearing up', async () => {
    const world = await World.open();
    const [appended, content] = [new Hold(), new Hold()];
    const first = world.make({ appended });
    await appended.reached;
    clock.advance(MINUTE + 1);
    const second = world.make({ content });
    appended.release();
    await first;
    content.release();
    await second;
    await expectWhole(world);
  });

  it('is made again where its file went as it was completed', async () => {
    const world = await World.open();
    const append = new Hold();
    const first = world.make({ append });
    await append.reached;
    await database.query('DELETE FROM files WHERE document_id = $1', [world.target.documentId]);
    append.release();
    await first;
    expect(await world.document()).toMatchObject({ status: 'generating' });
    await world.make();
    await expectWhole(world);
  });

  it('leaves nothing of an attempt that could not fill its file, however often it is tried', async () => {
    const world = await World.open();
    for (let tries = 0; tries < 3; tries += 1)
      await expect(world.make({ fault: new Unavailable('postgres') })).rejects.toThrow(Unavailable);
    expect(await world.files()).toEqual([]);
    await world.make();
    await expectWhole(world);
  });

  it('whose file was lost long after its request is tried for a day from then', async () => {
    const world = await World.open();
    await world.make();
    clock.advance(10 * 24 * 60 * MINUTE);
    const document = await world.document();
    const fileId = document.status === 'completed' ? (document.file?.fileId ?? '') : '';
    const metadata = { requestId: 'r', actor: { type: 'system', id: 's' } } as const;
    await world.repository.execute(world.target, { kind: 'lose', fileId, now: clock.now() }, metadata);
    await expect(world.make({ fault: new Unavailable('read_models') })).rejects.toThrow(Unavailable);
    expect((await world.document()).status).toBe('generating');
  });
});
