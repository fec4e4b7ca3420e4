import { Unavailable } from '../kernel/unavailable.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { ERASED, type Vault } from '../platform/crypto/vault.js';
import { SealedMembers, storedOf } from './sealed-members.js';

const row = {
  id: '5f0c6d1e-7a1b-4f0e-9c52-0b7a1b0f7d42',
  type: 'identity.created',
  occurredAt: new Date(0),
  test: false,
  data: '{"identity_id":"idn_1"}',
  sealed: JSON.stringify({ place: {}, envelope: {}, member: 'external_id' }),
} as const;

const told = async (open: () => Promise<unknown>, sealed: string | null = row.sealed): Promise<unknown> =>
  (await new SealedMembers({ open } as unknown as Vault).open(storedOf({ ...row, sealed }))).data;

describe('a sealed member of an event', () => {
  it('is told where it opens', async () => {
    expect(await told(() => Promise.resolve('customer-1'))).toEqual({
      identity_id: 'idn_1',
      external_id: 'customer-1',
    });
    expect(await told(() => Promise.reject(new Error('nothing to open')), null)).toEqual({ identity_id: 'idn_1' });
  });

  it.each([
    ['the person was erased', () => Promise.resolve(ERASED)],
    ['its key was lost', () => Promise.reject(new DataKeyMissing('k'))],
    ['its key does not open here', () => Promise.reject(new Unavailable('keys'))],
  ] as const)('is left out where %s, so that it holds up no other event', async (_, open) => {
    expect(await told(open)).toEqual({ identity_id: 'idn_1' });
  });

  it('is waited for where a store is away', async () => {
    await expect(told(() => Promise.reject(new Unavailable('postgres')))).rejects.toThrow(Unavailable);
  });
});
