import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { accounts } from '../../projections/accounts/accounts.projection.js';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { AccountStandings } from '../kernel/account-standings.js';
import { AccountTiers } from '../kernel/account-tiers.js';
import { ApiKeyNames } from '../kernel/api-key-names.js';
import { Persons } from '../kernel/persons.js';
import { Spenders } from '../kernel/spenders.js';
import { BillingAccounts } from '../kernel/billing-accounts.js';
import { type Clock } from '../kernel/clock.js';
import { Contacts } from '../kernel/contacts.js';
import { PaymentMethods } from '../kernel/payment-methods.js';
import { SubscriptionReader } from '../kernel/subscriptions.js';
import { type Config } from '../platform/config/config.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { OperatorTrail } from '../http/operator-trail.js';
import { Authenticator } from '../http/request-context.js';
import { ReadModels } from '../log/project/projection.js';
import { AnnouncementsModule } from '../contract/announcements/announcements.module.js';
import { ProjectionsModule } from '../log/project/projections.module.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { AccountBilling, AccountSubscriptions, StoredPaymentMethods } from './account-billing.js';
import { accountAnnouncer } from './account.announcer.js';
import { AccountAuthenticator } from './account-authenticator.js';
import { AccountDirectory } from './account-directory.js';
import { AccountRepository } from './account-repository.js';
import { AccountList } from './account-list.js';
import { AccountReader } from './account-reader.js';
import { ACCOUNT_HANDLERS } from './account.handler.js';
import { ApiKeyFactory } from './api-key-factory.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { ApiKeyUsage } from './api-key-usage.js';
import { DemoAccount } from './demo-account.js';
import { DirectoryKeyNames } from './directory-key-names.js';
import { AccountProposals } from './account-proposals.js';
import { AuditModule } from '../audit/audit.module.js';
import { OperatorProposals } from '../kernel/operator-proposals.js';
import { DirectorySpenders } from './directory-spenders.js';
import { DirectoryPersons } from './directory-persons.js';
import { DirectoryTiers } from './directory-tiers.js';
import { AccountPresenter } from './http/account-presenter.js';
import { AdminAccountKeysController } from './http/admin-account-keys.controller.js';
import { AdminAccountsController } from './http/admin-accounts.controller.js';
import { ApiKeyService } from './http/api-key.service.js';
import { AccountController } from './http/account.controller.js';
import { ApiKeysController } from './http/api-keys.controller.js';
import { OperatorLogController } from './http/operator-log.controller.js';
import { ConsoleOidcController } from './http/console-oidc.controller.js';
import { ConsoleSessionController } from './http/console-session.controller.js';
import { MailModule } from '../platform/mail/mail.module.js';
import { Invitations } from './members/invitations.js';
import { MemberArrivals } from './members/member-arrivals.js';
import { MemberReactor } from './members/member.reactor.js';
import { MemberDesk } from './http/member-desk.js';
import { MembersController } from './http/members.controller.js';
import { ViewsController } from './http/views.controller.js';
import { SavedViews } from './members/saved-views.js';
import { AdminProposalsController } from './http/admin-proposals.controller.js';
import { AdminMembersController } from './http/admin-members.controller.js';
import { ConsoleMembersController } from './http/console-members.controller.js';
import { Passkeys } from './sessions/passkeys.js';
import { ConsoleSessions } from './sessions/console-sessions.js';
import { OidcSignIn } from './sessions/oidc-sign-in.js';
import { OperatorAudit } from './operator-audit.js';
import { OperatorLogPurge } from './operator-log-purge.js';
import { OperatorLog } from './operator-log.js';
import { DevelopmentIdentityProvider } from './tokens/development-provider.js';
import { RemoteKeySet } from './tokens/key-set.js';
import { TokenVerifier } from './tokens/token-verifier.js';

/** Verifies tokens of the deployment's OIDC provider. Without a provider, every token is refused. */
const externalProvider = ({ identityProvider, scopeClaim }: Config, clock: Clock, logger: Logger): TokenVerifier => {
  if (identityProvider === undefined) return new TokenVerifier(undefined, clock);
  const { issuer, audience, jwksUrl } = identityProvider;
  const onFault = (error: unknown): void =>
    logger.warn(
      { url: jwksUrl, error: describeError(error) },
      'the key set of the identity provider could not be fetched',
    );
  const keys = new RemoteKeySet(jwksUrl, clock, onFault);
  void keys.load();
  return new TokenVerifier({ issuer, audience, keys: (header, token) => keys.find(header, token), scopeClaim }, clock);
};

const TOKENS = [
  {
    provide: DevelopmentIdentityProvider,
    inject: [CONFIG, CLOCK],
    // This provider signs its own tokens, so it serves only a sandbox on one machine.
    useFactory: ({ developmentProvider, dataDir, tenantClaim }: Config, clock: Clock) =>
      developmentProvider ? DevelopmentIdentityProvider.open(dataDir, tenantClaim, clock) : undefined,
  },
  {
    provide: TokenVerifier,
    inject: [CONFIG, CLOCK, LOGGER, DevelopmentIdentityProvider],
    useFactory: (config: Config, clock: Clock, logger: Logger, development: DevelopmentIdentityProvider | undefined) =>
      development === undefined
        ? externalProvider(config, clock, logger)
        : new TokenVerifier(development.trusted, clock),
  },
];

/** Tenants, their API keys, the operators' endpoints and authentication. */
@Module({
  imports: [
    AuditModule,
    CqrsModule,
    MailModule,
    AnnouncementsModule.forFeature(accountAnnouncer),
    ProjectionsModule.forFeature({ projections: [accounts] }),
  ],
  controllers: [
    AccountController,
    ApiKeysController,
    AdminAccountsController,
    AdminAccountKeysController,
    OperatorLogController,
    ConsoleSessionController,
    ConsoleMembersController,
    MembersController,
    ViewsController,
    AdminMembersController,
    AdminProposalsController,
    ConsoleOidcController,
  ],
  providers: [
    ...ACCOUNT_HANDLERS,
    ...TOKENS,
    AccountDirectory,
    AccountRepository,
    AccountList,
    AccountPresenter,
    AccountReader,
    ApiKeyService,
    ApiKeyFactory,
    ApiKeyOwners,
    ApiKeyUsage,
    ConsoleSessions,
    Passkeys,
    Invitations,
    MemberDesk,
    SavedViews,
    MemberArrivals,
    MemberReactor,
    OidcSignIn,
    DemoAccount,
    OperatorLog,
    OperatorLogPurge,
    { provide: OperatorTrail, useClass: OperatorAudit },
    { provide: Authenticator, useClass: AccountAuthenticator },
    {
      provide: AccountQueries,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new AccountQueries(readModels),
    },
    {
      provide: EligibilityQueries,
      inject: [ReadModels],
      useFactory: (readModels: ReadModels) => new EligibilityQueries(readModels),
    },
    {
      provide: Contacts,
      inject: [AccountReader, Invitations],
      useFactory: (reader: AccountReader, invitations: Invitations): Contacts => ({
        recipientOf: async (tenantId, memberId) => {
          const record = await reader.require(tenantId);
          const sealed = memberId === undefined ? record.contactEmail : record.people.get(memberId)?.email;
          const address = await reader.open(record, sealed);
          const link = memberId === undefined ? '' : invitations.linkOf(record, memberId);
          return address === null || link === null ? null : { address, link };
        },
      }),
    },
    { provide: AccountTiers, useClass: DirectoryTiers },
    { provide: ApiKeyNames, useClass: DirectoryKeyNames },
    { provide: Persons, useClass: DirectoryPersons },
    { provide: Spenders, useClass: DirectorySpenders },
    { provide: OperatorProposals, useClass: AccountProposals },
    {
      provide: AccountStandings,
      inject: [AccountDirectory],
      useFactory: (directory: AccountDirectory): AccountStandings => ({
        of: async (tenantId) => {
          const account = (await directory.find(tenantId))?.account;
          if (account === undefined || account.status === 'absent') return undefined;
          return { name: account.name, suspended: account.status === 'suspended', isNamed: account.isNamed };
        },
      }),
    },
    { provide: BillingAccounts, useClass: AccountBilling },
    { provide: PaymentMethods, useClass: StoredPaymentMethods },
    { provide: SubscriptionReader, useClass: AccountSubscriptions },
  ],
  exports: [
    AccountStandings,
    AccountTiers,
    ApiKeyNames,
    Persons,
    Spenders,
    OperatorProposals,
    BillingAccounts,
    PaymentMethods,
    SubscriptionReader,
    DevelopmentIdentityProvider,
  ],
})
export class AccountsModule {}
