import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { WebhookQueries } from '../../projections/webhooks/webhooks.queries.js';
import { AuditExport } from '../audit/audit-export.js';
import { ClaimsExport } from '../claims/claims-export.js';
import { CredentialRepository } from '../credentials/credential-repository.js';
import { CredentialsExport } from '../credentials/credentials-export.js';
import { OffersExport } from '../credentials/wallets/offers-export.js';
import { TransactionsExport } from '../credits/transactions-export.js';
import { IdentitiesExport } from '../identity/identities-export.js';
import { systemClock } from '../kernel/clock.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { PostgresSnapshots } from '../log/append/snapshots.js';
import { type Projection } from '../log/project/projection.js';
import { PostgresReadModels } from '../log/project/read-models.js';
import { ExportArchive } from '../reports/content/export-archive.js';
import { inOrder, sectionOf } from '../reports/content/export-sections.js';
import { AssessmentsExport } from '../risk/assessments-export.js';
import { Decisions } from '../screening/decisions/decisions.js';
import { DecisionsExport } from '../screening/decisions/decisions-export.js';
import { EndpointReader } from '../webhooks/endpoint-reader.js';
import { MatchesExport } from '../screening/review/matches-export.js';
import { EndpointRepository } from '../webhooks/endpoint-repository.js';
import { EndpointsExport } from '../webhooks/endpoints-export.js';
import { type AuditCommandContext } from './audit-context.js';
import { type ExportCommandContext } from './export.js';

/** `database` looks up tables in the live schemas of these projections too. */
export const exportContext = (
  { store, database, categories, vault, entries, signal, acts }: AuditCommandContext,
  projections: readonly Projection[],
): ExportCommandContext => {
  const readModels = new PostgresReadModels({ database, store, projections });
  const snapshots = new PostgresSnapshots(database, () => undefined);
  const aggregates = new AggregateStore(categories, store, snapshots, systemClock);
  const endpoints = new WebhookQueries(readModels);
  const decisions = new Decisions(vault, readModels, store);
  const credentials = new CredentialRepository(aggregates, vault);
  const sections = inOrder(
    [
      new IdentitiesExport(vault),
      new CredentialsExport(credentials),
      new OffersExport(credentials),
      new AuditExport(entries),
      new TransactionsExport(),
      new DecisionsExport(decisions, vault),
      new AssessmentsExport(vault, entries, store),
      new MatchesExport(vault),
      new ClaimsExport(store, systemClock),
      new EndpointsExport(new EndpointReader(endpoints, new EndpointRepository(aggregates, vault, endpoints))),
    ].map(sectionOf),
  );
  return {
    archive: new ExportArchive({ all: () => sections }, readModels),
    accounts: new AccountQueries(readModels),
    readModels,
    store,
    signal,
    acts,
  };
};
