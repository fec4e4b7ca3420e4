import { aggregatesOf } from '../../test/support/aggregates.js';
import { ManualIndex, LegibleVault, LiveEventStore } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { eventually } from '../../test/support/processes.js';
import { newTenantId, newUuid, type TenantId } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { type SimulationOptions } from '../../test/support/simulated-event-store.js';
import { pino } from 'pino';
import { AccountDirectory } from './account-directory.js';
import { AccountRepository } from './account-repository.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { type Envelope } from '../kernel/envelope.js';
import { type AccountMetadata } from './domain/account-metadata.commands.js';
import { CreateAccount, ReinstateAccount, SuspendAccount } from './domain/account.commands.js';

// No one waits for the end of this budget.
const config = { timing: { storeBudget: 20_000 } } as Config;
const sealed: Envelope = { v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: 'c' };
const running: AccountDirectory[] = [];

/** Two instances of the service on one store: what one appends the other learns by its subscription only. */
const instances = (options: SimulationOptions = {}) => {
  const store = new LiveEventStore(options);
  const clock = new ManualClock();
  const instance = () => {
    const directory = new AccountDirectory(
      store,
      aggregatesOf(store),
      new ApiKeyOwners(new ManualIndex()),
      clock,
      pino({ level: 'silent' }),
      config,
    );
    running.push(directory);
    return {
      directory,
      ledger: new AccountRepository(aggregatesOf(store, clock), new LegibleVault(), directory, {} as never, config),
    };
  };
  const metadata = (): AccountMetadata => ({
    requestId: newUuid(),
    commandId: newUuid(),
    actor: { type: 'system', id: 'test' },
    at: clock.now().toISOString(),
  });
  const here = instance();
  const elsewhere = instance();
  const open = async (): Promise<TenantId> => {
    const tenantId = newTenantId();
    const firstKey = { keyId: 'firstkey', environment: 'sandbox', name: sealed, secretHash: '00' };
    const data = { name: 'Bank', tier: 'starter' as const, environment: 'sandbox', contactEmail: sealed, firstKey };
    await elsewhere.ledger.execute(new CreateAccount<Envelope>(tenantId, data, metadata()));
    return tenantId;
  };
  const suspend = ({ ledger }: typeof here, tenantId: TenantId) =>
    ledger.execute(new SuspendAccount<Envelope>(tenantId, { reason: sealed }, metadata()));
  const reinstate = ({ ledger }: typeof here, tenantId: TenantId) =>
    ledger.execute(new ReinstateAccount<Envelope>(tenantId, { reason: null }, metadata()));
  const start = async () => {
    here.directory.onApplicationBootstrap();
    await eventually('the subscription', () => here.directory.current);
  };
  return { store, clock, here, elsewhere, open, suspend, reinstate, start };
};

const statusAt = async (directory: AccountDirectory, tenantId: TenantId) =>
  (await directory.find(tenantId))?.account.status;

afterEach(async () => {
  await Promise.all(running.splice(0).map((directory) => directory.onApplicationShutdown()));
});

describe('the directory of accounts', () => {
  it('knows what another instance did without reading again', async () => {
    const { store, here, elsewhere, open, suspend, start } = instances();
    await start();
    const tenantId = await open();
    expect(await statusAt(here.directory, tenantId)).toBe('active');
    await suspend(elsewhere, tenantId);
    const { reads } = store;
    await eventually('the delivery', () => here.directory.trusted(tenantId)?.account.status === 'suspended');
    expect(store.reads).toBe(reads);
  });

  it('answers with this instance’s own change at once', async () => {
    const { store, here, open, suspend, reinstate, start } = instances();
    await start();
    const tenantId = await open();
    await statusAt(here.directory, tenantId);
    store.held = true;
    await suspend(here, tenantId);
    expect(await statusAt(here.directory, tenantId)).toBe('suspended');
    await reinstate(here, tenantId);
    expect(await statusAt(here.directory, tenantId)).toBe('active');
  });

  it('says of an account that does not exist that it does not', async () => {
    const { here, start } = instances();
    await start();
    expect(await here.directory.find(newTenantId())).toBeUndefined();
  });

  it('reads again before it trusts while the subscription is down', async () => {
    const { store, clock, here, elsewhere, open, suspend, start } = instances();
    await start();
    const tenantId = await open();
    await statusAt(here.directory, tenantId);
    store.breakSubscriptions(true);
    await eventually('the loss', () => !here.directory.current);
    await suspend(elsewhere, tenantId);
    clock.advance(500);
    expect(here.directory.trusted(tenantId)).toBeUndefined();
    expect(await statusAt(here.directory, tenantId)).toBe('suspended');
  });

  it('resumes where it was cut off, so that nothing in between is missed', async () => {
    const { store, clock, here, elsewhere, open, suspend, start } = instances();
    await start();
    const tenantId = await open();
    await statusAt(here.directory, tenantId);
    store.breakSubscriptions(true);
    await eventually('the loss', () => !here.directory.current);
    await suspend(elsewhere, tenantId);
    store.breakSubscriptions(false);
    await eventually('the return', () => here.directory.current);
    clock.advance(500);
    expect(here.directory.trusted(tenantId)?.account.status).toBe('suspended');
  });

  it('does not trust what it holds after the process was stopped, and subscribes anew', async () => {
    const { store, clock, here, elsewhere, open, suspend, start } = instances();
    await start();
    const tenantId = await open();
    await statusAt(here.directory, tenantId);
    store.held = true;
    await suspend(elsewhere, tenantId);
    clock.advance(60_000);
    expect(here.directory.trusted(tenantId)).toBeUndefined();
    expect(await statusAt(here.directory, tenantId)).toBe('suspended');
    const { subscriptions } = store;
    await eventually('a new subscription', () => store.subscriptions > subscriptions);
  });

  it('does not trust what it holds while the store is unhealthy', async () => {
    const { store, clock, here, open, start } = instances();
    await start();
    const tenantId = await open();
    await statusAt(here.directory, tenantId);
    clock.advance(500);
    expect(here.directory.trusted(tenantId)).toBeDefined();
    store.healthy = false;
    expect(here.directory.trusted(tenantId)).toBeUndefined();
  });

  it('forgets what it read before the beginning of its subscription', async () => {
    const { store, clock, here, elsewhere, open, suspend, start } = instances();
    const tenantId = await open();
    expect(await statusAt(here.directory, tenantId)).toBe('active');
    await suspend(elsewhere, tenantId);
    await start();
    clock.advance(500);
    expect(await statusAt(here.directory, tenantId)).toBe('suspended');
    expect(store.subscriptions).toBe(1);
  });

  it('does not keep an answer that was overtaken by a delivery', async () => {
    const { store, clock, here, elsewhere, open, suspend, start } = instances();
    await start();
    const tenantId = await open();
    let release = (): void => undefined;
    store.answering = new Promise((resolve) => (release = resolve));
    const found = here.directory.find(tenantId);
    await eventually('the answer on its way', () => store.underWay > 0);
    store.answering = Promise.resolve();
    await suspend(elsewhere, tenantId);
    await eventually('the delivery', async () => store.handled === (await store.head()));
    release();
    expect((await found)?.account.status).toBe('suspended');
    clock.advance(500);
    expect(here.directory.trusted(tenantId)?.account.status).toBe('suspended');
  });

  it('loses no change among many at once', async () => {
    let turns = 0;
    const { clock, here, elsewhere, open, suspend, reinstate, start } = instances({
      delay: () => (turns = (turns * 7 + 3) % 11),
    });
    await start();
    for (let round = 0; round < 50; round += 1) {
      const tenantId = await open();
      const [, record] = await Promise.all([suspend(elsewhere, tenantId), here.directory.find(tenantId)]);
      expect(record).toBeDefined();
      await eventually('the change', () => here.directory.trusted(tenantId)?.account.status === 'suspended');
      await Promise.all([reinstate(here, tenantId), here.directory.find(tenantId)]);
      expect(await statusAt(here.directory, tenantId)).toBe('active');
      clock.advance(10);
    }
  });
});
