import { tenantMetadata } from '../kernel/events.js';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type Clock } from '../kernel/clock.js';
import { invariant } from '../kernel/invariant.js';
import { CLOCK } from '../platform/tokens.js';
import { RetryIngestion } from './commands.js';
import { IngestionRepository } from './ingestion-repository.js';

/** How long the response waits for the status to show the retry, milliseconds. */
const STATUS_BUDGET_MS = 1_000;

@CommandHandler(RetryIngestion)
export class RetryIngestionHandler implements ICommandHandler<RetryIngestion, void> {
  constructor(
    private readonly ledger: IngestionRepository,
    private readonly index: EligibilityQueries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ data }: RetryIngestion): Promise<void> {
    const { requestId, actorId } = data.access;
    const metadata = tenantMetadata({ requestId, actorId });
    const options = { firstEventId: data.retryId };
    const { position } = await this.ledger.execute(data, { kind: 'retry', now: this.clock.now() }, metadata, options);
    invariant(position !== undefined, 'a retry is in the log');
    await this.index.reaches(position, STATUS_BUDGET_MS);
  }
}
