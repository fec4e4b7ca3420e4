import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { ACCOUNTS, AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { BILLING } from '../../projections/ledger/billing.queries.js';
import { ACCOUNT_HANDLERS } from '../accounts/account.handler.js';
import { AccountDirectory } from '../accounts/account-directory.js';
import { AccountList } from '../accounts/account-list.js';
import { AccountReader } from '../accounts/account-reader.js';
import { AccountRepository } from '../accounts/account-repository.js';
import { ApiKeyFactory } from '../accounts/api-key-factory.js';
import { ApiKeyOwners } from '../accounts/api-key-owners.js';
import { ApiKeyUsage } from '../accounts/api-key-usage.js';
import { DirectoryTiers } from '../accounts/directory-tiers.js';
import { AccountPresenter } from '../accounts/http/account-presenter.js';
import { AdminAccountKeysController } from '../accounts/http/admin-account-keys.controller.js';
import { AdminAccountsController } from '../accounts/http/admin-accounts.controller.js';
import { ApiKeyService } from '../accounts/http/api-key.service.js';
import { type OperatorContext } from '../accounts/http/command-metadata.js';
import { ProposeOperatorActHandler } from '../accounts/operator-act.handler.js';
import { MemberDesk } from '../accounts/http/member-desk.js';
import { Invitations } from '../accounts/members/invitations.js';
import { OperatorAudit } from '../accounts/operator-audit.js';
import { BillingReader } from '../credits/billing-reader.js';
import { CreditAdjustments } from '../credits/credit-adjustments.js';
import { CreditRepository } from '../credits/credit-repository.js';
import { CREDIT_HANDLERS } from '../credits/credits.handler.js';
import { ForgottenReferences } from '../credits/forgotten-references.js';
import { AdjustmentsController } from '../credits/http/adjustments.controller.js';
import { AccountProposals } from '../accounts/account-proposals.js';
import { OperatorProposals } from '../kernel/operator-proposals.js';
import { AuditTrail } from '../kernel/access.js';
import { LoggedAuditTrail } from '../audit/logged-audit-trail.js';
import { WritePositions } from '../log/append/write-positions.js';
import { AccountTiers } from '../kernel/account-tiers.js';
import { type CategoryRegistry } from '../kernel/category-registry.js';
import { systemClock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes, Vault } from '../platform/crypto/vault.js';
import { guardDeployment } from '../boot/stores/deployment-guard.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { PostgresSnapshots } from '../log/append/snapshots.js';
import { toFailure } from '../http/failure.js';
import { createLogger, LOGGER } from '../observability/logging.js';
import { type OpenAct, type OperatorOutcome } from '../http/operator-trail.js';
import { Database } from '../platform/postgres/database.js';
import { type Projection, ReadModels } from '../log/project/projection.js';
import { PostgresReadModels } from '../log/project/read-models.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { RefuseProposalHandler } from './one-operator.js';
import { openKeys, type OpenKeys } from './open-keys.js';
import { type Attribution, loginName } from './operator.js';

/** What an operator is about to do. */
export interface OperatorAct {
  /** As the operators' log shows it, for example `npm run accounts -- suspend`. */
  readonly action: string;
  readonly tenantId: TenantId | null;
  /** Who does it, and why. The log keeps both sealed, beside a keyed hash of the name. */
  readonly by: Attribution;
  readonly target: Readonly<Record<string, string>>;
  /** Shows what only the role admin sees over HTTP. */
  readonly reveal: boolean;
}

/** The parts that answer operators over HTTP, on the deployment's stores. */
export interface AccountsCommandContext {
  readonly accounts: AdminAccountsController;
  readonly keys: AdminAccountKeysController;
  readonly credits: AdjustmentsController;
  readonly adjustments: CreditAdjustments;
  /** Does the work of an act. It is recorded in the operators' log before, and what became of it after. */
  readonly perform: <Answer>(act: OperatorAct, work: (begun: OperatorContext) => Promise<Answer>) => Promise<Answer>;
  /** Whether the rows that lists and balances come from have reached the end of the log. */
  readonly isCurrent: () => Promise<boolean>;
}

export interface AccountsStores {
  readonly config: Config;
  readonly store: EventStore;
  /** Its search path leads to the live read models. */
  readonly database: Database;
  readonly categories: CategoryRegistry;
  readonly projections: readonly Projection[];
}

/** How long the rows have to reach the end of the log, milliseconds. */
const WAIT_BUDGET_MS = 2_000;

@Module({})
class AccountsDesk {}

/** The handlers and controllers of the service, without what it does by itself: no reactors, jobs or periodic work. */
const deskOf = ({ config, store, database, categories, projections }: AccountsStores, { hashes, vault }: OpenKeys) => ({
  module: AccountsDesk,
  imports: [CqrsModule.forRoot()],
  controllers: [AdminAccountsController, AdminAccountKeysController, AdjustmentsController],
  providers: [
    ...ACCOUNT_HANDLERS.filter((handler) => handler !== ProposeOperatorActHandler),
    RefuseProposalHandler,
    ...CREDIT_HANDLERS,
    AccountDirectory,
    AccountList,
    AccountPresenter,
    AccountReader,
    AccountRepository,
    ApiKeyFactory,
    ApiKeyOwners,
    ApiKeyService,
    ApiKeyUsage,
    BillingReader,
    CreditAdjustments,
    CreditRepository,
    ForgottenReferences,
    Invitations,
    MemberDesk,
    WritePositions,
    OperatorAudit,
    { provide: AuditTrail, useClass: LoggedAuditTrail },
    { provide: AccountTiers, useClass: DirectoryTiers },
    { provide: OperatorProposals, useClass: AccountProposals },
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
      provide: AggregateStore,
      useFactory: () =>
        new AggregateStore(categories, store, new PostgresSnapshots(database, () => undefined), systemClock),
    },
    { provide: ReadModels, useFactory: () => new PostgresReadModels({ database, store, projections }) },
    { provide: EventStore, useValue: store },
    { provide: Database, useValue: database },
    { provide: Vault, useValue: vault },
    { provide: KeyedHashes, useValue: hashes },
    { provide: LOGGER, useFactory: () => createLogger('silent') },
    { provide: CLOCK, useValue: systemClock },
    { provide: CONFIG, useValue: config },
  ],
});

const contextOf = (requestId: string, subject: string, subjectHash: string, reveal: boolean): OperatorContext => ({
  principal: { kind: 'operator', subject, subjectHash, roles: new Set([reveal ? 'admin' : 'support']) },
  requestId,
  actorId: subjectHash,
  ipAddress: '',
  userAgent: 'command line',
  startedAt: systemClock.monotonic(),
  changes: [],
});

/** What cannot be written stays unknown there: the command has done its work. */
const concluding =
  (audit: OperatorAudit, act: OpenAct, { changes = [] }: OperatorContext) =>
  (outcome: OperatorOutcome, code: string | null): Promise<void> =>
    audit
      .conclude(act, { outcome, status: null, code, changes })
      .catch(
        () =>
          void process.stderr.write(
            'What became of this is missing in the operators’ log, which could not be written.\n',
          ),
      );

const performing =
  (audit: OperatorAudit, hashes: KeyedHashes): AccountsCommandContext['perform'] =>
  async ({ action, tenantId, by, target, reveal }, work) => {
    const { operator = loginName(), justification = null } = by;
    const [requestId, operatorHash] = [newUuid(), hashes.actor(operator)];
    const operatorAction = { operatorHash, operator, roles: [], requestId, action, tenantId, target, justification };
    const act = await audit.record(operatorAction);
    const begun = contextOf(requestId, operator, operatorHash, reveal);
    const conclude = concluding(audit, act, begun);
    try {
      const answer = await work(begun);
      await conclude('done', null);
      return answer;
    } catch (error) {
      const { status, code } = toFailure(error);
      await conclude(status >= 500 ? 'unknown' : 'refused', code);
      throw error;
    }
  };

/** Throws KeyMaterialError where the keys are not those of the data, and StartupError where the stores are another deployment's. */
export const withAccountsDesk = async <Result>(
  stores: AccountsStores,
  work: (context: AccountsCommandContext) => Promise<Result>,
): Promise<Result> => {
  const keys = await openKeys(stores);
  const { config, store, database, categories } = stores;
  const snapshots = new PostgresSnapshots(database, () => undefined);
  const aggregates = new AggregateStore(categories, store, snapshots, systemClock);
  await guardDeployment({ store, aggregates, database }, config.environment);
  const desk = await NestFactory.createApplicationContext(deskOf(stores, keys), { logger: false, abortOnError: false });
  try {
    const readModels = desk.get(ReadModels);
    return await work({
      accounts: desk.get(AdminAccountsController),
      keys: desk.get(AdminAccountKeysController),
      credits: desk.get(AdjustmentsController),
      adjustments: desk.get(CreditAdjustments),
      perform: performing(desk.get(OperatorAudit), keys.hashes),
      isCurrent: async () => {
        const head = await stores.store.head();
        if (head === undefined) return true;
        const waits = [ACCOUNTS, BILLING].map((projection) => readModels.waitFor(projection, head, WAIT_BUDGET_MS));
        return (await Promise.all(waits)).every((reached) => reached);
      },
    });
  } finally {
    await desk.close();
  }
};
