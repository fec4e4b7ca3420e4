import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { createDatabase } from '../support/postgres.js';
import { bareEnvironment, builtPackage } from '../support/built.js';
import { LogReader } from '../support/checks/log-reader.js';
import { eventStoreNodeOf, treeOf, variableOf } from '../support/faults/process-tree.js';
import { announcedStores } from '@kyc/embedded-runtime/running-stores';
import { passwordFile } from '@kyc/embedded-runtime/event-store-password';
import { readConnectionString } from '@kyc/esdb-client/connection-settings';
import { NodeClient } from '@kyc/esdb-client/node-client';
import { demoCredits, runningService } from '../support/running-service.js';
import { eventually, newDataDir, spawnService, TestProcess } from '../support/stack.js';

const PASSWORD = /^[0-9a-f]{48}\n$/;

const commandLineOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'latin1');

const passwordIn = (dataDir: string): string => readFileSync(passwordFile(dataDir), 'utf8').trim();

const forgeries = (tenantId: string) =>
  ['CreditsPurchased.v1', 'CreditsAdjusted.v1'].map((type) =>
    jsonEvent({
      id: randomUUID(),
      type,
      data: { reference: randomUUID(), amount: 1_000_000, balance: 1_001_000, reason: 'forged' },
      metadata: { tenantId },
    }),
  );

describe('the event store of a running service', () => {
  const service = runningService({ env: { EVENTSTORE_INSECURE: 'true' } });

  const refusesForgeries = async (): Promise<void> => {
    const port = variableOf(eventStoreNodeOf(service.pid), 'EVENTSTORE_PORT');
    const stores = await announcedStores(service.dataDir);
    const log = new LogReader(stores?.eventStoreUrl ?? '');
    const tenantId = service.demo().tenant_id;
    const before = await log.credits(tenantId);
    expect(before).toHaveLength(1);
    for (const user of ['', 'admin:changeit@', `admin:${'0'.repeat(48)}@`]) {
      const url = `esdb://${user}127.0.0.1:${port}?tls=false`;
      for (const forger of [new NodeClient(readConnectionString(url)), EventStoreDBClient.connectionString(url)]) {
        for (const supports of [true, false]) {
          Object.assign(forger, { supports: () => Promise.resolve(supports) });
          const forging = forger.appendToStream(`credits-${tenantId}`, forgeries(tenantId));
          await expect(forging).rejects.toMatchObject({ type: 'access-denied' });
        }
        await forger.dispose();
      }
    }
    expect(await log.credits(tenantId)).toEqual(before);
    expect(await demoCredits(service)).toBe(1_000);
    await log.close();
  };

  it('takes no credits from a local user who lacks its password, whatever the environment says', async () => {
    await refusesForgeries();
  }, 60_000);

  it('has a password that its owner alone can read, in no command line and in no line of the log', () => {
    expect(statSync(passwordFile(service.dataDir)).mode & 0o777).toBe(0o600);
    expect(readFileSync(passwordFile(service.dataDir), 'utf8')).toMatch(PASSWORD);
    const password = passwordIn(service.dataDir);
    for (const pid of treeOf(service.pid)) expect(commandLineOf(pid)).not.toContain(password);
    expect(service.output()).not.toContain(password);
  });

  it('asks for the same one when it is started again by itself, though the file is gone', async () => {
    const dead = eventStoreNodeOf(service.pid);
    const password = passwordIn(service.dataDir);
    rmSync(passwordFile(service.dataDir));
    process.kill(dead, 'SIGKILL');
    await eventually('another node', () => eventStoreNodeOf(service.pid) !== dead);
    await eventually('the service', async () => (await demoCredits(service)) === 1_000, 20_000);
    expect(variableOf(eventStoreNodeOf(service.pid), 'EVENTSTORE_PASSWORD')).toBe(password);
    await refusesForgeries();
  }, 60_000);

  it('is served with a new one after a start without the file', async () => {
    const before = variableOf(eventStoreNodeOf(service.pid), 'EVENTSTORE_PASSWORD');
    await service.stop();
    await service.restart();
    expect(passwordIn(service.dataDir)).not.toBe(before);
    await refusesForgeries();
  }, 120_000);
});

describe('the event store by itself', () => {
  const start = async (dataDir: string, env: Readonly<Record<string, string>>, databaseUrl: string) => {
    const node = new TestProcess(process.execPath, [builtPackage('embedded-runtime', 'event-store.js')], {
      ...bareEnvironment(),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      EVENTSTORE_PORT: '0',
      ...env,
    });
    await eventually('the node', () => {
      if (!node.running) throw new Error(`it ended:\n${node.output}`);
      return /esdb:\/\//.test(node.output) || (env['EVENTSTORE_PASSWORD'] !== undefined && /"ready"/.test(node.output));
    });
    const port = Number(/"port":(\d+)/.exec(node.output)?.[1]);
    return { node, port };
  };

  const appends = async (url: string): Promise<boolean> => {
    const client = new NodeClient(readConnectionString(url));
    try {
      return (await client.appendToStream(`s-${randomUUID()}`, jsonEvent({ type: 'tested', data: {} }))).success;
    } finally {
      await client.close();
    }
  };

  it('says how to connect without showing the password, which stays the same', async () => {
    const dataDir = join(newDataDir(), 'made', 'by it');
    const databaseUrl = await createDatabase();
    const passwords = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const { node, port } = await start(dataDir, {}, databaseUrl);
      const password = passwordIn(dataDir);
      passwords.add(password);
      expect(statSync(passwordFile(dataDir)).mode & 0o777).toBe(0o600);
      expect(node.output).toContain(
        `Connect with "esdb://admin:$(cat '${passwordFile(dataDir)}')@127.0.0.1:${port}?tls=false"`,
      );
      expect(node.output).not.toContain(password);
      expect(await appends(`esdb://admin:${password}@127.0.0.1:${port}?tls=false`)).toBe(true);
      await expect(appends(`esdb://127.0.0.1:${port}?tls=false`)).rejects.toMatchObject({ type: 'access-denied' });
      await node.stop();
    }
    expect(passwords.size).toBe(1);
    rmSync(join(dataDir, '..', '..'), { recursive: true });
  }, 60_000);

  it('takes the password that it is given, and none where it is told so', async () => {
    const dataDir = newDataDir();
    const databaseUrl = await createDatabase();
    const given = await start(dataDir, { EVENTSTORE_PASSWORD: 'a:b@c/ž' }, databaseUrl);
    const user = `admin:${encodeURIComponent('a:b@c/ž')}`;
    expect(await appends(`esdb://${user}@127.0.0.1:${given.port}?tls=false`)).toBe(true);
    await expect(appends(`esdb://127.0.0.1:${given.port}?tls=false`)).rejects.toMatchObject({ type: 'access-denied' });
    await given.node.stop();
    const open = await start(dataDir, { EVENTSTORE_INSECURE: 'true' }, databaseUrl);
    expect(await appends(`esdb://127.0.0.1:${open.port}?tls=false`)).toBe(true);
    await open.node.stop();
    expect(() => statSync(passwordFile(dataDir))).toThrow('ENOENT');
    rmSync(dataDir, { recursive: true });
  }, 60_000);

  it('is refused by a service at once that has another password, which it does not quote', async () => {
    const dataDir = newDataDir();
    const { node, port } = await start(dataDir, {}, await createDatabase());
    const service = spawnService({
      DATA_DIR: dataDir,
      DATABASE_URL: await createDatabase(),
      EVENTSTORE_URL: `esdb://admin:hunter2@127.0.0.1:${port}?tls=false`,
      PORT: '0',
    });
    expect(await service.ended()).toBe(1);
    expect(service.output).toContain(
      `EVENTSTORE_URL: the server at 127.0.0.1:${port} refuses the user or the password`,
    );
    expect(service.output).not.toContain('hunter2');
    await node.stop();
    rmSync(dataDir, { recursive: true });
  }, 60_000);
});
