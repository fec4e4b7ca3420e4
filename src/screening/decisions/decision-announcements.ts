import { Injectable } from '@nestjs/common';
import {
  type CheckRow,
  decisionRow,
  SCREENING,
  type ScreenedRow,
} from '../../../projections/screening/screening.queries.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { ReadModels } from '../../log/project/projection.js';
import { decisionCategory } from '../domain/decision.category.js';
import { type DecisionEvent, decisionStream } from '../domain/decision.events.js';
import { type Decision, type DecisionCommand } from '../domain/decision.js';
import { Decisions } from './decisions.js';

/** Milliseconds in which the row of a charge comes. */
const WAIT_BUDGET_MS = 5_000;

/** Has each check that was not clear announced, once. */
@Injectable()
export class DecisionAnnouncements {
  private readonly log: Aggregates<Decision, DecisionCommand, DecisionEvent>;

  constructor(
    private readonly decisions: Decisions,
    private readonly readModels: ReadModels,
    aggregates: AggregateStore,
  ) {
    this.log = aggregates.of(decisionCategory);
  }

  /** A charge that was reversed or purged has no row: its answer was never disclosed, or is forgotten. */
  async announceCharged(id: string, position: bigint): Promise<void> {
    await this.readModels.reach(SCREENING, position, WAIT_BUDGET_MS);
    const row = await decisionRow(this.readModels, id);
    if (row !== undefined) await this.surelyAnnounce(row);
  }

  /** So that its matches have rows. Those of screening in the background have them. */
  async surelyAnnounce(row: CheckRow | ScreenedRow): Promise<void> {
    if (row.identityId === null) await this.announce(row);
  }

  private async announce(row: CheckRow): Promise<void> {
    const decision = await this.decisions.open(row);
    if (decision === undefined) return;
    const { tenantId, decisionId, requestId, kind } = row;
    const matches = decision.matches.flatMap(({ dismissed, status, list, entryId, score }, matchIndex) => {
      if (status === 'clear') return [];
      return [{ matchIndex, list, entryId, score, status, listVersion: decision.versions[list] ?? '', dismissed }];
    });
    await this.log.execute(
      decisionStream(tenantId, decisionId),
      { kind: 'announce', matched: { decisionId, kind, matches } },
      { metadata: { requestId, causationId: decisionId, actor: { type: 'system', id: 'screening' } } },
    );
  }
}
