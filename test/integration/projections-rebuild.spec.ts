import { jest } from '@jest/globals';
import { projections } from '../../src/projections.js';
import { projectionsCommand } from '../../src/cli/projections.js';
import { newTenantId } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type AllSubscriptionOptions } from '@kyc/esdb-client/requests';
import { type Delivery, type EventStore } from '../../src/platform/eventstore/event-store.js';
import { readCheckpoint, schemaOf } from '../../src/log/project/checkpoints.js';
import { type Projection } from '../../src/log/project/projection.js';
import { Rebuild } from '../../src/log/project/rebuild.js';
import { type ProjectionRunner } from '../../src/log/project/runner.js';
import { eventually } from '../support/stack.js';
import { Histories, openSession, rowsOf } from './projections-histories.js';
import {
  appendAll,
  closeDatabase,
  closeLog,
  database,
  openDatabase,
  openLog,
  run,
  session,
  store,
  until,
} from './projections-world.js';
import { unrecorded } from '../support/unrecorded.js';

jest.setTimeout(120_000);

let runner: ProjectionRunner;
let writing = true;
let writer: Promise<void>;

const history = (): Histories =>
  new Histories((below) => Math.floor(Math.random() * below), [newTenantId(), newTenantId()]);

const appendOne = async (): Promise<void> => {
  const next = history();
  next.credits(20);
  next.audit(10);
  next.identities(10);
  await appendAll(next.written);
};

/** Everything below happens while the log goes on growing. */
const keepWriting = async (): Promise<void> => {
  while (writing) {
    await appendOne();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

beforeAll(async () => {
  await openLog();
  await openDatabase(projections);
  runner = await run(projections);
  writer = keepWriting();
});

afterAll(async () => {
  writing = false;
  await writer;
  await closeDatabase();
  await closeLog();
});

interface CommandResult {
  readonly code: number;
  readonly output: string;
}

const commandOver = async (log: EventStore, ...words: string[]): Promise<CommandResult> => {
  const lines: string[] = [];
  const { signal } = new AbortController();
  const print = (line: string): void => void lines.push(line);
  const context = { store: log, database, print, signal, ...unrecorded };
  const code = await projectionsCommand(words, projections, { print, open: (work) => work(context) });
  return { code, output: lines.join('\n') };
};

const command = (...words: string[]): Promise<CommandResult> => commandOver(store, ...words);

/** The log, whose subscriptions break after their first page as often as told; `after` is where each began. */
const breaking = (times: number, after: (bigint | undefined)[]): EventStore =>
  Object.assign(Object.create(store) as EventStore, {
    async *subscribeToAllInPages(options: AllSubscriptionOptions): AsyncGenerator<readonly Delivery[]> {
      after.push(options.after);
      for await (const page of store.subscribeToAllInPages(options)) {
        yield page;
        if (after.length <= times) throw new Unavailable('event_store');
      }
    },
  });

const named = (name: string): Projection => {
  const projection = projections.find((candidate) => candidate.name === name);
  if (projection === undefined) throw new Error(`no projection ${name}`);
  return projection;
};

const ledger = projections.find(({ name }) => name === 'ledger') as Projection;

describe('npm run projections', () => {
  it.each(projections.map(({ name }) => name))('verifies %s while it is being written to', async (name) => {
    await until('something to compare', async () => (await readCheckpoint(session, name))?.position !== undefined);
    const { code, output } = await command('verify', name);
    expect(output).not.toContain('DIFFERENT');
    expect(code).toBe(0);
  });

  it('reports the row that is not what the events say, and rebuild mends it', async () => {
    const live = schemaOf(ledger, 'live');
    await session.query(
      `UPDATE ${live}.balances SET balance = balance + 1
       WHERE tenant_id = (SELECT tenant_id FROM ${live}.balances ORDER BY 1 LIMIT 1)`,
    );
    await session.query(
      `DELETE FROM ${live}.credit_transactions
       WHERE (tenant, revision) IN (SELECT tenant, revision FROM ${live}.credit_transactions ORDER BY 1, 2 LIMIT 1)`,
    );
    const verified = await command('verify', 'ledger');
    expect(verified.code).toBe(1);
    expect(verified.output).toMatch(/balances \["t\w+"\] different\n +balance: live \d+, rebuilt \d+\n/);
    expect(verified.output).toMatch(
      /credit_transactions \["[0-9a-f-]{36}", 0\] missing\n +since position \d+: CreditsPurchased.v1, revision 0 of credits-/,
    );
    expect((await command('rebuild', 'ledger')).code).toBe(0);
    expect((await command('verify', 'ledger')).code).toBe(0);
  });

  it('goes on projecting after a rebuild, and the rebuilt rows are those of the whole log', async () => {
    for (const { name } of projections) expect((await command('rebuild', name)).code).toBe(0);
    writing = false;
    await writer;
    const head = (await store.head()) ?? 0n;
    await until('caught up', () => runner.status().every(({ position }) => (position ?? 0n) >= head));
    const before = await rowsOf(session, named('ledger'));
    expect((await command('rebuild', 'ledger')).code).toBe(0);
    expect(await rowsOf(session, named('ledger'))).toEqual(before);
  });

  it('goes on behind what is written where the event store is lost for a while', async () => {
    const before = await rowsOf(session, named('ledger'));
    const after: (bigint | undefined)[] = [];
    expect(await commandOver(breaking(3, after), 'rebuild', 'ledger')).toMatchObject({ code: 0 });
    expect(after.length).toBeGreaterThan(3);
    expect(after[0]).toBeUndefined();
    expect(after.slice(1).every((position) => position !== undefined)).toBe(true);
    expect(await rowsOf(session, named('ledger'))).toEqual(before);
  });

  it('rests where it is told to, and never while it holds the live projection back', async () => {
    const before = await rowsOf(session, named('ledger'));
    const rested: boolean[] = [];
    let statusOutput = '';
    const own = await openSession(database, projections);
    const isFree = async (): Promise<boolean> => {
      const rows = await session.query(
        `SELECT 1 FROM projections.checkpoints WHERE projection = 'ledger' AND slot = 'live' FOR UPDATE SKIP LOCKED`,
      );
      return rows.length === 1;
    };
    const rest = async (took: number): Promise<void> => {
      // The live projection itself may hold it for a moment; a rebuild that held it would do so until its rest is over.
      const free = await eventually('the free row', isFree).catch(() => false);
      rested.push(free && took > 0);
      if (statusOutput === '') statusOutput = (await command('status')).output;
    };
    const { signal } = new AbortController();
    const rebuild = await Rebuild.begin({ session: own, store, projection: named('ledger'), signal, rest });
    await rebuild.swap();
    await own.close();
    expect(rested.length).toBeGreaterThan(0);
    expect(rested).not.toContain(false);
    expect(statusOutput).toMatch(/ledger .*\n {2}its rebuild +\d/);
    expect((await command('status')).output).not.toContain('its rebuild');
    expect(await rowsOf(session, named('ledger'))).toEqual(before);
  });

  it('takes the place of rows that are ahead of the log, as after a restore, and misses nothing that follows', async () => {
    const ahead = ((await store.head()) ?? 0n) + 1_000n;
    await session.query(`UPDATE projections.checkpoints SET position = $1 WHERE projection = 'ledger'`, [ahead]);
    expect((await command('rebuild', 'ledger')).code).toBe(0);
    await appendOne();
    const head = (await store.head()) ?? 0n;
    const position = (): bigint => runner.status().find(({ projection }) => projection === 'ledger')?.position ?? 0n;
    await until('caught up', () => position() >= head && position() < ahead);
    expect((await command('verify', 'ledger')).code).toBe(0);
  });

  it('rebuilds and verifies several at once, and all', async () => {
    const several = await command('verify', 'ledger', 'accounts');
    expect(several.output).not.toContain('DIFFERENT');
    expect(several).toMatchObject({ code: 0, output: expect.stringContaining('api_keys') as string });
    const before = await rowsOf(session, named('eligibility'));
    const { code, output } = await command('rebuild', 'all');
    expect(code).toBe(0);
    expect(output).not.toContain('DIFFERENT');
    for (const { name } of projections) expect(output).toContain(`${name}: the rebuilt rows are live.`);
    expect(await rowsOf(session, named('eligibility'))).toEqual(before);
    expect((await command('rebuild', 'ledger', 'nothing')).code).toBe(2);
  });

  it('tells how far each projection is', async () => {
    const { code, output } = await command('status');
    expect(code).toBe(0);
    for (const { name } of projections) expect(output).toMatch(new RegExp(`${name} .*this version`));
  });

  it('explains itself where it is misunderstood', async () => {
    expect(await command('rebuild', 'nothing')).toMatchObject({
      code: 2,
      output: expect.stringContaining('Usage:') as string,
    });
    expect((await command()).code).toBe(2);
  });
});
