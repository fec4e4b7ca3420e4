import { aggregatesOf } from '../../test/support/aggregates.js';
import { pino } from 'pino';
import { LegibleVault, LiveEventStore, ManualIndex } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { type Fate, type SimulationOptions } from '../../test/support/simulated-event-store.js';
import { type AuditEntry, type AuditTrail } from '../kernel/access.js';
import { type Envelope } from '../kernel/envelope.js';
import { type Recorded } from '../kernel/events.js';
import { newTenantId, newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { AccountDirectory } from './account-directory.js';
import { AccountRepository } from './account-repository.js';
import { applyStored, emptyRecord, placeOf, type SealedText } from './domain/account-record.js';
import { CreateAccountHandler, IssueApiKeyHandler, RotateApiKeyHandler } from './account.handler.js';
import { ApiKeyOwners } from './api-key-owners.js';
import { type AccountMetadata } from './domain/account-metadata.commands.js';
import {
  ChangeAccount,
  CreateAccount,
  IssueApiKey,
  LimitApiKey,
  RevokeApiKey,
  RotateApiKey,
} from './domain/account.commands.js';
import { type AccountEvent, accountStream } from './domain/account.events.js';

const config = { timing: { storeBudget: 1_500 } } as Config;
const metadata = (commandId = newUuid()): AccountMetadata => ({
  requestId: newUuid(),
  commandId,
  actor: { type: 'operator', id: 'o' },
  at: new Date().toISOString(),
});
const keyOf = (keyId: string) => ({ keyId, environment: 'sandbox', name: `name of ${keyId}`, secretHash: keyId });

const sealedName = (n: number): Envelope => ({ v: 1, alg: 'A256GCM', key: 'k', iv: '', ct: `${n}` });

const longWorld = () => {
  const store = new LiveEventStore();
  const clock = new ManualClock();
  const aggregates = aggregatesOf(store, clock);
  const owners = new ApiKeyOwners(new ManualIndex());
  const directory = new AccountDirectory(store, aggregates, owners, clock, pino({ level: 'silent' }), config);
  const ledger = new AccountRepository(aggregates, new LegibleVault(), directory, {} as never, config);
  const create = async () => {
    const tenantId = newTenantId();
    const firstKey = { ...keyOf('first'), name: sealedName(-1) };
    const contactEmail = sealedName(-2);
    const data = { name: 'Acme', environment: 'sandbox', tier: 'starter', contactEmail, firstKey } as const;
    await ledger.execute(new CreateAccount<Envelope>(tenantId, data, metadata()));
    return tenantId;
  };
  return { store, ledger, create };
};

const world = (options: SimulationOptions = {}) => {
  const store = new LiveEventStore(options);
  const clock = new ManualClock();
  const vault = new LegibleVault();
  const owners = new ApiKeyOwners(new ManualIndex());
  const directory = new AccountDirectory(store, aggregatesOf(store), owners, clock, pino({ level: 'silent' }), config);
  const ledgerWith = (audit: AuditTrail) =>
    new AccountRepository(aggregatesOf(store, clock), vault, directory, audit, config);
  const ledger = ledgerWith({} as never);
  const tenantId = newTenantId();
  const create = (by = metadata()) =>
    new CreateAccountHandler(ledger).execute(
      new CreateAccount(
        tenantId,
        { name: 'Bank', tier: 'starter', environment: 'sandbox', contactEmail: 'a@b.org', firstKey: keyOf('first') },
        by,
      ),
    );
  const issue = (keyId: string, by = metadata()) =>
    new IssueApiKeyHandler(ledger).execute(new IssueApiKey(tenantId, { key: keyOf(keyId), grantedBy: null }, by));
  const rotate = (keyId: string, successorId: string) => {
    const data = { keyId, successor: keyOf(successorId), name: null, overlapSeconds: 60, grantedBy: null };
    return new RotateApiKeyHandler(ledger, vault).execute(new RotateApiKey(tenantId, data, metadata()));
  };
  const log = () => store.streams.get(accountStream(tenantId)) ?? [];
  return { vault, owners, tenantId, create, issue, rotate, ledgerWith, log };
};

describe('an account of many changes', () => {
  it('is read about as cheaply as a new one, and is what its events come to, texts included', async () => {
    const { store, ledger, create } = longWorld();
    const tenantId = await create();
    for (let n = 0; n < 200; n += 1) {
      const key = { ...keyOf(`key${n}`), name: sealedName(n) };
      await ledger.execute(new IssueApiKey<Envelope>(tenantId, { key, grantedBy: null }, metadata()));
      await ledger.execute(new RevokeApiKey(tenantId, { keyId: `key${n}` }, metadata()));
    }
    const record = emptyRecord(tenantId);
    for (const event of store.streams.get(accountStream(tenantId)) ?? [])
      applyStored(record, event as Recorded<AccountEvent>);
    store.reads = 0;
    expect(await ledger.read(tenantId)).toEqual(record);
    const change = new ChangeAccount<Envelope>(tenantId, { rateLimitPerMinute: 77 }, metadata());
    expect((await ledger.execute(change)).record.account.rateLimitPerMinute).toBe(77);
    expect(store.reads).toBeLessThan(5);
  });
});

describe('the audit entry of an act', () => {
  it('precedes the act, is left out where nothing changes, and is refuted where another was quicker', async () => {
    const { tenantId, create, issue, ledgerWith, log } = world();
    await create();
    await issue('k');
    const rival = ledgerWith({} as never);
    const recorded: [result: string, events: number][] = [];
    const rivals: (() => Promise<unknown>)[] = [];
    const ledger = ledgerWith({
      record: async ({ result }: AuditEntry) => {
        recorded.push([result, log().length]);
        await rivals.pop()?.();
      },
    } as never);
    const revoke = () => new RevokeApiKey(tenantId, { keyId: 'k' }, metadata());
    const audited = (): AccountMetadata => ({
      ...metadata(),
      entry: { entryId: newUuid(), tenantId, action: 'key_changed', result: 'ok', access: {} as never },
    });
    const limit = (creditCapPerDay: number) =>
      new LimitApiKey(tenantId, { keyId: 'k', creditCapPerDay, grantedBy: 'first' }, audited());
    const before = log().length;
    await ledger.execute(limit(5));
    await ledger.execute(limit(5));
    expect([recorded, log().length]).toEqual([[['ok', before]], before + 1]);
    rivals.push(() => rival.execute(revoke()));
    await expect(ledger.execute(limit(6))).rejects.toThrow();
    expect(recorded.map(([result]) => result)).toEqual(['ok', 'ok', 'refused']);
  });
});

describe('carrying out commands on an account', () => {
  it('loses none of many at once', async () => {
    const { create, issue, log } = world({ delay: () => 1 });
    await create();
    const ids = Array.from({ length: 8 }, (_, index) => `key${index}`);
    await Promise.all(ids.map((keyId) => issue(keyId)));
    expect(
      log()
        .filter(({ type }) => type === 'ApiKeyIssued.v1')
        .map(({ data }) => (data as { keyId: string }).keyId)
        .sort(),
    ).toEqual(['first', ...ids]);
  });

  it('opens one account for one request, also where its first attempt’s acknowledgement was lost', async () => {
    const fates: Fate[] = ['acknowledgement_lost'];
    const { create, log } = world({ fate: () => fates.shift() ?? 'acknowledged' });
    const by = metadata();
    await expect(create(by)).rejects.toThrow(Unavailable);
    const { record } = await create(by);
    expect(record.account.keys.size).toBe(1);
    expect(log().map(({ type }) => type)).toEqual(['AccountCreated.v1', 'ApiKeyIssued.v1']);
  });

  it('stores contact and key names sealed, each for its own place', async () => {
    const { vault, tenantId, create, rotate, log } = world();
    await create();
    const { record } = await rotate('first', 'second');
    const open = (sealed: SealedText | undefined): Promise<unknown> => {
      if (sealed === undefined) return Promise.resolve(undefined);
      return vault.open(placeOf(tenantId, sealed.eventId, sealed.field), sealed.envelope);
    };
    const texts = [record.contactEmail, record.keyNames.get('first'), record.keyNames.get('second')];
    const opened = await Promise.all(texts.map(open));
    expect(opened).toEqual(['a@b.org', 'name of first', 'name of first']);
    expect(log().map(({ type }) => type)).toEqual([
      'AccountCreated.v1',
      'ApiKeyIssued.v1',
      'ApiKeyIssued.v1',
      'ApiKeyRotated.v1',
    ]);
    expect(new Set(log().map(({ id }) => id)).size).toBe(4);
  });

  it('says whose a new key is at once', async () => {
    const { owners, tenantId, create, issue } = world();
    await create();
    await issue('second');
    expect(owners.known('first')).toEqual([tenantId]);
    expect(owners.known('second')).toEqual([tenantId]);
  });
});
