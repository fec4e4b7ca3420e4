import { type Envelope } from '../../src/kernel/envelope.js';
import { aggregatesOf } from '../support/aggregates.js';
import { jest } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { AccountQueries } from '../../projections/accounts/accounts.queries.js';
import { projections } from '../../src/projections.js';
import { AccountAuthenticator } from '../../src/accounts/account-authenticator.js';
import { AccountDirectory } from '../../src/accounts/account-directory.js';
import { AccountRepository } from '../../src/accounts/account-repository.js';
import { AccountList } from '../../src/accounts/account-list.js';
import { AccountReader } from '../../src/accounts/account-reader.js';
import { CreateAccountHandler, SuspendAccountHandler } from '../../src/accounts/account.handler.js';
import { ApiKeyFactory } from '../../src/accounts/api-key-factory.js';
import { ApiKeyOwners } from '../../src/accounts/api-key-owners.js';
import { ApiKeyUsage } from '../../src/accounts/api-key-usage.js';
import { type AccountMetadata } from '../../src/accounts/domain/account-metadata.commands.js';
import {
  CreateAccount,
  RevokeApiKey,
  ChangeAccount,
  SuspendAccount,
} from '../../src/accounts/domain/account.commands.js';
import { ConsoleSessions } from '../../src/accounts/sessions/console-sessions.js';
import { TokenVerifier } from '../../src/accounts/tokens/token-verifier.js';
import { systemClock } from '../../src/kernel/clock.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { isRejection } from '../../src/kernel/rejection.js';
import { type Config } from '../../src/platform/config/config.js';
import { openVault } from '../../src/platform/crypto/open-vault.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { Database } from '../../src/platform/postgres/database.js';
import { PostgresReadModels, readModelSearchPath } from '../../src/log/project/read-models.js';
import { prepareReadModels, ProjectionRunner } from '../../src/log/project/runner.js';
import { Wire } from '../support/faults/wire.js';
import { createServiceDatabase, type EventStoreNode, eventually, sleep, startEventStore } from '../support/stack.js';

jest.setTimeout(60_000);

const log = pino({ level: 'silent' });
const PROMISED_MS = 1_000;
const metadata = (): AccountMetadata => ({
  requestId: newUuid(),
  commandId: newUuid(),
  actor: { type: 'operator', id: 'o' },
  at: new Date().toISOString(),
});

let node: EventStoreNode;
let databaseUrl: string;
let config: Config;
const closers: (() => Promise<void> | void)[] = [];

/** One instance of the service as far as accounts go: its own connections, memory and subscription. */
const startInstance = async (connectionString = node.connectionString) => {
  const store = new GrpcEventStore({ connectionString, budgetMs: 1_500 });
  const searchPath = `public,${readModelSearchPath(projections)}`;
  const database = new Database({ connectionString: databaseUrl, searchPath });
  const { vault, hashes, close } = await openVault(config, database, systemClock);
  await prepareReadModels(databaseUrl, projections);
  const runner = new ProjectionRunner({ projections, store, database: databaseUrl, log });
  await runner.start();
  const index = new AccountQueries(new PostgresReadModels({ database, store, projections, board: runner.board }));
  const owners = new ApiKeyOwners(index);
  const directory = new AccountDirectory(store, aggregatesOf(store), owners, systemClock, log, config);
  const usage = new ApiKeyUsage(database, log);
  directory.onApplicationBootstrap();
  closers.push(async () => {
    await directory.onApplicationShutdown();
    await usage.onApplicationShutdown();
    await runner.stop();
    close();
    await store.close();
    await database.close();
  });
  await eventually('the subscription to accounts', () => directory.current);
  const ledger = new AccountRepository(aggregatesOf(store), vault, directory, {} as never, config);
  const tokens = new TokenVerifier(undefined, systemClock);
  const sessions = new ConsoleSessions(database, systemClock);
  const authenticator = new AccountAuthenticator(
    directory,
    owners,
    usage,
    hashes,
    tokens,
    sessions,
    systemClock,
    config,
  );
  const apiKeys = new ApiKeyFactory(hashes, config);
  const list = new AccountList(index, directory);
  return {
    ledger,
    authenticator,
    apiKeys,
    usage,
    list,
    database,
    directory,
    reader: new AccountReader(directory, vault),
  };
};

type Instance = Awaited<ReturnType<typeof startInstance>>;

const openAccount = async ({ ledger, apiKeys }: Instance) => {
  const tenantId = newTenantId();
  const { apiKey, ...firstKey } = apiKeys.create(newUuid());
  const data = { name: 'Bank', tier: 'starter' as const, environment: 'sandbox', contactEmail: 'ops@bank.example' };
  const command = new CreateAccount(tenantId, { ...data, firstKey: { ...firstKey, name: 'Key of Ada' } }, metadata());
  await new CreateAccountHandler(ledger).execute(command);
  return { tenantId, apiKey, keyId: firstKey.keyId };
};

const refusalOf = async ({ authenticator }: Instance, apiKey: string): Promise<string> =>
  authenticator
    .byApiKey(apiKey, () => Promise.resolve())
    .then(
      () => 'none',
      (error: unknown) => {
        if (!isRejection(error)) throw error;
        return error.code;
      },
    );

beforeAll(async () => {
  node = await startEventStore();
  databaseUrl = await createServiceDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'kyc-accounts-'));
  const keys = { file: undefined, inline: undefined };
  config = {
    environment: 'sandbox',
    dataDir,
    keys,
    tenantClaim: 'tenant_id',
    timing: { storeBudget: 1_500 },
  } as Config;
  closers.push(() => rm(dataDir, { recursive: true, force: true }));
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await node.stop();
});

describe('accounts on two instances', () => {
  let here: Instance;
  let there: Instance;

  beforeAll(async () => {
    here = await startInstance();
    there = await startInstance();
  });

  it('knows a new key on the answering instance at once and on the other within a second', async () => {
    const { tenantId, apiKey } = await openAccount(here);
    expect((await here.authenticator.byApiKey(apiKey, () => Promise.resolve())).tenantId).toBe(tenantId);
    const known = async () => (await refusalOf(there, apiKey)) === 'none';
    expect(await eventually('the key elsewhere', known, PROMISED_MS)).toBe(true);
  });

  it('refuses a revoked key here at once and on the other instance within a second, while both are using it', async () => {
    const { tenantId, apiKey, keyId } = await openAccount(here);
    await eventually('the key elsewhere', async () => (await refusalOf(there, apiKey)) === 'none');
    await here.ledger.execute(new RevokeApiKey(tenantId, { keyId }, metadata()));
    expect(await refusalOf(here, apiKey)).toBe('expired_api_key');
    const refused = async () => (await refusalOf(there, apiKey)) === 'expired_api_key';
    expect(await eventually('the refusal elsewhere', refused, PROMISED_MS)).toBe(true);
  });

  it('refuses a suspended account’s key on the other instance within a second', async () => {
    const { tenantId, apiKey } = await openAccount(here);
    await eventually('the key elsewhere', async () => (await refusalOf(there, apiKey)) === 'none');
    const suspend = new SuspendAccount(tenantId, { reason: 'Ada did not pay' }, metadata());
    await new SuspendAccountHandler(here.ledger).execute(suspend);
    const refused = async () => (await refusalOf(there, apiKey)) === 'account_disabled';
    expect(await eventually('the refusal elsewhere', refused, PROMISED_MS)).toBe(true);
  });

  it('lists what it has just opened, newest first', async () => {
    const first = await openAccount(here);
    const second = await openAccount(here);
    const { records, total } = await here.list.page(2, 0, undefined);
    expect(records.map(({ tenantId }) => tenantId)).toEqual([second.tenantId, first.tenantId]);
    expect(total).toBeGreaterThanOrEqual(2);
  });

  it('finds an account by a part of its name, of a new name too, or by its id', async () => {
    const { tenantId } = await openAccount(here);
    const other = await openAccount(here);
    const name = 'Sparkasse 100%_Süd';
    const renamed = await here.ledger.execute(new ChangeAccount<Envelope>(tenantId, { name }, metadata()));
    expect(renamed.record.account.name).toBe(name);
    const found = async (search: string) => {
      const { records, total } = await here.list.page(10, 0, search);
      expect(total).toBe(records.length);
      return records.map((record) => record.tenantId);
    };
    expect(await found('SPARKASSE 100%_S')).toEqual([tenantId]);
    expect(await found(other.tenantId)).toEqual([other.tenantId]);
    expect(await found('Sparkasse %')).toEqual([]);
  });

  it('opens contact and names for a reader on the other instance', async () => {
    const { tenantId, keyId } = await openAccount(here);
    const record = await there.reader.require(tenantId);
    expect(await there.reader.open(record, record.contactEmail)).toBe('ops@bank.example');
    expect(await there.reader.open(record, record.keyNames.get(keyId))).toBe('Key of Ada');
  });

  it('keeps the latest use of a key, whichever instance saw it', async () => {
    const { tenantId, apiKey, keyId } = await openAccount(here);
    const use = async (instance: typeof here, address: string | null): Promise<void> =>
      instance.authenticator.noteUse(await instance.authenticator.byApiKey(apiKey, () => Promise.resolve()), address);
    const lastUse = async () => (await here.usage.of(tenantId)).get(keyId);
    await use(here, '198.51.100.7');
    const first = await lastUse();
    expect(first?.from).toBe('198.51.100.0/24');
    await eventually('the key elsewhere', async () => (await refusalOf(there, apiKey)) === 'none');
    await use(there, '2001:db8:7:8::9');
    await there.usage.flush();
    const latest = await lastUse();
    expect(latest?.from).toBe('2001:db8:7::/48');
    here.usage.note({ tenantId, keyId, usedAt: first?.at.getTime() ?? 0, address: null });
    expect(await lastUse()).toEqual(latest);
  });
});

describe('an instance that starts later', () => {
  it('knows the keys that were issued before it', async () => {
    const before = await startInstance();
    const { tenantId, apiKey } = await openAccount(before);
    const after = await startInstance();
    expect((await after.authenticator.byApiKey(apiKey, () => Promise.resolve())).tenantId).toBe(tenantId);
  });
});

describe('an instance that is cut off from the event store', () => {
  it('lets no revoked key in for longer than a second', async () => {
    const { port } = new URL(node.connectionString);
    const wire = await Wire.to(Number(port));
    const here = await startInstance();
    const there = await startInstance(node.connectionString.replace(`:${port}`, `:${wire.port}`));
    const letsIn = async (apiKey: string): Promise<boolean> =>
      there.authenticator.recognise(apiKey) !== undefined ||
      (await there.authenticator
        .byApiKey(apiKey, () => Promise.resolve())
        .then(
          () => true,
          () => false,
        ));
    for (let round = 0; round < 5; round += 1) {
      const { tenantId, apiKey, keyId } = await openAccount(here);
      await eventually('the key there', () => letsIn(apiKey), 10_000);
      await sleep(round * 120);
      wire.cut();
      await here.ledger.execute(new RevokeApiKey(tenantId, { keyId }, metadata()));
      // What the machine withholds of this process' time, in which both instances run, is nobody's fault.
      const withheld = monitorEventLoopDelay({ resolution: 10 });
      withheld.enable();
      const revoked = performance.now();
      let lastLetIn = revoked;
      while (performance.now() - revoked < 2_000) {
        const sentAt = performance.now();
        if (await letsIn(apiKey)) lastLetIn = sentAt;
        await sleep(10);
      }
      expect(lastLetIn - revoked).toBeLessThan(PROMISED_MS + withheld.max / 1e6);
      wire.mend();
      await eventually('the subscription', () => there.directory.current, 10_000);
      expect(await letsIn(apiKey)).toBe(false);
    }
    closers.push(() => wire.stop());
  });
});

describe('an event store that stops answering', () => {
  it('is not trusted by memory: what was known is read again once it is back', async () => {
    const here = await startInstance();
    const there = await startInstance();
    const { tenantId, apiKey, keyId } = await openAccount(here);
    await eventually('the key elsewhere', async () => (await refusalOf(there, apiKey)) === 'none');
    node.pause();
    await eventually('distrust', () => there.directory.trusted(tenantId) === undefined, 10_000);
    node.resume();
    await eventually(
      'the revocation',
      async () => {
        await here.ledger.execute(new RevokeApiKey(tenantId, { keyId }, metadata()));
        return true;
      },
      10_000,
    );
    const refused = async () => (await refusalOf(there, apiKey)) === 'expired_api_key';
    expect(await eventually('the refusal elsewhere', refused, PROMISED_MS)).toBe(true);
  });
});
