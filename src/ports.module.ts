import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { AccountQueries } from '../projections/accounts/accounts.queries.js';
import { openDeductions } from '../projections/ledger/ledger.queries.js';
import { EligibilityQueries } from '../projections/eligibility/eligibility.queries.js';
import { AccountDirectory } from './accounts/account-directory.js';
import { AccountIndex } from './accounts/account-index.port.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { StarterCredits } from './accounts/starter-credits.port.js';
import { CreditedAccounts, OpenDeductions } from './credits/credits.port.js';
import { AdjustCredits } from './credits/domain/credits.commands.js';
import { AttestationIndex, IngestionIndex } from './identity/identity.port.js';
import { newUuid } from './kernel/ids.js';
import { type Config } from './platform/config/config.js';
import { ReadModels } from './platform/projections/projection.js';

/** What one slice needs of another, bound here and nowhere else. */
const PORTS = [
  {
    provide: CreditedAccounts,
    inject: [AccountDirectory],
    useFactory: (directory: AccountDirectory): CreditedAccounts => ({
      tierOf: async (tenantId) => (await directory.find(tenantId))?.account.tier,
    }),
  },
  {
    provide: StarterCredits,
    inject: [CommandBus],
    useFactory: (commands: CommandBus): StarterCredits => ({
      grant: async (tenantId, credits, reference) => {
        const cause = { requestId: newUuid(), actor: { type: 'system', id: 'starter-credits' } } as const;
        await commands.execute(new AdjustCredits(tenantId, { reference, amount: credits, reason: null }, cause));
      },
    }),
  },
  {
    provide: AccountIndex,
    inject: [ReadModels],
    useFactory: (readModels: ReadModels): AccountIndex => new AccountQueries(readModels),
  },
  {
    provide: OpenDeductions,
    inject: [ReadModels],
    useFactory: (readModels: ReadModels): OpenDeductions => ({ find: (limit) => openDeductions(readModels, limit) }),
  },
  {
    provide: EligibilityQueries,
    inject: [ReadModels],
    useFactory: (readModels: ReadModels) => new EligibilityQueries(readModels),
  },
  { provide: AttestationIndex, useExisting: EligibilityQueries },
  { provide: IngestionIndex, useExisting: EligibilityQueries },
];

@Global()
@Module({})
export class PortsModule {
  static forDeployment(config: Config): DynamicModule {
    return {
      module: PortsModule,
      imports: [CqrsModule, AccountsModule.forDeployment(config)],
      providers: PORTS,
      exports: PORTS.map(({ provide }) => provide),
    };
  }
}
