import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { type Clock } from '../kernel/clock.js';
import { type Config } from '../platform/config/config.js';
import { describeError, LOGGER, type Logger } from '../platform/http/logging.js';
import { OperatorTrail } from '../platform/http/operator-trail.js';
import { Authenticator } from '../platform/http/request-context.js';
import { CLOCK } from '../platform/tokens.js';
import { AccountAuthenticator } from './account-authenticator.js';
import { AccountDirectory } from './account-directory.js';
import { AccountRepository } from './account-repository.js';
import { AccountList } from './account-list.js';
import { AccountReader } from './account-reader.js';
import { ACCOUNT_HANDLERS } from './account.handler.js';
import { ApiKeyMint } from './api-key-mint.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { DemoAccount } from './demo-account.js';
import { AccountPresenter } from './http/account-presenter.js';
import { AdminAccountKeysController } from './http/admin-account-keys.controller.js';
import { AdminAccountsController } from './http/admin-accounts.controller.js';
import { ApiKeyDesk } from './http/api-key-desk.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { DevelopmentProviderController } from './http/development-provider.controller.js';
import { OperatorLogController } from './http/operator-log.controller.js';
import { OperatorAudit } from './operator-audit.js';
import { OperatorLog } from './operator-log.js';
import { DevelopmentIdentityProvider } from './tokens/development-provider.js';
import { RemoteKeySet } from './tokens/key-set.js';
import { TokenVerifier } from './tokens/token-verifier.js';

const CONTROLLERS = [ApiKeysController, AdminAccountsController, AdminAccountKeysController, OperatorLogController];

const PROVIDERS = [
  ...ACCOUNT_HANDLERS,
  AccountDirectory,
  AccountRepository,
  AccountList,
  AccountPresenter,
  AccountReader,
  ApiKeyDesk,
  ApiKeyMint,
  ApiKeyOwners,
  ApiKeyUsage,
  DemoAccount,
  OperatorLog,
  { provide: OperatorTrail, useClass: OperatorAudit },
  { provide: Authenticator, useClass: AccountAuthenticator },
];

/** The deployment's OIDC provider; where it has none, no token is good. */
const externalProvider = ({ identityProvider }: Config) => ({
  provide: TokenVerifier,
  inject: [CLOCK, LOGGER],
  useFactory: (clock: Clock, logger: Logger): TokenVerifier => {
    if (identityProvider === undefined) return new TokenVerifier(undefined, clock);
    const { issuer, audience, jwksUrl } = identityProvider;
    const onFault = (error: unknown): void =>
      logger.warn({ error: describeError(error) }, 'the key set of the identity provider could not be fetched');
    const keys = new RemoteKeySet(jwksUrl, clock, onFault);
    return new TokenVerifier({ issuer, audience, keys: (header, token) => keys.find(header, token) }, clock);
  },
});

/** Signs its own tokens: for a sandbox of one machine only. */
const developmentProvider = ({ dataDir, tenantClaim }: Config) => [
  {
    provide: DevelopmentIdentityProvider,
    inject: [CLOCK],
    useFactory: (clock: Clock) => DevelopmentIdentityProvider.open(dataDir, tenantClaim, clock),
  },
  {
    provide: TokenVerifier,
    inject: [DevelopmentIdentityProvider, CLOCK],
    useFactory: (provider: DevelopmentIdentityProvider, clock: Clock) => new TokenVerifier(provider.trusted, clock),
  },
];

/** Tenants, their API keys, operators' work on them, and who calls. Needs from outside: StarterCredits, AccountIndex. */
@Module({})
export class AccountsModule {
  static forDeployment(config: Config): DynamicModule {
    const { developmentProvider: development } = config;
    return {
      module: AccountsModule,
      imports: [CqrsModule],
      controllers: development ? [...CONTROLLERS, DevelopmentProviderController] : CONTROLLERS,
      providers: [...PROVIDERS, ...(development ? developmentProvider(config) : [externalProvider(config)])],
      exports: [Authenticator, OperatorTrail, AccountDirectory, AccountReader, ApiKeyUsage, DemoAccount],
    };
  }
}
