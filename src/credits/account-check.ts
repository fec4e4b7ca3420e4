import {
  type AccountSum,
  accountSum,
  deductionDays,
  movementsBetween,
  summedRows,
  type SummedRows,
} from '../../projections/ledger/account-rows.queries.js';
import { BILLING } from '../../projections/ledger/billing.queries.js';
import { type Recorded, type StoredEvent } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type ReadModels } from '../log/project/projection.js';
import { ExpectedAccountRows, type Movement } from './domain/expected-account-rows.js';
import { type CreditEvent, creditsStream } from './domain/credits.events.js';
import { type Drift, driftOfMovements, driftOfSums } from './domain/drift.js';
import { purgedRowsOf, retentionStream } from './purged-rows.process.js';

export interface AccountCheckResult {
  /** Rows and stream were compared at this position. */
  readonly position: bigint;
  readonly events: number;
  /** In the order of the log. */
  readonly drift: readonly Drift[];
  /** Of the rows that were compared. */
  readonly sum: AccountSum | undefined;
}

/** Awaited after each page with the milliseconds that it took. */
export type Rest = (took: number) => Promise<void>;

interface Work {
  readonly tenantId: TenantId;
  readonly books: ExpectedAccountRows;
  readonly wrong: Drift[];
  readonly rest: Rest;
  events: number;
}

type Purges = Parameters<typeof purgedRowsOf>[2];

/** One of millions of wrong transactions is as good as all. */
const MAX_WRONG = 100;

/**
 * Compares one account's rows with its stream. Transactions are compared page by page, since they never change. The sums are
 * read in one snapshot at a position, up to which the stream is folded. So rows that lag are no drift.
 */
export class AccountCheck {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  /** Throws Unavailable. */
  async run(tenantId: TenantId, rest: Rest, signal: AbortSignal): Promise<AccountCheckResult | undefined> {
    const work: Work = { tenantId, books: new ExpectedAccountRows(), wrong: [], rest, events: 0 };
    await this.fold(work, (await this.sumsOf(tenantId)).position, signal);
    const { position, rows, sum } = await this.sumsOf(tenantId);
    await this.fold(work, position, signal);
    if (signal.aborted) return undefined;
    const purges = await this.purgesOf(tenantId);
    const purged = purgedRowsOf(creditsStream(tenantId), position, purges);
    // Transactions were compared one page after another, and a purge may have come meanwhile.
    const { below } = purgedRowsOf(creditsStream(tenantId), purges[0]?.position ?? position, purges);
    const settled = work.books.returned.flatMap(({ deductionId, day }) => (day === undefined ? [deductionId] : []));
    const days = await deductionDays(this.readModels, tenantId, settled);
    const sums = driftOfSums(work.books, rows, purged, position, (id) => days.get(id));
    const drift = [...work.wrong.filter(({ key }) => Number(key) >= below), ...sums];
    return { position, events: work.events, drift, sum };
  }

  private sumsOf(tenantId: TenantId): Promise<{
    readonly position: bigint;
    readonly rows: SummedRows;
    readonly sum: AccountSum | undefined;
  }> {
    return this.readModels.snapshot(async (snapshot) => {
      const position = snapshot.positions.get(BILLING);
      if (position === undefined) throw new Unavailable('read_models');
      const rows = await summedRows(snapshot, tenantId);
      return { position, rows, sum: await accountSum(snapshot, tenantId) };
    });
  }

  /** Goes on where it was, to exactly this position. */
  private async fold(work: Work, until: bigint, signal: AbortSignal): Promise<void> {
    const stream = creditsStream(work.tenantId);
    let began = performance.now();
    for await (const page of this.store.readPages(stream, { from: work.books.nextRevision })) {
      const events = page.filter(({ position }) => position <= until);
      await this.compare(work, events);
      await work.rest(performance.now() - began);
      if (events.length < page.length || signal.aborted) return;
      began = performance.now();
    }
  }

  private async compare(work: Work, events: readonly StoredEvent[]): Promise<void> {
    const { tenantId, books, wrong } = work;
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return;
    work.events += events.length;
    const expected = events.flatMap((event): readonly Movement[] => {
      const moved = books.apply(event as Recorded<CreditEvent>);
      return moved === undefined ? [] : [moved];
    });
    if (wrong.length >= MAX_WRONG) return;
    const actual = await movementsBetween(this.readModels, tenantId, first.revision, last.revision);
    wrong.push(...driftOfMovements(expected, actual));
  }

  /** Newest first. */
  private async purgesOf(tenantId: TenantId): Promise<Purges> {
    const purges: StoredEvent[] = [];
    for await (const page of this.store.readPages(retentionStream(tenantId), { direction: 'backwards' }))
      purges.push(...page);
    return purges as readonly StoredEvent[] as Purges;
  }
}
