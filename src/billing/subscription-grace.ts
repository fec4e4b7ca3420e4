import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type EndedGrace, endedGraces } from '../../projections/payments/payments.queries.js';
import { type Clock } from '../kernel/clock.js';
import { forEachDue } from '../platform/periodic/for-each-due.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { lapseSubscription } from './account-commands.process.js';

/** Milliseconds. */
const POLL_INTERVAL_MS = 10_000;
const CONCURRENCY = 8;

/** Ends the graces of subscriptions that stayed unpaid. */
@Injectable()
export class SubscriptionGrace {
  constructor(
    private readonly readModels: ReadModels,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ every: POLL_INTERVAL_MS, role: 'jobs', alone: true })
  async endGraces(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const find = (last: EndedGrace | undefined, limit: number) => endedGraces(this.readModels, now, last, limit);
    const lapse = ({ tenantId, subscriptionId }: EndedGrace) =>
      this.commands.execute(lapseSubscription(tenantId, subscriptionId, now));
    await forEachDue(find, lapse, { concurrency: CONCURRENCY, signal });
  }
}
