import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import pMap from 'p-map';
import {
  type DueIdentity,
  type DueKind,
  dueIdentities,
  NOTICE_OF,
  overdueErasures,
} from '../../projections/retention/retention.queries.js';
import { type Clock } from '../kernel/clock.js';
import { tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { paginate } from '../kernel/paginate.js';
import { Unavailable } from '../kernel/unavailable.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { type GivenUpKey, LostKeys } from '../platform/crypto/lost-keys.js';
import { Metrics } from '../observability/metrics.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { ReadModels } from '../log/project/projection.js';
import { type Config } from '../platform/config/config.js';
import { daysBefore, noticedUntil } from '../kernel/expiry-notices.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { ApplyRetention } from './commands.js';
import { IDENTITY_STREAM_PREFIX, identityOfStream } from './domain/identity.events.js';

const CHANGES: Readonly<Record<DueKind, ApplyRetention['data']['change']>> = {
  // What is in the time of the last notice gets that one alone.
  last_notice: 'last_notice',
  first_notice: 'first_notice',
  expiry: 'expire',
  purge: 'decide_erasure',
  inactivity: 'decide_erasure',
  erasure: 'erase',
};

const KINDS = Object.keys(CHANGES) as DueKind[];

const CONCURRENCY = 8;
/** Milliseconds within which an accepted ingestion is applied, or has failed for good. */
const REPLACED_WITHIN = 86_400_000;
const LOST_A_PAGE = 500;

/** Milliseconds. What is due is looked for far more often, so by then something has failed. */
const OVERDUE_AFTER = 3_600_000;

type Page = readonly DueIdentity[];

/** Carries out changes that are due by time: notices of the expiry, the expiry, the ends of grace period and retention, and erasure. */
@Injectable()
export class IdentityJobs {
  constructor(
    private readonly readModels: ReadModels,
    private readonly commands: CommandBus,
    private readonly lost: LostKeys,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'noticeDays'>,
    metrics: Metrics,
  ) {
    metrics.storedGauge('erasures_overdue', 'Identities whose erasure was due more than an hour ago', () =>
      overdueErasures(readModels, new Date(clock.now().getTime() - OVERDUE_AFTER)),
    );
  }

  /**
   * Handles everything due at the start of the run, each item once, including those that fail or must wait. The kinds
   * take turns by page, so that many items of one kind do not delay the others.
   */
  @Periodic({ every: ({ erasure }) => erasure.ageEvery, role: 'jobs', alone: true })
  async run(stopping?: AbortSignal): Promise<void> {
    const before = this.clock.now();
    let lines = KINDS.map((kind) => ({ kind, pages: this.pagesOf(kind, this.dueBy(kind, before)) }));
    while (lines.length > 0 && stopping?.aborted !== true) {
      const ended = new Set<DueKind>();
      for (const { kind, pages } of lines) {
        const page = await pages.next();
        if (page.done === true) ended.add(kind);
        else await this.agePage(kind, page.value, stopping);
      }
      lines = lines.filter(({ kind }) => !ended.has(kind));
    }
  }

  /** Erases the people that lost data keys leave unreadable, once an operator has given the keys up. Their accounts are informed. */
  @Periodic({ every: ({ erasure }) => erasure.ageEvery, role: 'jobs', alone: true })
  async eraseLost(stopping?: AbortSignal): Promise<void> {
    let waiting = 0;
    for (;;) {
      const keys = await this.lost.givenUp(LOST_A_PAGE, waiting);
      if (keys.length === 0) return;
      for (const key of keys) {
        const isDone = await this.isDoneWith(key, stopping);
        if (stopping?.aborted === true) return;
        if (isDone) await this.lost.settled(key);
        else waiting += 1;
      }
    }
  }

  private async isDoneWith({ id: lostKeyId, stream, givenUpAt }: GivenUpKey, stopping?: AbortSignal): Promise<boolean> {
    if (!stream.startsWith(IDENTITY_STREAM_PREFIX)) return true;
    const [tenantId, identityId] = [tenantOfStream(stream) as TenantId, identityOfStream(stream)];
    // Whoever was ingested again meanwhile has a new key, maybe before the new record is applied.
    const isFresh = this.clock.now().getTime() - givenUpAt.getTime() < REPLACED_WITHIN;
    if (isFresh && (await this.lost.isReplaced(tenantId, identityId))) return false;
    const change = new ApplyRetention({ tenantId, identityId, change: 'decide_erasure', lostKeyId });
    return (await this.age(change, stopping)) === undefined;
  }

  /** The time of a notice is that of the expiry. */
  private dueBy(kind: DueKind, now: Date): Date {
    const notice = NOTICE_OF[kind];
    return notice === undefined ? now : noticedUntil(now, daysBefore(notice, this.config.noticeDays));
  }

  private pagesOf(kind: DueKind, before: Date): AsyncGenerator<Page> {
    return paginate<DueIdentity>((last, limit) => dueIdentities(this.readModels, { kind, before }, last, limit));
  }

  /** Throws Unavailable if every item of a page of several failed with it, since the stores are then down. */
  private async agePage(kind: DueKind, page: Page, stopping: AbortSignal | undefined): Promise<void> {
    const age = ({ tenantId, identityId, identityHash }: DueIdentity): Promise<unknown> => {
      const dormant = kind === 'inactivity' ? { dormantHash: identityHash } : {};
      return this.age(new ApplyRetention({ tenantId, identityId, change: CHANGES[kind], ...dormant }), stopping);
    };
    const faults = await pMap(page, age, { concurrency: CONCURRENCY });
    const [first] = faults;
    if (page.length > 1 && first instanceof Unavailable && faults.every((fault) => fault instanceof Unavailable))
      throw first;
  }

  /** A failed item stays due and does not delay the others. After the signal to stop, no new item begins. */
  private async age(command: ApplyRetention, stopping: AbortSignal | undefined): Promise<unknown> {
    if (stopping?.aborted === true) return undefined;
    try {
      await this.commands.execute(command);
      return undefined;
    } catch (error) {
      const { identityId, change } = command.data;
      this.logger.warn({ identityId, change, error: describeError(error) }, 'an identity could not be aged');
      return error;
    }
  }
}
