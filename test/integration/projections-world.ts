import { jest } from '@jest/globals';
import { newUuid } from '../../src/kernel/ids.js';
import { type EventStoreNode, startEventStoreNode } from '@kyc/event-store-node/node';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { type Database } from '../../src/platform/postgres/database.js';
import { readCheckpoint, schemaOf } from '../../src/log/project/checkpoints.js';
import { type ProjectionStatus } from '../../src/log/project/member.js';
import { type Projection, type Statement } from '../../src/log/project/projection.js';
import { ProjectionRunner } from '../../src/log/project/runner.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';
import { createDatabase, createServiceDatabase } from '../support/stack.js';
import { openSession, type Written } from './projections-histories.js';

export const BUDGET = { budgetMs: 10_000 };
export const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export let node: EventStoreNode;
export let store: GrpcEventStore;
export let database: string;
export let session: ProjectionSession;
export const runners: ProjectionRunner[] = [];
export const pools: Database[] = [];

export const openLog = async (): Promise<void> => {
  node = await startEventStoreNode({ databaseUrl: await createDatabase(), port: 0 });
  store = new GrpcEventStore({ connectionString: node.connectionString, ...BUDGET });
};

export const closeLog = async (): Promise<void> => {
  await store.close();
  await node.stop();
};

/** A new one, with the schemas of these projections. */
export const openDatabase = async (projections: readonly Projection[]): Promise<void> => {
  database = await createServiceDatabase();
  session = await openSession(database, projections);
};

export const closeDatabase = async (): Promise<void> => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  await session.close();
};

/** A log, and a database for each test, for the spec that calls it. */
export const openWorld = (): void => {
  jest.setTimeout(120_000);
  beforeAll(openLog);
  beforeEach(() => openDatabase([]));
  afterEach(closeDatabase);
  afterAll(closeLog);
};

export const run = async (list: readonly Projection[]): Promise<ProjectionRunner> => {
  const runner = new ProjectionRunner({ projections: list, store, database, log });
  runners.push(runner);
  await runner.start();
  return runner;
};

export const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  const limit = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error(`not within 30 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

export const statusOf = (runner: ProjectionRunner, name = 'counts'): ProjectionStatus => {
  const status = runner.status().find(({ projection }) => projection === name);
  if (status === undefined) throw new Error(`no projection ${name}`);
  return status;
};

/** Counts the events of a category of its own, and falls over the value 'poison'. */
export const counting = (category: string, version = 'v1'): Projection => ({
  name: 'counts',
  tables: ['counts'],
  schema: 'CREATE TABLE counts (stream text PRIMARY KEY, events bigint NOT NULL, batches bigint NOT NULL DEFAULT 0)',
  version,
  streamPrefixes: [`${category}-`],
  project: (events) =>
    events.map((event): Statement => {
      if ((event.data as { value: unknown }).value === 'poison') throw new Error('cannot be applied');
      return {
        text: `INSERT INTO counts (stream, events) VALUES ($1, 1)
               ON CONFLICT (stream) DO UPDATE SET events = counts.events + 1`,
        values: [event.stream],
      };
    }),
});

export const newCategory = (): string => `cat${newUuid().slice(0, 8)}`;

export const write = async (category: string, values: readonly unknown[]): Promise<bigint> => {
  const events = values.map((value) => ({
    id: newUuid(),
    type: 'Counted.v1',
    data: { value },
    metadata: {
      $correlationId: newUuid(),
      actor: { type: 'system', id: 's' } as const,
      time: '2026-01-01T00:00:00.000Z',
      schemaVersion: 1,
    },
  }));
  return (await store.append(`${category}-one`, events, 'any', BUDGET)).position;
};

export const counted = async (): Promise<number> => {
  const version = (await readCheckpoint(session, 'counts'))?.version ?? '';
  const live = schemaOf({ name: 'counts', version }, 'live');
  try {
    const rows = await session.query<{ events: string }>(`SELECT sum(events) AS events FROM ${live}.counts`);
    return Number(rows[0]?.events ?? 0);
  } catch (error) {
    // Other rows take their place: their schema may just be renamed.
    if (!String(error).includes('does not exist')) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return counted();
  }
};

export const appendAll = async (written: readonly Written[]): Promise<bigint> => {
  let last = 0n;
  for (const [stream, event] of written) last = (await store.append(stream, [event], 'any', BUDGET)).position;
  return last;
};
