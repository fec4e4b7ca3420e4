import { type CommandBus } from '@nestjs/cqrs';
import { OperatorLogPurge } from '../../src/accounts/operator-log-purge.js';
import { AuditLogPurge } from '../../src/audit/audit-log-purge.js';
import { SecurityLogPurge } from '../../src/audit/security-log-purge.js';
import { PaymentsPurge } from '../../src/billing/payments-purge.js';
import { ClaimsPurge } from '../../src/claims/claims-purge.js';
import { CredentialsPurge } from '../../src/credentials/credentials-purge.js';
import { BillingRecordsPurge } from '../../src/credits/billing-records-purge.js';
import { CarriedBalances } from '../../src/credits/carried-balances.js';
import { IngestionsPurge } from '../../src/identity/ingestions-purge.js';
import { type Clock } from '../../src/kernel/clock.js';
import { type EventStore } from '../../src/platform/eventstore/event-store.js';
import { type ReadModels } from '../../src/log/project/projection.js';
import { PurgeSteps } from '../../src/contract/purging/purge-steps.js';
import { DocumentsPurge } from '../../src/reports/documents-purge.js';

interface Parts {
  readonly store: EventStore;
  readonly readModels: ReadModels;
  readonly commands: CommandBus;
  readonly clock: Clock;
}

/** The steps of every slice, as discovery finds them in the service. */
export const purgeStepsOf = ({ store, readModels, commands, clock }: Parts): PurgeSteps => {
  const steps = [
    new AuditLogPurge(store, readModels),
    new BillingRecordsPurge(readModels),
    new CarriedBalances(commands, readModels, clock),
    new ClaimsPurge(store, readModels),
    new CredentialsPurge(store, readModels, clock),
    new DocumentsPurge(store, readModels),
    new IngestionsPurge(store, readModels, clock),
    new OperatorLogPurge(store),
    new PaymentsPurge(store, readModels),
    new SecurityLogPurge(store),
  ];
  return new PurgeSteps(() => steps);
};
