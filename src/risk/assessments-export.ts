import { Injectable } from '@nestjs/common';
import pMap from 'p-map';
import { chargedEntries } from '../../projections/ledger/audit-log.queries.js';
import { type AssessmentRow, assessmentsOf, SCREENING } from '../../projections/screening/screening.queries.js';
import { AuditEntries } from '../kernel/access.js';
import { type TenantId } from '../kernel/ids.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { ExportSection, type Exports, type ExportScope } from '../contract/exports/export-section.js';
import { type RiskEvent, riskStream } from './domain/risk.events.js';
import { type RiskRecord } from './risk-changes.js';

const PAGE = 200;
const CONCURRENCY = 16;
const FORGOTTEN = 'RiskForgotten.v1' satisfies RiskEvent['type'];

interface Opened {
  readonly row: AssessmentRow;
  readonly kept: RiskRecord;
}

/** The charged risk assessments, oldest first, without those of persons that were erased since. */
@ExportSection({ file: 'risk_assessments.json', readModel: SCREENING })
@Injectable()
export class AssessmentsExport implements Exports {
  constructor(
    private readonly vault: Vault,
    private readonly entries: AuditEntries,
    private readonly store: EventStore,
  ) {}

  async *records(scope: ExportScope): AsyncGenerator<readonly object[]> {
    let after: string | undefined = '-1';
    while (after !== undefined) {
      const page: readonly AssessmentRow[] = await assessmentsOf(scope.snapshot, scope.tenantId, after, PAGE);
      yield await this.opened(scope, page);
      after = page.length < PAGE ? undefined : page.at(-1)?.revision;
    }
  }

  /** Those that can be opened, of this identity or of all, and not of an identity that was erased later. */
  private async present(
    tenantId: TenantId,
    page: readonly AssessmentRow[],
    identityId: string | undefined,
  ): Promise<readonly Opened[]> {
    const opened = await Promise.all(
      page.map(async (row) => {
        const place = { tenantId, stream: row.stream, eventId: row.assessmentId, field: 'record' };
        const kept = (await this.vault.open(place, row.record)) as RiskRecord | typeof ERASED;
        return kept === ERASED || (identityId !== undefined && kept.identityId !== identityId) ? [] : [{ row, kept }];
      }),
    );
    const found = opened.flat();
    const forgotten = await this.forgotten(tenantId, new Set(found.map(({ kept }) => kept.identityId)));
    return found.filter(({ row, kept }) => BigInt(row.position) > (forgotten.get(kept.identityId) ?? -1n));
  }

  /** For each of these identities that was erased, the position in the log at which its assessments were forgotten. */
  private async forgotten(tenantId: TenantId, identityIds: ReadonlySet<string>): Promise<ReadonlyMap<string, bigint>> {
    const looks = await pMap(
      identityIds,
      async (identityId) => {
        const events = await this.store.read(riskStream(tenantId, identityId));
        const last = events.findLast(({ type }) => type === FORGOTTEN);
        return last === undefined ? [] : ([[identityId, last.position]] as const);
      },
      { concurrency: CONCURRENCY },
    );
    return new Map(looks.flat());
  }

  private async opened(
    { tenantId, person, snapshot, name }: ExportScope,
    page: readonly AssessmentRow[],
  ): Promise<readonly object[]> {
    // Who was assessed and when stands in the audit entry that the charge is too.
    const revisions = page.map(({ revision }) => revision);
    const charges = await chargedEntries(snapshot, tenantId, revisions);
    const chargeOf = new Map(charges.map((entry) => [entry.eventId, entry]));
    const records = await Promise.all(
      (await this.present(tenantId, page, person?.identityId)).map(
        async ({ row: { assessmentId, requestId }, kept }) => {
          const charge = chargeOf.get(assessmentId);
          const hash = charge === undefined ? '' : (await this.entries.open(tenantId, charge)).identityHash;
          return {
            assessment_id: assessmentId,
            identity_id: kept.identityId,
            identity_hash: hash,
            risk_score: kept.score,
            risk_level: kept.level,
            assessed_at: charge?.occurredAt ?? null,
            request_id: requestId,
          };
        },
      ),
    );
    await name(records.map(({ identity_hash }) => identity_hash).filter((hash) => hash !== ''));
    return records;
  }
}
