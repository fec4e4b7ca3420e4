import { type TenantId } from '../../kernel/ids.js';
import { HmacKeyedHashes } from './keyed-hashes.js';

const one = 't01arz3ndektsv4rrffq69g5fav' as TenantId;
const other = 't01arz3ndektsv4rrffq69g5fax' as TenantId;

describe('keyed hashes', () => {
  const hashes = new HmacKeyedHashes(Buffer.alloc(32, 7));

  it('never change, since stored streams are named by them', () => {
    expect(hashes.identityId(one, 'a@example.org', '+12025550100')).toBe('idn_6d443b47d9f1b06b3fd7f492f9561458');
    expect(hashes.identityHash('a@example.org', '+12025550100')).toBe(
      '141d025131e45c9d355593d0aea5235d9fc632135e9c388a24f464eef3da2742',
    );
  });

  it('give one person the same identity hash at every tenant and another identity id at each', () => {
    expect(hashes.identityId(one, 'a@example.org', '+1')).not.toBe(hashes.identityId(other, 'a@example.org', '+1'));
  });

  it('keep the border between e-mail and phone', () => {
    expect(hashes.identityHash('a@b', '+12')).not.toBe(hashes.identityHash('a@b+1', '2'));
  });

  it('differ by purpose and by root', () => {
    const values = [
      hashes.apiKeySecret('x').toString('hex'),
      hashes.idempotency('x'),
      new HmacKeyedHashes(Buffer.alloc(32, 8)).idempotency('x'),
    ];
    expect(new Set(values).size).toBe(values.length);
    expect(hashes.actor('x')).toMatch(/^[0-9a-f]{32}$/);
  });
});
