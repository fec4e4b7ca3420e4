import { Injectable } from '@nestjs/common';
import { AUDIT_LOG, type AuditCursor, auditEntriesAfter } from '../../projections/ledger/audit-log.queries.js';
import { AuditEntries } from '../kernel/access.js';
import { shownActor } from '../kernel/audit-actors.js';
import { ExportSection, type Exports, type ExportScope } from '../contract/exports/export-section.js';

const PAGE = 1_000;
const BEGINNING = new Date(0);
/** Later than any entry that the snapshot holds. */
const END = new Date('9999-12-31T00:00:00Z');
const EVERYTHING = 2n ** 63n - 1n;

/** The account's audit log, oldest first; of one person, the entries that name it. */
@ExportSection({ file: 'audit_log.json', readModel: AUDIT_LOG })
@Injectable()
export class AuditExport implements Exports {
  constructor(private readonly entries: AuditEntries) {}

  async *records({ tenantId, person, snapshot, name }: ExportScope): AsyncGenerator<readonly object[]> {
    const period = { tenantId, start: BEGINNING, end: END, upTo: EVERYTHING };
    let cursor: AuditCursor | undefined;
    do {
      const page = await auditEntriesAfter(snapshot, period, cursor, PAGE);
      const opened = await Promise.all(
        page.entries.map(async (entry) => ({ entry, access: await this.entries.open(tenantId, entry) })),
      );
      const wanted = opened.filter(({ access }) => person === undefined || access.identityHash === person.identityHash);
      await name(wanted.map(({ access }) => access.identityHash).filter((hash) => hash !== ''));
      yield wanted.map(({ entry, access }) => ({
        id: entry.eventId,
        timestamp: entry.occurredAt,
        action: entry.action,
        result: entry.result,
        actor: shownActor(entry.actor),
        identity_hash: access.identityHash,
        ip_address: access.ipAddress,
        user_agent: access.userAgent,
        request_id: entry.requestId,
      }));
      cursor = page.next;
    } while (cursor !== undefined);
  }
}
