import { Injectable } from '@nestjs/common';
import { assessmentRow, type AssessmentRow, SCREENING } from '../../projections/screening/screening.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { LeafRetirement } from '../kernel/leaf-retirement.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Aggregates } from '../log/append/aggregates.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type ErasedSubject, ErasureStep, type Erases } from '../contract/erasure/erasure-step.js';
import { ReadModels } from '../log/project/projection.js';
import { type RiskLevel } from './domain/assessment.js';
import { riskCategory } from './domain/risk.category.js';
import { type RiskEvent, riskStream } from './domain/risk.events.js';
import { type RiskCommand, type RiskState } from './domain/risk.js';
import { isErasure, lifeOf } from './erasures.process.js';

/** What a charge keeps of an assessment. */
export interface RiskRecord {
  readonly identityId: string;
  readonly score: number;
  readonly level: RiskLevel;
}

/** Milliseconds in which the row of a charge comes. */
const WAIT_BUDGET_MS = 5_000;

/** Compares each charged assessment with the one before it. Until a person is erased. */
@ErasureStep({ kind: 'risk_scores' })
@Injectable()
export class RiskChanges implements Erases {
  private readonly log: Aggregates<RiskState, RiskCommand, RiskEvent>;

  constructor(
    private readonly vault: Vault,
    private readonly readModels: ReadModels,
    private readonly store: EventStore,
    private readonly leaves: LeafRetirement,
    aggregates: AggregateStore,
  ) {
    this.log = aggregates.of(riskCategory);
  }

  /** A charge that was reversed or purged has no row: its answer was never disclosed, or is forgotten. */
  async compareCharged(id: string, position: bigint): Promise<void> {
    await this.readModels.reach(SCREENING, position, WAIT_BUDGET_MS);
    const row = await assessmentRow(this.readModels, id);
    if (row !== undefined) await this.compare(row);
  }

  async erase({ tenantId, identityId, requestId, decisionId }: ErasedSubject): Promise<number> {
    const stream = riskStream(tenantId, identityId);
    const metadata = { requestId, causationId: decisionId, actor: { type: 'system', id: 'erasure' } } as const;
    const { state, appended } = await this.log.execute(stream, { kind: 'forget', identityId }, { metadata });
    const { revision } = await this.log.load(stream);
    if (state.last === null && revision > 0n) {
      await this.leaves.retire(stream, revision);
      await this.store.truncateBefore(stream, revision);
    }
    return appended.length;
  }

  private async compare(row: AssessmentRow): Promise<void> {
    const { tenantId, assessmentId, stream, requestId } = row;
    const opened = await this.vault.open({ tenantId, stream, eventId: assessmentId, field: 'record' }, row.record);
    if (opened === ERASED) return;
    const { identityId, score, level } = opened as RiskRecord;
    if (await this.isErasedSince(tenantId, identityId, BigInt(row.position))) return;
    const chargeRevision = Number(row.revision);
    await this.log.execute(
      riskStream(tenantId, identityId),
      { kind: 'compare', identityId, assessmentId, chargeRevision, score, level },
      { metadata: { requestId, causationId: assessmentId, actor: { type: 'system', id: 'risk' } } },
    );
  }

  /** A row that comes late, or was parked, must not bring back the score of a person who was erased meanwhile. */
  private async isErasedSince(tenantId: TenantId, identityId: string, position: bigint): Promise<boolean> {
    for await (const page of this.store.readPages(lifeOf(tenantId, identityId), { direction: 'backwards' })) {
      for (const event of page) {
        if (event.position <= position) return false;
        if (isErasure(event)) return true;
      }
    }
    return false;
  }
}
