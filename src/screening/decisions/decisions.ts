import { Injectable } from '@nestjs/common';
import {
  type CheckRow,
  decisionRow,
  SCREENING,
  type ScreenedRow,
} from '../../../projections/screening/screening.queries.js';
import { type Envelope } from '../../kernel/envelope.js';
import { isUuid, type TenantId } from '../../kernel/ids.js';
import { decisionSubject } from '../../platform/crypto/decision-keys.js';
import { ERASED, type Place, Vault } from '../../platform/crypto/vault.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { ReadModels } from '../../log/project/projection.js';
import { decisionStream } from '../domain/decision.events.js';
import { fitted, type StoredDecision } from '../domain/stored-decision.js';

/** What a charge keeps of a check. */
interface DecisionRecord {
  /** A StoredDecision, sealed under the decision's own key. */
  readonly decision: Envelope;
}

interface SealedDecision {
  readonly decision: StoredDecision;
  readonly keyId: string;
}

/** Milliseconds in which a decision that was just made has a row. */
const WAIT_BUDGET_MS = 1_000;

const placeOf = (tenantId: TenantId, decisionId: string): Place => {
  return { tenantId, stream: decisionStream(tenantId, decisionId), eventId: decisionId, field: 'decision' };
};

/** Seals the decisions of checks for their charges, and opens them again. */
@Injectable()
export class Decisions {
  constructor(
    private readonly vault: Vault,
    private readonly readModels: ReadModels,
    private readonly store: EventStore,
  ) {}

  /** The record of the charge with the decision's id. */
  async seal(tenantId: TenantId, decisionId: string, decision: StoredDecision): Promise<DecisionRecord> {
    const key = await this.vault.subjectKey(tenantId, decisionSubject(decisionId));
    return { decision: this.vault.seal(key, placeOf(tenantId, decisionId), fitted(decision)) };
  }

  /** Throws Unavailable where the rows are late: one that was just made would be missed. */
  async row(decisionId: string): Promise<CheckRow | ScreenedRow | undefined> {
    if (!isUuid(decisionId)) return undefined;
    const row = await decisionRow(this.readModels, decisionId);
    if (row !== undefined) return row;
    await this.upToDate();
    return decisionRow(this.readModels, decisionId);
  }

  /** Waits until every decision in the log can be found. Throws Unavailable. */
  async upToDate(): Promise<void> {
    const head = await this.store.head();
    if (head !== undefined) await this.readModels.reach(SCREENING, head, WAIT_BUDGET_MS);
  }

  /** Undefined if its key is destroyed. */
  async open(row: CheckRow): Promise<StoredDecision | undefined> {
    return (await this.openSealed(row))?.decision;
  }

  /** The same, with the id of that key. */
  async openSealed({ tenantId, decisionId, stream, record }: CheckRow): Promise<SealedDecision | undefined> {
    const kept = await this.vault.open({ tenantId, stream, eventId: decisionId, field: 'record' }, record);
    if (kept === ERASED) return undefined;
    const sealed = (kept as DecisionRecord).decision;
    const decision = await this.vault.open(placeOf(tenantId, decisionId), sealed);
    return decision === ERASED ? undefined : { decision: decision as StoredDecision, keyId: sealed.key };
  }
}
