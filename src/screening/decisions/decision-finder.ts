import { Injectable } from '@nestjs/common';
import { type CheckRow, type ScreenedRow } from '../../../projections/screening/screening.queries.js';
import { type TenantId } from '../../kernel/ids.js';
import { type StoredDecision } from '../domain/stored-decision.js';
import { Decisions } from './decisions.js';
import { ScreenedDecisions } from './screened-decisions.js';

export interface OpenedDecision {
  readonly row: CheckRow | ScreenedRow;
  readonly decision: StoredDecision;
}

/** Finds decisions of checks and of screening in the background. */
@Injectable()
export class DecisionFinder {
  constructor(
    private readonly decisions: Decisions,
    private readonly screened: ScreenedDecisions,
  ) {}

  /** The decision with this id, of this tenant or, where it is undefined, of any. Undefined if there is none any more. */
  async find(decisionId: string, tenantId?: TenantId): Promise<OpenedDecision | undefined> {
    const row = await this.decisions.row(decisionId);
    if (row === undefined || (tenantId !== undefined && row.tenantId !== tenantId)) return undefined;
    const decision = row.identityId === null ? await this.decisions.open(row) : await this.screened.open(row);
    return decision && { row, decision };
  }
}
