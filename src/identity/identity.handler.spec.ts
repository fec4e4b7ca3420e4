import { type ReadModels } from '../log/project/projection.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { IdentityWorld, supplied } from '../../test/support/identity-world.js';
import { newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { DeleteIdentity, RestoreIdentity, RetryIngestion } from './commands.js';
import { GRACE_PERIOD } from './domain/identity.js';
import { ingestionStream } from './domain/ingestion.events.js';
import { identityStream } from './domain/identity.events.js';
import { auditEntryOf, DeleteIdentityHandler, RestoreIdentityHandler } from './identity.handler.js';
import { RetryIngestionHandler } from './retry-ingestion.handler.js';

/** An index that is where it should be, or not. */
class PromptIndex extends EligibilityQueries {
  constructor() {
    super({} as ReadModels);
  }

  override assertCurrent(): Promise<void> {
    return Promise.resolve();
  }

  reached = true;

  override find(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override reaches(): Promise<boolean> {
    return Promise.resolve(this.reached);
  }
}

const access = { requestId: newUuid(), ipAddress: '192.0.2.1', userAgent: 'spec', actorId: 'key-1', startedAt: 0 };

const RESTORED = 'IdentityRestored.v1';
const DELETED = 'IdentityDeleted.v1';

describe('a deletion and a restoration', () => {
  let world: IdentityWorld;
  let identityId: string;
  beforeEach(async () => {
    world = new IdentityWorld();
    identityId = world.identityId();
    await world.ingest(supplied());
  });

  const config = { erasure: { gracePeriod: GRACE_PERIOD } } as Config;
  const changing = {
    deletion: (): Promise<unknown> =>
      new DeleteIdentityHandler(world.identities, world.audit, new PromptIndex(), world.clock, config).execute(
        new DeleteIdentity({ tenantId: world.tenantId, identityId, changeId: newUuid(), access }),
      ),
    restoration: (): Promise<unknown> =>
      new RestoreIdentityHandler(world.identities, world.audit, new PromptIndex(), world.clock).execute(
        new RestoreIdentity({ tenantId: world.tenantId, identityId, changeId: newUuid(), access }),
      ),
  };
  const changes = (): (string | undefined)[] =>
    (world.store.streams.get(identityStream(world.tenantId, identityId)) ?? [])
      .filter(({ type }) => type === DELETED || type === RESTORED)
      .map(({ id }) => auditEntryOf(id));
  const entries = (): string[] =>
    [...world.audit.entries.values()]
      .filter(({ action }) => action === 'identity_deleted' || action === 'identity_restored')
      .map(({ entryId }) => entryId);

  it('never stand without their audit entry, wherever a process ends', async () => {
    for (const [change, type] of [
      ['deletion', DELETED],
      ['restoration', RESTORED],
    ] as const) {
      world.audit.outage = new Unavailable('event_store');
      const before = changes();
      await expect(changing[change]()).rejects.toThrow(Unavailable);
      expect(changes()).toEqual(before);
      world.audit.outage = undefined;
      const append = world.store.hold(type);
      const changed = changing[change]();
      await append.reached;
      expect([entries().length, changes().length]).toEqual([before.length + 1, before.length]);
      append.release();
      await changed;
    }
    expect(entries()).toEqual(changes());
  });

  it('leave no entry where they are refused', async () => {
    await expect(changing.restoration()).rejects.toMatchObject({ code: 'identity_not_deleted' });
    await changing.deletion();
    world.clock.advance(GRACE_PERIOD);
    await expect(changing.restoration()).rejects.toMatchObject({ code: 'not_found' });
    expect(entries()).toEqual(changes());
  });
});

describe('a change that is asked for again after its answer was lost', () => {
  let world: IdentityWorld;
  let index: PromptIndex;
  beforeEach(() => {
    world = new IdentityWorld();
    index = new PromptIndex();
  });

  const typesOf = (stream: string) => world.store.streams.get(stream)?.map(({ type }) => type);

  it('finds its restoration, and one audit entry for both; another request meets the state', async () => {
    await world.ingest(supplied());
    await world.command((identityId) => ({ kind: 'delete', identityId, now: world.clock.now() }));
    const restoring = new RestoreIdentityHandler(world.identities, world.audit, index, world.clock);
    const { tenantId } = world;
    const identityId = world.identityId();
    const entries = world.audit.entries.size;
    const restore = (changeId: string) =>
      restoring.execute(new RestoreIdentity({ tenantId, identityId, changeId, access }));
    const changeId = newUuid();
    index.reached = false;
    await expect(restore(changeId)).rejects.toThrow(Unavailable);
    index.reached = true;
    await expect(restore(changeId)).resolves.toBeUndefined();
    expect(world.audit.entries.size).toBe(entries + 1);
    await expect(restore(newUuid())).rejects.toMatchObject({ code: 'identity_not_deleted' });
    expect(typesOf(identityStream(tenantId, identityId))?.slice(-2)).toEqual([
      'IdentityDeleted.v1',
      'IdentityRestored.v1',
    ]);
  });

  it('finds its retry of a failed ingestion', async () => {
    await world.ingest(supplied());
    await world.command((identityId) => ({ kind: 'delete', identityId, now: world.clock.now() }));
    const { ingestionId } = await world.accept([supplied()]);
    await world.process(ingestionId);
    expect(await world.ingestion(ingestionId)).toMatchObject({ status: 'failed' });
    const retrying = new RetryIngestionHandler(world.ingestions, index, world.clock);
    const { tenantId } = world;
    const retry = (retryId: string) => retrying.execute(new RetryIngestion({ tenantId, ingestionId, retryId, access }));
    const retryId = newUuid();
    await retry(retryId);
    await expect(retry(retryId)).resolves.toBeUndefined();
    await expect(retry(newUuid())).rejects.toMatchObject({ code: 'ingestion_not_failed' });
    expect(typesOf(ingestionStream(tenantId, ingestionId))).toEqual([
      'IngestionAccepted.v1',
      'IngestionFailed.v1',
      'IngestionRetried.v1',
    ]);
  });
});
