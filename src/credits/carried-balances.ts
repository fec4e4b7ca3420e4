import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { tenantsToCarryForward } from '../../projections/ledger/ledger.queries.js';
import { type Clock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { paginate } from '../kernel/paginate.js';
import { utcMonth } from '../kernel/retention.js';
import { ReadModels } from '../log/project/projection.js';
import { PurgeStep, type PurgeRound, type Purges } from '../contract/purging/purge-step.js';
import { CLOCK } from '../platform/tokens.js';
import { CarryBalanceForward } from './domain/credits.commands.js';

const startOfMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

/** Carries each account forward once per UTC month, so that its stream can later be truncated there. */
@Injectable()
@PurgeStep({ name: 'carried_balances', categories: [] })
export class CarriedBalances implements Purges {
  constructor(
    private readonly commands: CommandBus,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async purge({ attempts }: PurgeRound): Promise<void> {
    const now = this.clock.now();
    const carried = { period: utcMonth(now), time: now.toISOString() };
    const metadata = { requestId: newUuid(), actor: { type: 'system', id: 'retention' } } as const;
    const find = (last: TenantId | undefined, limit: number) =>
      tenantsToCarryForward(this.readModels, startOfMonth(now), { after: last ?? '', limit });
    for await (const tenants of paginate(find)) {
      for (const tenantId of tenants)
        await attempts.make(() => this.commands.execute(new CarryBalanceForward(tenantId, carried, metadata)));
    }
  }
}
