import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { endedGraces } from '../../projections/payments/payments.queries.js';
import { type Clock } from '../kernel/clock.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { lapseSubscription } from './account-commands.process.js';

/** Milliseconds. */
const LOOK_EVERY = 10_000;
const AT_ONCE = 100;

/** Ends the graces of subscriptions that stayed unpaid. */
@Injectable()
export class SubscriptionGrace {
  constructor(
    private readonly readModels: ReadModels,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ every: LOOK_EVERY, role: 'jobs', alone: true })
  async endGraces(): Promise<void> {
    const now = this.clock.now();
    for (const { tenantId, subscriptionId } of await endedGraces(this.readModels, now, AT_ONCE)) {
      await this.commands.execute(lapseSubscription(tenantId, subscriptionId, now));
    }
  }
}
