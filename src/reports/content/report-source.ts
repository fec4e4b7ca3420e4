import {
  type AuditCursor,
  auditEntriesAfter,
  type AuditLogEntry,
  type AuditPeriod,
} from '../../../projections/ledger/audit-log.queries.js';
import { type AuditAction } from '../../kernel/contract.js';
import { type AuditEntries } from '../../kernel/access.js';
import { ahead } from '../../kernel/ahead.js';
import { shownActor, type ShownActor } from '../../kernel/audit-actors.js';
import { type TenantId } from '../../kernel/ids.js';
import { type ReadModels } from '../../log/project/projection.js';
import { type ReportSection } from '../domain/document.events.js';

/** Entries read at once. */
const PAGE = 2_000;

/** An entry of the audit log as a report shows it; member names are those of the audit-log endpoint. */
export interface ReportEntry {
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly timestamp: string;
  readonly action: string;
  readonly identity_hash: string;
  readonly result: string;
  readonly actor: ShownActor;
  readonly ip_address: string | null;
  readonly user_agent: string;
  readonly request_id: string;
  readonly identity_id: string | null;
  readonly decision_id: string | null;
  readonly match_id: string | null;
  readonly member_id: string | null;
  readonly key_id: string | null;
  readonly reason: string | null;
  readonly records: number | null;
}

/** Number of entries by action, then by result. */
export type Tally = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** A section that lists entries. */
export type ListSection = Exclude<ReportSection, 'summary'>;

const ACTIONS_OF: Readonly<Record<ListSection, readonly AuditAction[] | undefined>> = {
  audit_log: undefined,
  sanctions_checks: ['sanctions_check'],
  pep_checks: ['pep_check'],
};

export interface SourceParts {
  readonly readModels: Pick<ReadModels, 'query'>;
  readonly entries: AuditEntries;
  /** Called with the people of entries before these are given out. */
  readonly name: (identityHashes: readonly string[]) => Promise<void>;
}

const openEntry = async (entries: AuditEntries, tenantId: TenantId, entry: AuditLogEntry): Promise<ReportEntry> => {
  const { identityHash, ipAddress, userAgent, about } = await entries.open(tenantId, entry);
  return {
    id: entry.eventId,
    timestamp: entry.occurredAt.toISOString(),
    action: entry.action,
    identity_hash: identityHash,
    result: entry.result,
    actor: shownActor(entry.actor),
    ip_address: ipAddress,
    user_agent: userAgent,
    request_id: entry.requestId,
    identity_id: about.identityId ?? null,
    decision_id: about.decisionId ?? entry.decisionId,
    match_id: about.matchId ?? null,
    member_id: about.memberId ?? null,
    key_id: about.keyId ?? null,
    reason: about.reason ?? null,
    records: about.records ?? null,
  };
};

/** The audit entries of a period, oldest first, in pages. They are those up to one position of the log. */
export class ReportSource {
  constructor(
    private readonly parts: SourceParts,
    readonly period: Omit<AuditPeriod, 'actions'>,
  ) {}

  get readModels(): Pick<ReadModels, 'query'> {
    return this.parts.readModels;
  }

  async *entries(section: ListSection): AsyncGenerator<readonly ReportEntry[]> {
    const { entries, name } = this.parts;
    for await (const page of ahead(this.pages(ACTIONS_OF[section]))) {
      const opened = await Promise.all(page.map((entry) => openEntry(entries, this.period.tenantId, entry)));
      await name(opened.map((entry) => entry.identity_hash).filter((hash) => hash !== ''));
      yield opened;
    }
  }

  /** Counts all entries of the period, without opening them. */
  async tally(): Promise<Tally> {
    const tally = new Map<string, Map<string, number>>();
    for await (const page of ahead(this.pages(undefined))) {
      // Names no one, and shows that the report is being made.
      await this.parts.name([]);
      for (const { action, result } of page) {
        const results = tally.get(action) ?? new Map<string, number>();
        tally.set(action, results.set(result, (results.get(result) ?? 0) + 1));
      }
    }
    return tally;
  }

  private async *pages(actions: readonly AuditAction[] | undefined): AsyncGenerator<readonly AuditLogEntry[]> {
    let cursor: AuditCursor | undefined;
    do {
      const { entries, next } = await auditEntriesAfter(
        this.parts.readModels,
        { ...this.period, actions },
        cursor,
        PAGE,
      );
      if (entries.length > 0) yield entries;
      cursor = next;
    } while (cursor !== undefined);
  }
}

export const totalOf = (tally: Tally): number =>
  [...tally.values()].flatMap((results) => [...results.values()]).reduce((sum, entries) => sum + entries, 0);
