import { type CommandBus } from '@nestjs/cqrs';
import { aggregatesOf } from '../../test/support/aggregates.js';
import { settle } from '../../test/support/credit-account.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { CreditRepository } from '../credits/credit-repository.js';
import {
  type CreditCommand,
  DeductCredits,
  PurchaseCredits,
  RefundDeduction,
  type ReturnCredits,
} from '../credits/domain/credits.commands.js';
import { ReturnCreditsHandler } from '../credits/credits.handler.js';
import { type ForgottenReferences } from '../credits/forgotten-references.js';
import { systemClock } from '../kernel/clock.js';
import { type DomainEvent } from '../kernel/decider.js';
import { type StoredEvent } from '../kernel/events.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { documentStream, type DocumentEvent } from './domain/document.events.js';
import { FailedReportReactor } from './failed-report.reactor.js';

const METADATA = { requestId: newUuid(), actor: { type: 'system', id: 'spec' } } as const;
const AT = '2026-11-22T10:00:00.000Z';

const world = async () => {
  const store = new SimulatedEventStore();
  const tenantId = newTenantId();
  const documentId = newUuid();
  const ledger = new CreditRepository(store, aggregatesOf(store), systemClock);
  const run = (command: CreditCommand) => ledger.execute(command, 5_000);
  const bought = { reference: 'p', package: 'small', credits: 20, amountMinor: 1, origin: 'checkout' } as const;
  await run(new PurchaseCredits(tenantId, bought, METADATA));
  const nothing: Pick<ForgottenReferences, 'find'> = { find: () => Promise.resolve(new Map()) };
  const timing: Pick<Config['timing'], 'storeBudget'> = { storeBudget: 5_000 };
  const handler = new ReturnCreditsHandler(ledger, nothing as ForgottenReferences, { timing } as Config);
  const execute = (command: ReturnCredits) => handler.execute(command);
  const reactor = new FailedReportReactor(ledger, { execute } as unknown as CommandBus);
  const failed: DocumentEvent = {
    type: 'DocumentFailed.v1',
    data: { documentId, kind: 'report', reason: 'broken', failedAt: AT },
  };
  return {
    react: () => {
      const stored: Pick<StoredEvent, 'stream' | 'id' | 'metadata'> & DomainEvent = {
        ...failed,
        stream: documentStream(tenantId, documentId),
        id: newUuid(),
        metadata: { $correlationId: newUuid(), actor: METADATA.actor, time: AT, schemaVersion: 1 },
      };
      return reactor.handle(stored as StoredEvent);
    },
    deduct: () =>
      run(
        new DeductCredits(
          tenantId,
          { deductionId: documentId, operation: 'report', amount: 5, requestId: newUuid() },
          METADATA,
        ),
      ),
    settle: () => run(settle(documentId, 5, tenantId)),
    refund: () => run(new RefundDeduction(tenantId, { deductionId: documentId, reason: 'abandoned' }, METADATA)),
    balance: () => ledger.known(tenantId)?.balance,
  };
};

describe('the cost of a report that failed', () => {
  it('comes back once, however often the failure is reacted to', async () => {
    const { deduct, settle, react, balance } = await world();
    await deduct();
    await settle();
    await react();
    await react();
    expect(balance()).toBe(20);
  });

  it('does not come back twice where the deduction was refunded already', async () => {
    const { deduct, refund, react, balance } = await world();
    await deduct();
    await refund();
    await react();
    expect(balance()).toBe(20);
  });

  it('waits for a deduction that is open, as it may yet be refunded', async () => {
    const { deduct, settle, react, balance } = await world();
    await deduct();
    await expect(react()).rejects.toBeInstanceOf(Unavailable);
    expect(balance()).toBe(15);
    await settle();
    await react();
    expect(balance()).toBe(20);
  });
});
