import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../../kernel/clock.js';
import { completesWithin } from '../../kernel/completes-within.js';
import { JobQueue } from '../../kernel/jobs.js';
import { RequestLog } from '../../kernel/request-log.js';
import { HealthChecks } from '../../observability/health.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { CLOCK } from '../../platform/tokens.js';
import { Breaches } from '../breaches.js';
import { ProjectionJobs } from '../projection-jobs.js';
import { type KeptPart, keepMinute, readKept } from './minutes.js';
import { many, type Part, type Reading } from './part.js';
import { partsOfStores } from './parts-of-stores.js';
import { PARTS_OF_WORK } from './parts-of-work.js';

const MINUTE_MS = 60_000;
const READ_WITHIN_MS = 2_000;
/** One reading serves all who look. */
const CACHED_MS = 5_000;

/** Checks of health that a part here says more of. */
const SAID_BETTER = /^(start|event_store|postgres|drift|queue|projections|events_set_aside|read_model_\w+)$/;

const CHECK = { unit: '', depends: [], value: null, action: 'See docs/operations.md, chapter Health and metrics.' };

const NEVER_NOTED = Array.from({ length: 59 }, () => null);

export interface PartNow extends Omit<Part, 'read' | 'action'>, Reading {
  readonly since: Date;
  /** Values a minute, the oldest first, the last of now. */
  readonly lastHour: readonly (number | null)[];
  /** Null while it is up. */
  readonly action: string | null;
}

/** Never throws. */
const reading = async (read: Promise<Reading>): Promise<Reading> => {
  let found: Reading | undefined;
  const done = read.then((value) => (found = value));
  const failed = await completesWithin(READ_WITHIN_MS, done).then(
    () => false,
    () => true,
  );
  if (found !== undefined) return found;
  return {
    status: 'down',
    sentence: failed
      ? 'It cannot be read: what it is read from does not answer'
      : `No answer within ${READ_WITHIN_MS / 1_000} s`,
    value: null,
  };
};

/** How the parts of the service are, and how they were within the last hour. */
@Injectable()
export class Now {
  private cached: { readonly until: number; readonly parts: Promise<readonly PartNow[]> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly queue: JobQueue,
    private readonly requests: RequestLog,
    private readonly breaches: Breaches,
    private readonly jobs: ProjectionJobs,
    private readonly health: HealthChecks,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The worst first. Never throws: a part that cannot be read says so. */
  parts(): Promise<readonly PartNow[]> {
    const at = performance.now();
    if (this.cached === undefined || at >= this.cached.until)
      this.cached = { until: at + CACHED_MS, parts: this.lookAtAll() };
    return this.cached.parts;
  }

  /** Notes the values of this minute, for all instances. */
  @Periodic({ every: MINUTE_MS, role: 'jobs', alone: true })
  async note(): Promise<void> {
    await keepMinute(this.database, await this.readAll(), this.clock.now());
  }

  private async lookAtAll(): Promise<readonly PartNow[]> {
    const now = this.clock.now();
    const [read, kept] = await Promise.all([this.readAll(), this.kept(now)]);
    const order = ['down', 'degraded', 'up'];
    return read
      .map(({ action, ...part }): PartNow => {
        const noted = kept.get(part.name);
        return {
          ...part,
          since: noted?.status === part.status ? noted.since : now,
          lastHour: [...(noted?.minutes ?? NEVER_NOTED), part.value],
          action: part.status === 'up' ? null : action,
        };
      })
      .sort((one, other) => order.indexOf(one.status) - order.indexOf(other.status));
  }

  private async readAll(): Promise<readonly (Omit<Part, 'read'> & Reading)[]> {
    const { database, store, queue, requests, breaches } = this;
    const { projections } = this.jobs;
    const sources = { database, store, queue, requests, breaches, projections, now: this.clock.now() };
    const parts = [...partsOfStores(projections), ...PARTS_OF_WORK];
    const own = parts.map(async ({ read, ...part }) => ({ ...part, ...(await reading(read(sources))) }));
    return [...(await Promise.all(own)), ...(await this.checks())];
  }

  /** Other checks of health have a state and no value. Reactors that follow the log are one part. */
  private async checks(): Promise<readonly (Omit<Part, 'read'> & Reading)[]> {
    const { parts, notes } = await this.health.ready();
    const others = Object.entries(parts).filter(([name]) => !SAID_BETTER.test(name));
    const following = others.filter(([name, status]) => name.startsWith('reactor_') && status === 'up').length;
    const single = others.filter(([name, status]) => !name.startsWith('reactor_') || status !== 'up');
    const reactors = { ...CHECK, name: 'reactors', status: 'up', value: following, unit: 'reactors' } as const;
    return [
      ...(following === 0 ? [] : [{ ...reactors, sentence: `${many(following, 'reactor')} follow the log` }]),
      ...single.map(([name, status]) => {
        const sentence = notes?.[name] ?? (status === 'up' ? 'In order' : 'It does not answer as it should');
        return { ...CHECK, name, status, sentence };
      }),
    ];
  }

  private async kept(now: Date): Promise<ReadonlyMap<string, KeptPart>> {
    let kept: ReadonlyMap<string, KeptPart> = new Map();
    const read = readKept(this.database, now).then((rows) => (kept = rows));
    await completesWithin(READ_WITHIN_MS, read).catch(() => false);
    return kept;
  }
}
