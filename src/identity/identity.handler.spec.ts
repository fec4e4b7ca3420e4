import { IdentityWorld, supplied } from '../../test/support/identity-world.js';
import { newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { RestoreIdentity, RetryIngestion } from './commands.js';
import { ingestionStream } from './domain/ingestion.events.js';
import { identityStream } from './domain/identity.events.js';
import { RestoreIdentityHandler } from './identity.handler.js';
import { AttestationIndex } from './identity.port.js';
import { type IngestionJobs } from './ingestion-jobs.js';
import { RetryIngestionHandler } from './retry-ingestion.handler.js';

/** An index that is where it should be, or not. */
class PromptIndex extends AttestationIndex {
  reached = true;

  find(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  reaches(): Promise<boolean> {
    return Promise.resolve(this.reached);
  }
}

const access = { requestId: newUuid(), ipAddress: '192.0.2.1', userAgent: 'spec', actorId: 'key-1', startedAt: 0 };

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
    const jobs = { enqueue: () => Promise.resolve() } as unknown as IngestionJobs;
    const retrying = new RetryIngestionHandler(world.ingestions, jobs, index, world.clock);
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
