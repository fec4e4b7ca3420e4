import { pause } from '../kernel/pause.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { accountSums, balanceAfter } from '../../projections/ledger/account-rows.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { HealthChecks, type PartReport } from '../observability/health.js';
import { type Config } from '../platform/config/config.js';
import { LOGGER, type Logger } from '../observability/logging.js';
import { Metrics } from '../observability/metrics.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { CONFIG } from '../platform/tokens.js';
import { ReadModels } from '../log/project/projection.js';
import { AccountCheck, type AccountCheckResult, type Rest } from './account-check.js';
import { DriftTable } from './drift-table.js';
import { observeDrift } from './drift-metrics.js';

/** Milliseconds of rest for each millisecond of work: the watch takes a fiftieth of one connection's time at most. */
const REST = 49;
/** Intervals of the watch between two turns of one account: a few accounts are not compared without end. */
const ROUND = 10;
/** Intervals of the watch between two surveys of all accounts. */
const SURVEY = 30;
/** Accounts whose sums one statement reads. */
const PAGE = 200;
/** Milliseconds. An account that drifts is looked at again this often, to report soon that it was mended. */
const AGAIN = 10_000;

/** Finds rows that are not what the log says: one account after another, without end. */
@Injectable()
export class DriftWatch implements OnModuleInit {
  private readonly check: AccountCheck;
  private readonly accounts: AccountQueries;
  private checked: (events: number) => void = () => undefined;
  /** An account that could not be compared, and the one that had the turn before it. */
  private passedOver: { readonly tenantId: TenantId; readonly last: string } | undefined;

  /** On the monotonic clock: the account whose turn is next had its last one lately. */
  private restsUntil = -Infinity;

  constructor(
    store: EventStore,
    private readonly readModels: ReadModels,
    private readonly table: DriftTable,
    private readonly health: HealthChecks,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'driftEvery'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.check = new AccountCheck(store, readModels);
    this.accounts = new AccountQueries(readModels);
  }

  /** Every process says what is known, whichever of them watches. */
  onModuleInit(): void {
    this.checked = observeDrift(this.table, this.metrics);
    this.health.register('drift', false, () => this.state());
  }

  /** One account in turn, and before it one that drifts. */
  @Periodic({ every: ({ driftEvery }) => driftEvery, role: 'jobs', alone: true })
  async watch(signal: AbortSignal): Promise<void> {
    const rest: Rest = (took) => pause(took * REST, signal);
    try {
      const again = await this.table.dueAgain(AGAIN);
      if (again !== undefined) await this.look(again, false, rest, signal);
    } finally {
      // An account that cannot be compared keeps no other from its turn.
      if (!signal.aborted) await this.turn(rest, signal);
    }
  }

  /**
   * Compares the sums of all accounts with what they were when they were sound. An account whose sums changed without a
   * transaction is looked at now, and need not wait for its turn.
   */
  @Periodic({ every: ({ driftEvery }) => SURVEY * driftEvery, role: 'jobs', alone: true })
  async survey(signal: AbortSignal): Promise<void> {
    const rest: Rest = (took) => pause(took * REST, signal);
    // An account that cannot be compared keeps no other from being looked at.
    const faults: unknown[] = [];
    let last = '';
    while (!signal.aborted) {
      const began = performance.now();
      const page = await accountSums(this.readModels, last, PAGE);
      const changed = await this.table.changedAmong(page);
      await rest(performance.now() - began);
      for (const tenantId of changed)
        await this.look(tenantId, false, rest, signal).catch((error: unknown) => faults.push(error));
      if (page.length < PAGE) break;
      last = page.at(-1)?.tenantId ?? '';
    }
    if (faults.length > 0) throw faults[0];
  }

  private async turn(rest: Rest, signal: AbortSignal): Promise<void> {
    if (performance.now() < this.restsUntil) return;
    const last = await this.table.lastTurn();
    const next = await this.behind(this.passedOver?.last === last ? this.passedOver.tenantId : last);
    if (next === undefined) return;
    const round = ROUND * this.config.driftEvery;
    const early = round - (await this.table.sinceTurnOf(next));
    if (early > 0) {
      // The clock of Postgres may have been set back.
      this.restsUntil = performance.now() + Math.min(early, round);
      return;
    }
    try {
      await this.look(next, true, rest, signal);
      this.passedOver = undefined;
    } catch (error) {
      this.passedOver = { tenantId: next, last };
      throw error;
    }
  }

  private async look(tenantId: TenantId, isTurn: boolean, rest: Rest, signal: AbortSignal): Promise<void> {
    const result = await this.check.run(tenantId, rest, signal);
    if (result === undefined) return;
    this.checked(result.events);
    if (await this.table.save(tenantId, result, isTurn)) this.alarm(tenantId, result);
  }

  private alarm(tenantId: TenantId, { position, drift }: AccountCheckResult): void {
    const rows = drift.slice(0, 5).map(({ table, key, column }) => `${table} ${key} ${column}`.replace('  ', ' '));
    const first = drift.reduce((least, { position: at }) => (at < least ? at : least), position);
    const place = { tenantId, comparedAt: String(position), firstPosition: String(first) };
    this.logger.error({ ...place, differing: drift.length, rows }, 'rows of an account are not what its log says');
  }

  /** In the order of their ids, and then from the first again. Either table may lack an account by a fault. */
  private async behind(last: string): Promise<TenantId | undefined> {
    return (await this.after(last)) ?? (last === '' ? undefined : await this.after(''));
  }

  private async after(last: string): Promise<TenantId | undefined> {
    const found = await Promise.all([this.accounts.after(last), balanceAfter(this.readModels, last)]);
    const [first] = found.filter((tenantId) => tenantId !== undefined).sort();
    return first;
  }

  private async state(): Promise<'up' | PartReport> {
    const { accounts, first } = await this.table.summary();
    if (accounts === 0) return 'up';
    const many = accounts === 1 ? 'the rows of 1 account' : `rows of ${accounts} accounts`;
    return { state: 'degraded', note: `${many} are not what the log says, first at position ${first ?? 'unknown'}` };
  }
}
