import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { type ReadModels } from '../../src/log/project/projection.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { ApplyRetention, RestoreIdentity } from '../../src/identity/commands.js';
import { ApplyRetentionHandler } from '../../src/identity/apply-retention.handler.js';
import { GRACE_PERIOD } from '../../src/identity/domain/identity.js';
import { identityStream } from '../../src/identity/domain/identity.events.js';
import { ErasureCertificates } from '../../src/identity/erasure-certificates.js';
import { IdentityEraser, surelyForgottenWithin } from '../../src/identity/identity-eraser.js';
import { RestoreIdentityHandler } from '../../src/identity/identity.handler.js';
import { newUuid } from '../../src/kernel/ids.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { DataKeyShredder } from '../../src/platform/crypto/data-key-shredder.js';
import { openVault, type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { type PostgresVault } from '../../src/platform/crypto/postgres-vault.js';
import { SigningKeys } from '../../src/platform/crypto/signing-keys.js';
import { ERASED, type Envelope, type Place } from '../../src/platform/crypto/vault.js';
import { decrypt } from '../../src/platform/crypto/cipher.js';
import { type StoredEvent, tenantOfStream } from '../../src/kernel/events.js';
import { ErasureSteps } from '../../src/contract/erasure/erasure-steps.js';
import { Database } from '../../src/platform/postgres/database.js';
import { ManualClock } from '../support/manual-clock.js';
import { erasureStepsOf } from '../support/erasure-steps.js';
import { IdentityWorld, NOTICES, person, supplied } from '../support/identity-world.js';
import { createServiceDatabase } from '../support/stack.js';
import { type Config } from '../../src/platform/config/config.js';

/** The time that keys live in memory, and the slack between two instances' clocks. */
const FORGOTTEN = surelyForgottenWithin();

class PromptIndex extends EligibilityQueries {
  constructor() {
    super({} as ReadModels);
  }

  override assertCurrent(): Promise<void> {
    return Promise.resolve();
  }

  behind = false;
  override find(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  override reaches(): Promise<boolean> {
    return Promise.resolve(!this.behind);
  }
}

const ACCESS = { requestId: newUuid(), ipAddress: '192.0.2.1', userAgent: 'spec', actorId: 'key-1', startedAt: 0 };

interface Placed {
  readonly place: Place;
  readonly envelope: Envelope;
}

const isEnvelope = (value: unknown): value is Envelope => typeof value === 'object' && value !== null && 'alg' in value;

/** Every envelope of these events with the places that it may stand at. */
const envelopesIn = (events: readonly StoredEvent[]): Placed[] =>
  events.flatMap(({ stream, id: eventId, data }) => {
    const tenantId = tenantOfStream(stream);
    const { personal, records = [] } = data as {
      personal?: unknown;
      records?: { recordIndex: number; personal: unknown }[];
    };
    const found = [
      { field: 'personal', envelope: personal },
      ...records.map((record) => ({ field: `records.${record.recordIndex}.personal`, envelope: record.personal })),
    ];
    return found.flatMap(({ field, envelope }) =>
      isEnvelope(envelope) ? [{ place: { tenantId, stream, eventId, field }, envelope }] : [],
    );
  });

const opensUnder = (key: Buffer, { tenantId, stream, eventId, field }: Place, envelope: Envelope): boolean => {
  try {
    const sealed = { nonce: Buffer.from(envelope.iv, 'base64url'), ciphertext: Buffer.from(envelope.ct, 'base64url') };
    decrypt(key, ['v1', tenantId, stream, eventId, field].join('\0'), sealed);
    return true;
  } catch {
    return false;
  }
};

describe('a hard delete over a real Postgres', () => {
  let folder: string;
  let database: Database;
  let opened: OpenVault;
  let world: IdentityWorld<PostgresVault>;
  let index: PromptIndex;
  let signing: SigningKeys;
  let certificates: ErasureCertificates;
  let handler: ApplyRetentionHandler;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'erasure-'));
    database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
    const clock = { now: () => world.clock.now(), monotonic: () => world.clock.monotonic() };
    opened = await openVault({ keys: { file: undefined, inline: undefined }, dataDir: folder }, database, clock);
    world = new IdentityWorld({}, { vault: opened.vault, hashes: opened.hashes });
    index = new PromptIndex();
    signing = new SigningKeys(database, opened.ring);
    const config = { publicUrl: 'https://kyc.example.org', environment: 'sandbox' } as Config;
    certificates = new ErasureCertificates(signing, world.identities, config);
    const shredder = new DataKeyShredder(database);
    const eraser = new IdentityEraser(
      world.identities,
      shredder,
      erasureStepsOf(database),
      index,
      certificates,
      world.audit,
      world.clock,
    );
    handler = new ApplyRetentionHandler(world.identities, shredder, eraser, world.clock, NOTICES);
  }, 60_000);

  afterEach(async () => {
    opened.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  const age = (change: ApplyRetention['data']['change']): Promise<void> =>
    handler.execute(new ApplyRetention({ tenantId: world.tenantId, identityId: world.identityId(), change }));
  const softDelete = () => world.command((identityId) => ({ kind: 'delete', identityId, now: world.clock.now() }));
  const restore = () => world.command((identityId) => ({ kind: 'restore', identityId, now: world.clock.now() }));
  const eraseWholly = async (): Promise<void> => {
    await softDelete();
    world.clock.advance(GRACE_PERIOD);
    await age('decide_erasure');
    await age('erase');
    world.clock.advance(FORGOTTEN);
    await age('erase');
  };
  const phase = async (): Promise<string> => (await world.identity()).phase;

  it('makes every copy in the log unreadable, with all remaining keys in hand', async () => {
    await world.ingest(supplied());
    const failed = await world.accept([supplied({ personal: { ...person(), full_name: 'never processed' } })]);
    expect(await world.record()).toMatchObject({ full_name: 'maria' });
    await eraseWholly();
    expect(await phase()).toBe('erased');
    expect(await world.record()).toBe(ERASED);
    await world.process(failed.ingestionId);
    expect(await world.ingestion(failed.ingestionId)).toMatchObject({ errors: [{ code: 'KEY_DESTROYED' }] });
    const keys = await database.query('SELECT 1 FROM data_keys WHERE subject = $1', [world.identityId()]);
    expect(keys).toEqual([]);
  });

  it('leaves nothing that opens: no envelope in the log, by no key that is left, and no plaintext in Postgres', async () => {
    await world.ingest(supplied());
    await world.ingest(supplied({ personal: { ...person(), full_name: 'Maria Renamed' } }));
    await world.ingest(supplied({ personal: person('neighbour') }));
    const envelopes = envelopesIn([...world.store.streams.values()].flat());
    expect(envelopes.length).toBe(6);
    await eraseWholly();
    const rows = await database.query<{
      id: string;
      tenantId: string;
      subject: string;
      version: number;
      wrapped: Buffer;
    }>(`SELECT id::text, tenant_id AS "tenantId", subject, encryption_key_version AS version, wrapped FROM data_keys`);
    const keys = rows.map((row) => opened.ring.unwrap(row, row));
    const openings = envelopes.map(({ place, envelope }) => keys.some((key) => opensUnder(key, place, envelope)));
    // The neighbour's two envelopes, in ingestion and identity, are all that can be read.
    expect(openings.filter(Boolean)).toHaveLength(2);
    const tables = await database.query<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const [dump] = await database.query<{ text: string | null }>(
        `SELECT string_agg(t::text, ' ') AS text FROM ${name} t`,
      );
      expect(dump?.text ?? '').not.toMatch(/maria|2025550123/i);
    }
  });

  it('issues a certificate that verifies with the published key and names no one', async () => {
    await world.ingest(supplied());
    await eraseWholly();
    const erased = await certificates.latest(world.tenantId, world.identityId());
    const { payload, protectedHeader } = await jwtVerify(
      erased?.certificate ?? '',
      createLocalJWKSet(await signing.published()),
      { issuer: 'https://kyc.example.org', currentDate: world.clock.now() },
    );
    expect(protectedHeader.alg).toBe('EdDSA');
    expect(payload).toMatchObject({
      sub: world.identityId(),
      identity_hash: opened.hashes.identityHash(person().email, person().phone_number),
      erased_at: world.clock.now().toISOString(),
      destroyed: [
        { kind: 'data_keys', count: 1 },
        { kind: 'stored_answers', count: 0 },
      ],
    });
    expect(JSON.stringify(payload)).not.toMatch(/maria|2025550123/);
  });

  it('waits before its end until no instance can hold the key in memory, however its clock goes, and until the index has let go', async () => {
    await world.ingest(supplied());
    await softDelete();
    world.clock.advance(GRACE_PERIOD);
    await age('decide_erasure');
    await age('erase');
    world.clock.advance(FORGOTTEN - 1);
    await age('erase');
    expect(await phase()).toBe('erasing');
    index.behind = true;
    world.clock.advance(1);
    await age('erase');
    expect(await phase()).toBe('erasing');
    index.behind = false;
    await age('erase');
    expect(await phase()).toBe('erased');
  });

  it('destroys the data key with the decision, however long the rest has to wait', async () => {
    await world.ingest(supplied());
    await softDelete();
    world.clock.advance(GRACE_PERIOD);
    await age('decide_erasure');
    expect(await phase()).toBe('erasing');
    const keys = await database.query('SELECT 1 FROM data_keys WHERE subject = $1', [world.identityId()]);
    expect(keys).toEqual([]);
  });

  it('is carried out once, however often it is tried', async () => {
    await world.ingest(supplied());
    await eraseWholly();
    await Promise.all([age('erase'), age('erase'), age('decide_erasure')]);
    const types = world.store.streams.get(identityStream(world.tenantId, world.identityId()))?.map(({ type }) => type);
    expect(types?.filter((type) => type.startsWith('IdentityEras'))).toEqual([
      'IdentityErasureDecided.v1',
      'IdentityErased.v1',
    ]);
    const entries = [...world.audit.entries.values()].filter(({ action }) => action === 'identity_erased');
    expect(entries).toHaveLength(1);
  });

  it.each(['destroying the key', "a slice's step", 'the audit entry', 'the certificate'])(
    'survives a crash at %s',
    async (step) => {
      await world.ingest(supplied());
      await softDelete();
      world.clock.advance(GRACE_PERIOD);
      const { dataKeyIds: presentKeyIds } = await world.identity();
      await world.command((identityId) => ({
        kind: 'decide_erasure',
        identityId,
        now: world.clock.now(),
        inactiveSince: '2000-01-01T00:00:00.000Z',
        presentKeyIds,
      }));
      const broken = Promise.reject(new Unavailable('postgres'));
      broken.catch(() => undefined);
      const shredder = new DataKeyShredder(database);
      const dead = {
        shredder:
          step === 'destroying the key'
            ? Object.assign(new DataKeyShredder(database), { destroy: () => broken })
            : shredder,
        steps:
          step === "a slice's step"
            ? new ErasureSteps(() => [{ kind: 'broken', step: { erase: () => broken } }])
            : erasureStepsOf(database),
        audit:
          step === 'the audit entry'
            ? Object.assign(Object.create(world.audit) as typeof world.audit, { record: () => broken })
            : world.audit,
        certificates:
          step === 'the certificate'
            ? Object.assign(Object.create(certificates) as ErasureCertificates, { issue: () => broken })
            : certificates,
      };
      const crashing = new IdentityEraser(
        world.identities,
        dead.shredder,
        dead.steps,
        index,
        dead.certificates,
        dead.audit,
        world.clock,
      );
      const target = { tenantId: world.tenantId, identityId: world.identityId() };
      await crashing.erase(target).catch(() => undefined);
      world.clock.advance(FORGOTTEN);
      await expect(crashing.erase(target)).rejects.toThrow(Unavailable);
      expect(await phase()).toBe('erasing');
      await expect(restore()).rejects.toMatchObject({ code: 'not_found' });
      await age('erase');
      world.clock.advance(FORGOTTEN);
      await age('erase');
      expect(await phase()).toBe('erased');
      expect(await world.record()).toBe(ERASED);
    },
  );

  it('loses against a restore that came first, and wins against one that came after', async () => {
    await world.ingest(supplied());
    await softDelete();
    world.clock.advance(GRACE_PERIOD - 1);
    await restore();
    await age('decide_erasure');
    expect(await phase()).toBe('active');
    await softDelete();
    world.clock.advance(GRACE_PERIOD);
    await age('decide_erasure');
    await expect(restore()).rejects.toMatchObject({ code: 'not_found' });
    expect(await phase()).toBe('erasing');
  });

  it.each(['restoration', 'erasure'])(
    'races a restore by a clock that is behind: the %s that is first wins alone',
    async (winner) => {
      await world.ingest(supplied());
      await softDelete();
      world.clock.advance(GRACE_PERIOD + 1_000);
      const behind = new ManualClock(world.clock.now().getTime() - 10_000);
      const restoring = new RestoreIdentityHandler(world.identities, world.audit, index, behind);
      const holds = {
        restoration: world.store.hold('IdentityRestored.v1'),
        erasure: world.store.hold('IdentityErasureDecided.v1'),
      };
      const request = { tenantId: world.tenantId, identityId: world.identityId(), changeId: newUuid(), access: ACCESS };
      const racing = {
        restoration: restoring.execute(new RestoreIdentity(request)),
        erasure: age('decide_erasure'),
      };
      const outcomes = Promise.allSettled([racing.restoration, racing.erasure]);
      // Each has read the stream and decided by its own clock before the other has written.
      await Promise.all([holds.restoration.reached, holds.erasure.reached]);
      const [first, second] =
        winner === 'restoration' ? (['restoration', 'erasure'] as const) : (['erasure', 'restoration'] as const);
      holds[first].release();
      await racing[first];
      holds[second].release();
      const [restored] = await outcomes;
      const types = world.store.streams
        .get(identityStream(world.tenantId, world.identityId()))
        ?.map(({ type }) => type);
      const keys = await database.query('SELECT 1 FROM data_keys WHERE subject = $1', [world.identityId()]);
      const destroyed = await database.query('SELECT 1 FROM destroyed_data_keys');
      if (winner === 'restoration') {
        expect([restored.status, types?.at(-1), keys.length, destroyed.length]).toEqual([
          'fulfilled',
          'IdentityRestored.v1',
          1,
          0,
        ]);
        expect(await world.record()).toMatchObject({ full_name: 'maria' });
      } else {
        expect(restored).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
        expect([types?.at(-1), keys.length, destroyed.length]).toEqual(['IdentityErasureDecided.v1', 0, 1]);
      }
      expect(
        types?.filter((type) => type === 'IdentityRestored.v1' || type === 'IdentityErasureDecided.v1'),
      ).toHaveLength(1);
    },
  );

  it('is followed by a new life under the same id with a new key', async () => {
    await world.ingest(supplied());
    const [before] = (await world.identity()).dataKeyIds;
    await eraseWholly();
    expect(await world.ingest(supplied({ personal: { ...person(), full_name: 'again' } }))).toMatchObject({
      status: 'completed',
      identityId: world.identityId(),
    });
    expect(await world.record()).toMatchObject({ full_name: 'again' });
    expect((await world.identity()).dataKeyIds).not.toContain(before);
    // What had been decided about the first life does not reach the second.
    await age('erase');
    expect(await world.record()).toMatchObject({ full_name: 'again' });
  });

  it('comes without a deletion to what was inactive for five years', async () => {
    await world.ingest(supplied());
    world.clock.advance(5 * 365 * 24 * 3_600_000);
    await age('decide_erasure');
    expect(await phase()).toBe('active');
    world.clock.advance(3 * 24 * 3_600_000);
    await age('decide_erasure');
    expect(await phase()).toBe('erasing');
  });

  it('expires an approval when its time has come', async () => {
    await world.ingest(supplied({ kycExpiresAt: new Date(world.clock.now().getTime() + 1_000) }));
    await age('expire');
    expect((await world.identity()).kycStatus).toBe('APPROVED');
    world.clock.advance(1_000);
    await age('expire');
    expect((await world.identity()).kycStatus).toBe('EXPIRED');
  });
});
