import { ManualIndex } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { newTenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { ApiKeyOwners } from './api-key-owners.js';

const world = () => {
  const index = new ManualIndex();
  const clock = new ManualClock();
  return { index, clock, owners: new ApiKeyOwners(index), tenantId: newTenantId() };
};

describe('whose an API key is', () => {
  it('is known of a key that was announced, without a look-up', () => {
    const { index, owners, tenantId } = world();
    owners.learn('key', tenantId);
    owners.learn('key', tenantId);
    expect(owners.known('key')).toEqual([tenantId]);
    expect(index.lookedUpKeyIds).toEqual([]);
  });

  it('is looked up of an older key, and remembered', async () => {
    const { index, owners, tenantId } = world();
    index.owners.set('key', [tenantId]);
    expect(await owners.lookUp('key')).toEqual([tenantId]);
    expect(owners.known('key')).toEqual([tenantId]);
  });

  it('is not denied while the index may lag behind the beginning of listening', async () => {
    const { index, clock, owners, tenantId } = world();
    await expect(owners.lookUp('key')).rejects.toThrow(Unavailable);
    owners.learnsAfter(7n);
    index.caughtUp = false;
    await expect(owners.lookUp('key')).rejects.toThrow(Unavailable);
    index.owners.set('key', [tenantId]);
    expect(await owners.lookUp('key')).toEqual([tenantId]);
    clock.advance(3_600_000);
    await expect(owners.lookUp('unknown')).rejects.toThrow(Unavailable);
    index.caughtUp = true;
    expect(await owners.lookUp('unknown')).toEqual([]);
  });

  it('is asked of all keys at once that are met at once: whoever makes keys up floods nobody', async () => {
    const { index, owners, tenantId } = world();
    owners.learnsAfter(undefined);
    index.owners.set('key', [tenantId]);
    const madeUp = Array.from({ length: 5_000 }, (_, number) => owners.lookUp(`made-up-${number}`));
    expect(await owners.lookUp('key')).toEqual([tenantId]);
    await Promise.all(madeUp);
    expect(index.questions).toBeLessThanOrEqual(7);
  });

  it('may be two accounts’ by chance', async () => {
    const { index, owners, tenantId } = world();
    const other = newTenantId();
    owners.learn('key', tenantId);
    index.owners.set('key', [other, tenantId]);
    expect(await owners.lookUp('key')).toEqual([tenantId, other]);
  });
});
