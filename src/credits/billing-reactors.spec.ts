import { type CommandBus } from '@nestjs/cqrs';
import { aggregatesOf } from '../../test/support/aggregates.js';
import { metadata } from '../../test/support/credit-account.js';
import { SimulatedEventStore } from '../../test/support/simulated-event-store.js';
import { systemClock } from '../kernel/clock.js';
import { type StoredEvent } from '../kernel/events.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { type Mailer, type Notice } from '../kernel/mail.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { AccountChangesReactor } from './account-changes.reactor.js';
import { billingAnnouncer } from './billing.announcer.js';
import { BillingNoticesReactor } from './billing-notices.reactor.js';
import { CreditRepository } from './credit-repository.js';
import { type CreditCommand } from './domain/credits.commands.js';
import { creditsStream } from './domain/credits.events.js';

const tenantId = newTenantId();

const stored = (stream: string, revision: number, type: string, data: object): StoredEvent => ({
  id: newUuid(),
  type,
  data,
  metadata: { $correlationId: 'r', actor: metadata.actor, time: '2026-11-22T00:00:00.000Z', schemaVersion: 1 },
  stream,
  revision: BigInt(revision),
  position: BigInt(revision),
  created: new Date(0),
});

describe('what an account tells its credit account', () => {
  const store = new SimulatedEventStore();
  const ledger = new CreditRepository(store, aggregatesOf(store), systemClock);
  const commands: Pick<CommandBus, 'execute'> = {
    execute: (command: object) => ledger.execute(command as CreditCommand, 5_000) as never,
  };
  const reactor = new AccountChangesReactor(commands as CommandBus, {} as never, {} as never);
  const account = (revision: number, type: string, data: object) => stored(`account-${tenantId}`, revision, type, data);

  it('is taken over once, and an older word changes nothing', async () => {
    const changed = account(3, 'AlertThresholdsChanged.v1', { percentages: [50], changedAt: '' });
    const suspended = account(4, 'AccountSuspended.v1', { reason: null, suspendedAt: '' });
    for (const event of [changed, suspended, changed, suspended]) await reactor.handle(event);
    await reactor.handle(account(2, 'AlertThresholdsChanged.v1', { percentages: [20, 5, 0], changedAt: '' }));
    expect(ledger.known(tenantId)).toMatchObject({ alerts: { percentages: [50] }, recharge: { suspended: true } });
    expect(store.streams.get(creditsStream(tenantId))).toHaveLength(2);
    await reactor.handle(account(5, 'AccountReinstated.v1', { reason: null, reinstatedAt: '' }));
    expect(ledger.known(tenantId)?.recharge.suspended).toBe(false);
  });
});

describe('an approved adjustment', () => {
  const approved = stored(`account-${tenantId}`, 6, 'OperatorActApproved.v1', {
    proposalId: 'p',
    act: { kind: 'adjust_credits', amount: -9 },
    approvedBy: 'b',
    approvedAt: '',
  });
  const reacting = (refusal: Error, failed: string[]): Promise<void> =>
    new AccountChangesReactor(
      {} as never,
      { carryOut: () => Promise.reject(refusal) } as never,
      { failed: (_tenantId: string, proposalId: string) => Promise.resolve(void failed.push(proposalId)) } as never,
    ).handle(approved);

  it('is recorded as failed where the balance would leave its limits, and tried again after any other error', async () => {
    const failed: string[] = [];
    await reacting(refuse('adjustment_below_zero'), failed);
    await reacting(refuse('balance_limit_exceeded'), failed);
    expect(failed).toEqual(['p', 'p']);
    await expect(reacting(new Unavailable('postgres'), failed)).rejects.toBeInstanceOf(Unavailable);
    expect(failed).toHaveLength(2);
  });
});

const low = stored(creditsStream(tenantId), 7, 'LowBalanceReached.v1', {
  ...{ currentBalance: 40, percentage: 5, threshold: 50, severity: 'critical' },
});

describe('what a credit account says to the outside', () => {
  it('is mailed under one id, however often the event comes', async () => {
    const notices: Notice[] = [];
    const mailer: Mailer = { notify: (notice) => Promise.resolve(void notices.push(notice)) };
    const reactor = new BillingNoticesReactor(mailer);
    await reactor.handle(low);
    await reactor.handle(low);
    expect(new Set(notices.map(({ id }) => id)).size).toBe(1);
    expect(notices[0]).toMatchObject({ tenantId, subject: '40 credits left' });
  });
  it('is announced as the contract says', () => {
    const off = stored(creditsStream(tenantId), 9, 'AutoRechargeSwitchedOff.v1', { reason: 'failures' });
    const failed = (failures: number, enabled: boolean) =>
      stored(creditsStream(tenantId), 8, 'AutoRechargeFailed.v1', {
        ...{ purchaseId: 'p', reason: 'declined', failures, enabled },
      });
    const announced = [failed(1, true), failed(2, false), failed(3, false)].flatMap((event) =>
      billingAnnouncer.announce(event),
    );
    expect(announced.map(({ data }) => data)).toMatchObject(
      [true, false, false].map((enabled) => ({ purchase_id: 'p', reason: 'declined', enabled })),
    );
    expect([low, off].flatMap((event) => billingAnnouncer.announce(event))).toEqual([
      { type: 'billing.low_balance', data: { current_balance: 40, threshold: 50, severity: 'critical' } },
      {
        type: 'billing.auto_recharge_failed',
        data: { purchase_id: null, reason: 'failures', failures: null, enabled: false },
      },
    ]);
  });
});
