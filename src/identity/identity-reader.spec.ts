import { IdentityWorld, person, supplied } from '../../test/support/identity-world.js';
import { newUuid } from '../kernel/ids.js';
import { IdentityReader } from './identity-reader.js';

const GRACE = 30 * 24 * 3_600_000;
const access = { requestId: newUuid(), ipAddress: '192.0.2.1', userAgent: 'spec', actorId: 'key-1', startedAt: 0 };

describe('a deleted identity', () => {
  const deleted = async () => {
    const world = new IdentityWorld();
    const { identities, vault, hashes, audit, clock, tenantId } = world;
    const reader = new IdentityReader(identities, vault, hashes, audit, clock);
    await world.ingest(supplied());
    await world.command((identityId) => ({ kind: 'delete', identityId, now: clock.now() }));
    const { email, phone_number: phone } = person();
    return {
      clock,
      audit,
      read: () => reader.read(tenantId, world.identityId(), access),
      lookUp: () => reader.lookUp(tenantId, { email, phone }, access),
    };
  };

  it('is read within its 30 days', async () => {
    const { clock, read, lookUp } = await deleted();
    clock.advance(GRACE - 1);
    expect((await read())?.identity.phase).toBe('deleted');
    expect(await lookUp()).toBeDefined();
  });

  it('is gone from purge_at on, though its erasure still waits for its turn', async () => {
    const { clock, audit, read, lookUp } = await deleted();
    clock.advance(GRACE);
    expect(await read()).toBeUndefined();
    expect(await lookUp()).toBeUndefined();
    expect([...audit.entries.values()].at(-1)).toMatchObject({ action: 'identity_read', result: 'not_found' });
  });
});
