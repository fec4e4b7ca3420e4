import { aggregatesOf } from './aggregates.js';
import { type CommandBus } from '@nestjs/cqrs';
import { projections } from '../../src/projections.js';
import { type LeafRetirement } from '../../src/kernel/leaf-retirement.js';
import { LogPurge } from '../../src/retention/log-purge.js';
import { projectionsCommand } from '../../src/cli/projections.js';
import { CreditRepository } from '../../src/credits/credit-repository.js';
import { type CreditCommand } from '../../src/credits/domain/credits.commands.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { type EventStoreNode, startEventStoreNode } from '@kyc/event-store-node/node';
import { scavenge } from '@kyc/event-store-node/scavenge/scavenge';
import { type AggregateStore } from '../../src/log/append/aggregate-store.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { PostgresSnapshots } from '../../src/log/append/snapshots.js';
import { Database } from '../../src/platform/postgres/database.js';
import { PostgresReadModels, readModelSearchPath } from '../../src/log/project/read-models.js';
import { prepareReadModels, ProjectionRunner } from '../../src/log/project/runner.js';
import { ManualClock } from './manual-clock.js';
import { purgeStepsOf } from './purge-steps.js';
import { createDatabase, createServiceDatabase, eventually } from './stack.js';
import { unrecorded } from './unrecorded.js';

const DAY = 24 * 3_600_000;
const START = new Date('2026-01-10T12:00:00.000Z');
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store whose truncations fail on request, as in a crash between the event and its truncation. */
class BrokenOffStore extends GrpcEventStore {
  breaksOff = false;
  override truncateBefore(stream: string, revision: bigint): Promise<void> {
    return this.breaksOff ? Promise.reject(new Unavailable('event_store')) : super.truncateBefore(stream, revision);
  }
}

/** A time this long after the beginning of the world's time. */
export const inYears = (years: number, days = 0): Date => {
  const date = new Date(START);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return new Date(date.getTime() + days * DAY);
};

/** The purge over a real node and a real Postgres with every read model. The test sets the clock. */
export class RetentionWorld {
  /** No tree grows here. */
  readonly leaves: LeafRetirement = { retire: () => Promise.resolve() };
  readonly clock = new ManualClock(START.getTime());
  readonly snapshots: PostgresSnapshots;
  readonly readModels: PostgresReadModels;
  readonly aggregates: AggregateStore;
  readonly purge: LogPurge;
  ledger: CreditRepository;

  private constructor(
    readonly store: BrokenOffStore,
    readonly database: Database,
    private node: EventStoreNode,
    private readonly runner: ProjectionRunner,
    private readonly urls: { readonly log: string; readonly database: string },
  ) {
    this.snapshots = new PostgresSnapshots(database, (error) => {
      throw error;
    });
    this.aggregates = aggregatesOf(store, this.clock, this.snapshots);
    this.readModels = new PostgresReadModels({ database, store, projections, board: runner.board });
    this.ledger = this.newLedger();
    const execute = (command: CreditCommand) => this.ledger.execute(command, 10_000);
    const { readModels, clock } = this;
    const steps = purgeStepsOf({ store, readModels, clock, commands: { execute } as unknown as CommandBus });
    this.purge = new LogPurge(store, this.aggregates, readModels, this.leaves, steps, clock);
  }

  static async open(): Promise<RetentionWorld> {
    const urls = { log: await createDatabase(), database: await createServiceDatabase() };
    const node = await startEventStoreNode({ databaseUrl: urls.log, port: 0 });
    const store = new BrokenOffStore({ connectionString: node.connectionString, budgetMs: 10_000 });
    await prepareReadModels(urls.database, projections);
    const searchPath = `public,${readModelSearchPath(projections)}`;
    const database = new Database({ connectionString: urls.database, budgetMs: 10_000, searchPath });
    const runner = new ProjectionRunner({ projections, store, database: urls.database, log });
    await runner.start();
    return new RetentionWorld(store, database, node, runner, urls);
  }

  /** The repository of another process, which has read nothing yet. */
  newLedger(): CreditRepository {
    return new CreditRepository(this.store, this.aggregates, this.clock);
  }

  /** Returns to the beginning, for tenants of the next test. */
  restart(): void {
    this.store.breaksOff = false;
    this.clock.set(START);
    this.ledger = this.newLedger();
  }

  get connectionString(): string {
    return this.node.connectionString;
  }

  get databaseUrl(): string {
    return this.urls.database;
  }

  async caughtUp(): Promise<void> {
    const head = (await this.store.head()) ?? 0n;
    const reached = () => this.runner.status().every(({ position }) => (position ?? 0n) >= head);
    await eventually('the projections', reached, 30_000);
  }

  /** Purges the data due at `time` and waits until every read model has followed. */
  async purgeAt(time: Date): Promise<void> {
    await this.caughtUp();
    this.clock.set(time);
    await this.purge.run();
    await this.caughtUp();
  }

  async expectRebuildEqual(names = ['ledger', 'eligibility', 'retention', 'claims']): Promise<void> {
    await this.caughtUp();
    const { store, urls } = this;
    for (const name of names) {
      const lines: string[] = [];
      const print = (line: string): void => void lines.push(line);
      const { signal } = new AbortController();
      const context = { store, database: urls.database, print, signal, ...unrecorded };
      const code = await projectionsCommand(['verify', name], projections, { print, open: (work) => work(context) });
      expect(lines.join('\n')).not.toContain('DIFFERENT');
      expect(code).toBe(0);
    }
  }

  /** Returns the number of removed rows of the log. */
  async scavenge(): Promise<number> {
    const { rowsRemoved } = await scavenge(this.urls.log, () => undefined);
    await this.restartNode();
    return rowsRemoved;
  }

  /** Imitates a server that scavenges file by file. The oldest events of a stream are removed. Others below the cut stay. */
  async scavengePartly(stream: string, below: number): Promise<void> {
    const log = new Database({ connectionString: this.urls.log });
    await log.query(
      `DELETE FROM event_store.writes w USING event_store.streams s
       WHERE s.id = w.stream AND s.name = $1 AND w.revision < $2`,
      [stream, below],
    );
    await log.close();
    await this.restartNode();
  }

  /** The node keeps its newest events in memory, even after their removal from disk. A restart makes it read the disk. */
  private async restartNode(): Promise<void> {
    const { port } = this.node;
    await this.node.stop();
    this.node = await startEventStoreNode({ databaseUrl: this.urls.log, port });
    await eventually('the store', () => this.store.head().then(Boolean, () => false), 30_000);
  }

  async close(): Promise<void> {
    await this.runner.stop();
    await this.database.close();
    await this.store.close();
    await this.node.stop();
  }
}
