import { Inject, Injectable } from '@nestjs/common';
import { identityWithId } from '../../projections/eligibility/identities.queries.js';
import { type AuditDay, auditDays } from '../../projections/ledger/audit-days.queries.js';
import {
  AUDIT_LOG,
  auditEntriesBefore,
  type AuditFilter,
  type AuditLogEntry,
  auditPage,
  type AuditPage,
  type WantedEntries,
} from '../../projections/ledger/audit-log.queries.js';
import { AuditEntries, type OpenedAccess } from '../kernel/access.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { WritePositions } from '../log/append/write-positions.js';

const DEFAULT_RANGE_MS = 30 * 86_400_000;
/** How long a query waits for entries that this instance has written itself. */
const OWN_ENTRIES_BUDGET_MS = 1_000;
/** Entries that a stream reads at a time. */
const STREAMED = 1_000;

/** What entries are asked for. The range is the last 30 days unless it is given. */
export interface WantedLog extends Omit<AuditFilter, 'start' | 'end' | 'subject'> {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
  /** Who the entries are about, in one of two ways. */
  readonly identityId?: string | undefined;
  readonly person?: { readonly email: string; readonly phone: string } | undefined;
}

export interface OpenedEntry {
  readonly entry: AuditLogEntry;
  readonly access: OpenedAccess;
}

/** Reads a tenant's audit log, newest first, with its sealed parts opened. Everything throws Unavailable. */
@Injectable()
export class AuditLogReader {
  constructor(
    private readonly readModels: ReadModels,
    private readonly entries: AuditEntries,
    private readonly own: WritePositions,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async page(
    wanted: WantedLog,
    page: WantedEntries,
  ): Promise<Pick<AuditPage, 'total' | 'next'> & { readonly logs: readonly OpenedEntry[] }> {
    const { total, next, entries } = await auditPage(this.readModels, await this.filterOf(wanted), page);
    return { total, next, logs: await this.opened(wanted.tenantId, entries) };
  }

  /** How many entries each of these days has, by action and result. */
  async days(tenantId: TenantId, days: Parameters<typeof auditDays>[2]): Promise<readonly AuditDay[]> {
    await this.waitForOwn(tenantId);
    return auditDays(this.readModels, tenantId, days);
  }

  /** Pages of entries from the one after `after`, `limit` entries at most. */
  async *pages(wanted: WantedLog, { limit, ...from }: WantedEntries): AsyncGenerator<readonly OpenedEntry[]> {
    const filter = await this.filterOf(wanted);
    let [left, after, offset] = [limit, from.after, from.offset];
    while (left > 0) {
      const page = await auditEntriesBefore(this.readModels, filter, {
        limit: Math.min(left, STREAMED),
        after,
        ...(offset === undefined ? {} : { offset }),
      });
      yield await this.opened(wanted.tenantId, page.entries);
      if (page.next === undefined) return;
      [left, after, offset] = [left - page.entries.length, page.next, undefined];
    }
  }

  private async waitForOwn(tenantId: TenantId): Promise<void> {
    const written = this.own.lastPosition(tenantId);
    if (written !== undefined) await this.readModels.waitFor(AUDIT_LOG, written, OWN_ENTRIES_BUDGET_MS);
  }

  private async filterOf({ start, end, identityId, person, ...wanted }: WantedLog): Promise<AuditFilter> {
    await this.waitForOwn(wanted.tenantId);
    const now = this.clock.now().getTime();
    return {
      ...wanted,
      start: start ?? new Date(now - DEFAULT_RANGE_MS),
      // "Until now" includes entries of this moment, even if another instance's clock is ahead.
      end: end ?? new Date(now + 1_000),
      subject: await this.subjectOf(wanted.tenantId, identityId, person),
    };
  }

  /** An identity that the tenant does not have is the subject of no entry. */
  private async subjectOf(
    tenantId: TenantId,
    identityId: string | undefined,
    person: WantedLog['person'],
  ): Promise<string | undefined> {
    if (person !== undefined)
      return this.hashes.auditSubject(tenantId, this.hashes.identityHash(person.email, person.phone));
    if (identityId === undefined) return undefined;
    const identity = await identityWithId(this.readModels, tenantId, identityId);
    return identity === undefined ? newUuid() : this.hashes.auditSubject(tenantId, identity.identityHash);
  }

  private opened(tenantId: TenantId, entries: readonly AuditLogEntry[]): Promise<OpenedEntry[]> {
    return Promise.all(entries.map(async (entry) => ({ entry, access: await this.entries.open(tenantId, entry) })));
  }
}
