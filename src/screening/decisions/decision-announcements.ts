import { Injectable } from '@nestjs/common';
import {
  type CheckRow,
  decisionsToAnnounce,
  type ScreenedRow,
} from '../../../projections/screening/screening.queries.js';
import { AggregateStore } from '../../platform/eventstore/aggregate-store.js';
import { type Aggregates } from '../../platform/eventstore/aggregates.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { ReadModels } from '../../platform/projections/projection.js';
import { RowCursors } from '../../platform/projections/row-cursors.js';
import { decisionCategory } from '../domain/decision.category.js';
import { type DecisionEvent, decisionStream } from '../domain/decision.events.js';
import { type Decision, type DecisionCommand } from '../domain/decision.js';
import { Decisions } from './decisions.js';

const EVERY_SECOND = 1_000;

/** Has each sanctions check that was not clear announced, once. */
@Injectable()
export class DecisionAnnouncements {
  private readonly log: Aggregates<Decision, DecisionCommand, DecisionEvent>;

  constructor(
    private readonly decisions: Decisions,
    private readonly readModels: ReadModels,
    private readonly cursors: RowCursors,
    aggregates: AggregateStore,
  ) {
    this.log = aggregates.of(decisionCategory);
  }

  @Periodic({ every: EVERY_SECOND, role: 'jobs', alone: true })
  announceNew(stopping?: AbortSignal): Promise<void> {
    return this.cursors.follow(
      {
        name: 'decision-announcements',
        find: (after, limit) => decisionsToAnnounce(this.readModels, after, limit),
        eventOf: ({ decisionId }) => decisionId,
        handle: (row) => this.announce(row),
      },
      stopping,
    );
  }

  /** So that its matches have rows. Those of screening in the background have them. */
  async surelyAnnounce(row: CheckRow | ScreenedRow): Promise<void> {
    if (row.identityId === null && row.kind === 'sanctions') await this.announce(row);
  }

  private async announce(row: CheckRow): Promise<void> {
    const decision = await this.decisions.open(row);
    if (decision === undefined) return;
    const { tenantId, decisionId, requestId } = row;
    const matches = decision.matches.flatMap(({ dismissed, status, list, entryId, score }, matchIndex) => {
      if (status === 'clear') return [];
      return [{ matchIndex, list, entryId, score, status, listVersion: decision.versions[list] ?? '', dismissed }];
    });
    await this.log.execute(
      decisionStream(tenantId, decisionId),
      { kind: 'announce', matched: { decisionId, matches } },
      { metadata: { requestId, causationId: decisionId, actor: { type: 'system', id: 'screening' } } },
    );
  }
}
