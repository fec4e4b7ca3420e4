import { aggregatesOf } from '../../test/support/aggregates.js';
import { type CommandBus } from '@nestjs/cqrs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { LegibleVault, LiveEventStore, ManualIndex } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { type Config } from '../platform/config/config.js';
import { HmacKeyedHashes } from '../platform/crypto/keyed-hashes.js';
import { AdjustCredits } from '../credits/domain/credits.commands.js';
import { AccountDirectory } from './account-directory.js';
import { AccountRepository } from './account-repository.js';
import { CreateAccountHandler, IssueApiKeyHandler } from './account.handler.js';
import { ApiKeyFactory } from './api-key-factory.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { InviteMember } from './domain/member.commands.js';
import { InviteMemberHandler } from './members/member.handler.js';
import { DEMO_TENANT_ID, DemoAccount } from './demo-account.js';
import { CreateAccount, type IssueApiKey, RevokeApiKey } from './domain/account.commands.js';
import { accountStream } from './domain/account.events.js';
import { parseApiKey } from './domain/api-key.js';
import { DevelopmentIdentityProvider } from './tokens/development-provider.js';

const hashes = new HmacKeyedHashes(Buffer.alloc(32, 7));
const folders: string[] = [];

/** Credits as the ledger grants them: once a reference. `fail` represents a crash in the middle of a start. */
class CountedCredits {
  readonly granted = new Map<string, number>();
  fail = false;

  adjust({ data: { amount, reference } }: AdjustCredits): Promise<void> {
    if (this.fail) return Promise.reject(new Error('crashed'));
    this.granted.set(reference, amount);
    return Promise.resolve();
  }
}

const world = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kyc-demo-'));
  folders.push(dataDir);
  const config = { environment: 'sandbox', dataDir, timing: { storeBudget: 20_000 } } as Config;
  const store = new LiveEventStore();
  const clock = new ManualClock();
  const directory = new AccountDirectory(
    store,
    aggregatesOf(store),
    new ApiKeyOwners(new ManualIndex()),
    clock,
    pino({ level: 'silent' }),
    config,
  );
  const ledger = new AccountRepository(aggregatesOf(store, clock), new LegibleVault(), directory, {} as never, config);
  const credits = new CountedCredits();
  const execute = (command: CreateAccount | IssueApiKey | AdjustCredits | InviteMember) => {
    if (command instanceof InviteMember) return new InviteMemberHandler(ledger).execute(command);
    if (command instanceof AdjustCredits) return credits.adjust(command);
    return command instanceof CreateAccount
      ? new CreateAccountHandler(ledger).execute(command)
      : new IssueApiKeyHandler(ledger).execute(command);
  };
  const bus = { execute } as unknown as CommandBus;
  const provider = await DevelopmentIdentityProvider.open(dataDir, 'tenant_id', clock);
  const demoWith = (...own: DevelopmentIdentityProvider[]) =>
    new DemoAccount(bus, directory, new ApiKeyFactory(hashes, config), hashes, clock, config, ...own);
  const demo = demoWith(provider);
  const file = join(dataDir, 'demo-account.json');
  const types = () => (store.streams.get(accountStream(DEMO_TENANT_ID)) ?? []).map(({ type }) => type);
  const keyIsGood = async (apiKey: string) => {
    const record = await ledger.read(DEMO_TENANT_ID);
    const { keyId = '', secret = '' } = parseApiKey(apiKey) ?? {};
    const key = record.account.keys.get(keyId);
    return key?.revokedAt === null && key.secretHash === hashes.apiKeySecret(secret).toString('hex');
  };
  return { demo, provider, demoWithoutTokens: demoWith(), credits, file, types, keyIsGood, ledger, clock };
};

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

describe('the demo account', () => {
  it('is made once, with 1,000 credits and a file that only its owner reads', async () => {
    const { demo, credits, file, types, keyIsGood } = await world();
    const first = await demo.ensure('http://127.0.0.1:3000');
    expect(await demo.ensure('http://127.0.0.1:3000')).toEqual(first);
    expect(types()).toEqual(['AccountCreated.v1', 'ApiKeyIssued.v1', 'MemberInvited.v1', 'MemberJoined.v1']);
    expect([...credits.granted.values()]).toEqual([1_000]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(first);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await keyIsGood(first.api_key)).toBe(true);
    expect(Object.keys(first)).toEqual([
      'base_url',
      'tenant_id',
      'api_key',
      'console_url',
      'dev_secret',
      'operator_token_command',
      'token_command',
      'token_url',
    ]);
  });

  it('keeps its key while the address moves', async () => {
    const { demo } = await world();
    const { api_key: key } = await demo.ensure('http://127.0.0.1:3000');
    const moved = await demo.ensure('http://127.0.0.1:4000');
    expect(moved).toMatchObject({
      api_key: key,
      base_url: 'http://127.0.0.1:4000',
      token_url: 'http://127.0.0.1:4000/dev/token',
    });
  });

  it.each([
    ['http://localhost:3000', 'http://127.0.0.1:3000'],
    ['http://localhost:8080', 'http://[::1]:3000'],
  ])('known as %s gets its tokens where it listens, at %s, with the secret', async (baseUrl, listening) => {
    const { demo, provider } = await world();
    const file = await demo.ensure(baseUrl, listening);
    expect(file).toMatchObject({ base_url: baseUrl, token_url: `${listening}/dev/token`, dev_secret: provider.secret });
    expect(file.operator_token_command).toContain(`POST ${listening}/dev/token -H 'X-Dev-Secret: ${provider.secret}'`);
    expect(provider.admits(provider.secret)).toBe(true);
    expect(provider.admits(provider.secret.slice(1))).toBe(false);
  });

  it('tells of no tokens where nobody signs any, and keeps its key', async () => {
    const { demo, demoWithoutTokens } = await world();
    const { api_key: key, tenant_id: tenantId } = await demo.ensure('http://127.0.0.1:3000');
    const open = await demoWithoutTokens.ensure('https://kyc.example.org', 'http://0.0.0.0:3000');
    expect(open).toEqual({ base_url: 'https://kyc.example.org', tenant_id: tenantId, api_key: key });
  });

  it('completes what an interrupted start left out', async () => {
    const { demo, credits, types, keyIsGood } = await world();
    credits.fail = true;
    await expect(demo.ensure('http://127.0.0.1:3000')).rejects.toThrow('crashed');
    credits.fail = false;
    expect(await keyIsGood((await demo.ensure('http://127.0.0.1:3000')).api_key)).toBe(true);
    expect(types()).toEqual(['AccountCreated.v1', 'ApiKeyIssued.v1', 'MemberInvited.v1', 'MemberJoined.v1']);
    expect(credits.granted.size).toBe(1);
  });

  it('gets a new key where the file is gone or damaged, or its key was revoked', async () => {
    const { demo, file, keyIsGood, ledger, clock } = await world();
    const keys = [(await demo.ensure('http://127.0.0.1:3000')).api_key];
    await rm(file);
    keys.push((await demo.ensure('http://127.0.0.1:3000')).api_key);
    await writeFile(file, '{"api_key": "kyc_sand');
    keys.push((await demo.ensure('http://127.0.0.1:3000')).api_key);
    const { keyId = '' } = parseApiKey(keys[2] ?? '') ?? {};
    const at = clock.now().toISOString();
    const metadata = { requestId: 'r', commandId: '6ba7b810-9dad-41d1-80b4-00c04fd430c8', at };
    await ledger.execute(
      new RevokeApiKey(DEMO_TENANT_ID, { keyId }, { ...metadata, actor: { type: 'operator', id: 'o' } }),
    );
    keys.push((await demo.ensure('http://127.0.0.1:3000')).api_key);
    expect(new Set(keys).size).toBe(4);
    expect(await keyIsGood(keys[3] ?? '')).toBe(true);
  });
});
