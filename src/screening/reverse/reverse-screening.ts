import { Inject, Injectable } from '@nestjs/common';
import { identitiesAfter, type IdentityRow } from '../../../projections/eligibility/eligibility.queries.js';
import { matchedAmong } from '../../../projections/screening/screening.queries.js';
import { AuditTrail } from '../../kernel/access.js';
import { Attempts } from '../../kernel/attempts.js';
import { type Clock } from '../../kernel/clock.js';
import { deriveUuid, type TenantId } from '../../kernel/ids.js';
import { isKeyAway } from '../../platform/crypto/open-if-possible.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { ReadModels } from '../../log/project/projection.js';
import { CLOCK } from '../../platform/tokens.js';
import { Screener, type ScreeningOutcome, type ScreeningQuery } from '../screener.js';
import { askedWith, ReviewSettingsDesk } from '../settings/review-settings-desk.js';
import { IdentityScreening } from './identity-screening.js';
import { isReadable } from '../matching/normalise.js';
import { type PersonalNames, queryOf } from './personal-names.js';
import { type ScreeningRun, ScreeningRuns } from './screening-runs.js';

/** Identities screened at once: so many names are in memory. */
const PAGE = 500;
const EVERY_TWO_SECONDS = 2_000;
/** Milliseconds until a run that failed, or whose process died, is taken again. */
const AGAIN_AFTER = 60_000;
const AUDIT_ENTRY_NAMESPACE = 'e5a3c0d4-1f0a-4c56-9a0e-7b6d0c2f9a31';

interface OpenedRow {
  readonly row: IdentityRow;
  readonly query: ScreeningQuery;
}

/** What nothing can be screened of: its name cannot be read, or its key is lost. */
interface UnscreenedRow {
  readonly row: IdentityRow;
  readonly query?: undefined;
}

const isOpened = (one: OpenedRow | UnscreenedRow): one is OpenedRow =>
  one.query !== undefined && isReadable(one.query.fullName);

/** The entries that a version changed: those to screen against, and all whose matches may have ended. */
interface Changed {
  readonly present: readonly string[];
  readonly all: ReadonlySet<string>;
}

/** Screens all identities of the network against what a new version of a list changed. */
@Injectable()
export class ReverseScreening {
  constructor(
    private readonly runs: ScreeningRuns,
    private readonly screener: Screener,
    private readonly identities: IdentityScreening,
    private readonly readModels: ReadModels,
    private readonly vault: Vault,
    private readonly settings: ReviewSettingsDesk,
    private readonly audit: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Works until no run is due. One that fails goes on later from its last page, behind those of other lists. */
  @Periodic({ every: EVERY_TWO_SECONDS, role: 'jobs', alone: true })
  async work(stopping?: AbortSignal): Promise<void> {
    const attempts = new Attempts();
    for (;;) {
      const now = this.clock.now();
      const run = stopping?.aborted === true ? undefined : await this.runs.next(now);
      if (run === undefined) break;
      await this.runs.postpone(run, new Date(now.getTime() + AGAIN_AFTER));
      await attempts.make(() => this.screenAll(run, stopping));
    }
    attempts.end();
  }

  private async screenAll(run: ScreeningRun, stopping: AbortSignal | undefined): Promise<void> {
    const { list, version } = run;
    const { added, changed, removed } = await this.screener.delta(list, run.previous, version);
    const entries: Changed = { present: [...added, ...changed], all: new Set([...added, ...changed, ...removed]) };
    let last: Pick<IdentityRow, 'tenantId' | 'identityId'> = run;
    let page: readonly IdentityRow[];
    do {
      if (stopping?.aborted === true) return;
      page = entries.all.size === 0 ? [] : await identitiesAfter(this.readModels, last, PAGE);
      const end = page.at(-1);
      if (end === undefined) break;
      const matches = await this.screenPage(run, entries, page);
      await this.auditTenants(run, page, last.tenantId);
      await this.runs.advance(run, { ...placeOf(end), identities: page.length, matches });
      last = end;
    } while (page.length === PAGE);
    await this.runs.complete(run, this.clock.now());
    this.logger.info(
      { list, version, entries: entries.all.size },
      'all identities are screened against the new version',
    );
  }

  /** Returns the number of new matches. */
  private async screenPage(run: ScreeningRun, entries: Changed, page: readonly IdentityRow[]): Promise<number> {
    const { list, version } = run;
    const all = (await Promise.all(page.map((row) => this.open(row)))).flat();
    const opened = all.filter(isOpened);
    for (const one of all) {
      if (!isOpened(one)) await this.identities.recordUnscreened({ ...one.row, ...causeOf(run) });
    }
    const policies = await this.settings.datePolicies([...new Set(page.map(({ tenantId }) => tenantId))]);
    const queries = opened.map(({ row: { tenantId }, query }) => askedWith(query, policies.get(tenantId)));
    const outcomes = await this.screener.screenMany(list, version, entries.present, queries);
    const known = await matchedAmong(this.readModels, list, page);
    let matches = 0;
    for (const [index, { row }] of opened.entries()) {
      const [outcome, query] = [outcomes[index], queries[index]];
      if (outcome === undefined || query === undefined || (outcome.matches.length === 0 && !known.has(row.identityId)))
        continue;
      matches += await this.record(run, entries, { row, query }, outcome);
    }
    return matches;
  }

  private record(
    run: ScreeningRun,
    { all: entryIds }: Changed,
    { row: { tenantId, identityId, identityHash }, query }: OpenedRow,
    outcome: ScreeningOutcome,
  ): Promise<number> {
    const examined = { list: run.list, entryIds };
    return this.identities.record({
      tenantId,
      identityId,
      identityHash,
      kind: run.kind,
      query,
      outcome,
      examined,
      ...causeOf(run),
    });
  }

  /** An erased person is left out. */
  private async open(row: IdentityRow): Promise<(OpenedRow | UnscreenedRow)[]> {
    try {
      const personal = await this.vault.open(row.place, row.personal);
      return personal === ERASED ? [] : [{ row, query: queryOf(personal as PersonalNames) }];
    } catch (error) {
      if (isKeyAway(error)) return [{ row }];
      throw error;
    }
  }

  /** One entry for each tenant whose identities were read, under an id that a repetition derives again. */
  private async auditTenants(run: ScreeningRun, page: readonly IdentityRow[], before: string): Promise<void> {
    const tenants = new Set<TenantId>(page.map(({ tenantId }) => tenantId).filter((tenantId) => tenantId !== before));
    const { list, version, eventId: requestId } = run;
    const startedAt = this.clock.monotonic();
    for (const tenantId of tenants) {
      await this.audit.record({
        entryId: deriveUuid(AUDIT_ENTRY_NAMESPACE, [tenantId, list, version].join('\0')),
        tenantId,
        action: 'sanctions_check',
        result: 'ok',
        access: { requestId, ipAddress: '', userAgent: '', actorId: 'system', startedAt },
      });
    }
  }
}

const causeOf = ({ eventId }: ScreeningRun) => ({ requestId: eventId, causationId: eventId });

const placeOf = ({ tenantId, identityId }: IdentityRow): Pick<IdentityRow, 'tenantId' | 'identityId'> => ({
  tenantId,
  identityId,
});
