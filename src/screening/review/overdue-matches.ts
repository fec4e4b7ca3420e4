import { Inject, Injectable } from '@nestjs/common';
import { type MatchRow, overdueMatches } from '../../../projections/screening/screening.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { newUuid } from '../../kernel/ids.js';
import { describeError, LOGGER, type Logger } from '../../observability/logging.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { CLOCK } from '../../platform/tokens.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { ReadModels } from '../../log/project/projection.js';
import { decisionCategory } from '../domain/decision.category.js';
import { type DecisionEvent, decisionStream } from '../domain/decision.events.js';
import { type Decision, type DecisionCommand } from '../domain/decision.js';

const LOOK_EVERY_MS = 10_000;
const MAX_A_LOOK = 200;

/** Says once of each match that it waits longer than its account lets one wait. */
@Injectable()
export class OverdueMatches {
  private readonly log: Aggregates<Decision, DecisionCommand, DecisionEvent>;

  constructor(
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    aggregates: AggregateStore,
  ) {
    this.log = aggregates.of(decisionCategory);
  }

  /** A match that cannot be written is left for the next look, and keeps no other. */
  @Periodic({ every: LOOK_EVERY_MS, role: 'jobs', alone: true })
  async look(signal: AbortSignal): Promise<void> {
    for (const match of await overdueMatches(this.readModels, this.clock.now(), MAX_A_LOOK)) {
      if (signal.aborted) return;
      try {
        await this.note(match);
      } catch (error) {
        const { tenantId, decisionId } = match;
        this.logger.warn({ tenantId, decisionId, error: describeError(error) }, 'an overdue match could not be noted');
      }
    }
  }

  private async note({ tenantId, decisionId, index: matchIndex, list, entryId, foundAt, dueAt }: MatchRow) {
    const times = { foundAt: foundAt.toISOString(), dueAt: (dueAt ?? foundAt).toISOString() };
    const overdue = { decisionId, matchIndex, list, entryId, ...times };
    const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'reviews' } } as const;
    await this.log.execute(decisionStream(tenantId, decisionId), { kind: 'overdue', overdue }, { metadata });
  }
}
