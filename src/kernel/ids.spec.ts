import { deriveUuid, isTenantId, newTenantId, newUuid, tenantIdOf, tenantUuid } from './ids.js';

describe("a tenant's id as UUID", () => {
  it('holds all of its 128 bits, in their order', () => {
    expect(tenantUuid(`t${'0'.repeat(26)}`)).toBe('00000000-0000-0000-0000-000000000000');
    expect(tenantUuid(`t7${'z'.repeat(25)}`)).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
    expect(tenantUuid(`t${'0'.repeat(24)}1g`)).toBe('00000000-0000-0000-0000-000000000030');
    const ids = Array.from({ length: 200 }, () => newTenantId()).sort();
    expect(ids.map(tenantUuid)).toEqual(ids.map(tenantUuid).sort());
    expect(new Set(ids.map(tenantUuid)).size).toBe(ids.length);
  });

  it('is none of what is no ULID', () => {
    for (const wrong of ['operators', 't1', `t8${'0'.repeat(25)}`, `t${'u'.repeat(26)}`]) {
      expect(() => tenantUuid(wrong)).toThrow('a tenant id is a ULID');
    }
  });
});

describe('a tenant id', () => {
  it('is told by a UUID and tells it again, bit for bit', () => {
    expect(tenantIdOf('00000000-0000-0000-0000-000000000030')).toBe(`t${'0'.repeat(24)}1g`);
    expect(tenantIdOf('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe(`t7${'z'.repeat(25)}`);
    const uuids = Array.from({ length: 200 }, newUuid);
    expect(uuids.map((uuid) => tenantUuid(tenantIdOf(uuid)))).toEqual(uuids);
  });

  it('begins with its time when it is new', () => {
    const time = Date.now().toString(16).padStart(12, '0');
    const before = tenantIdOf(`${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`);
    const tenantId = newTenantId();
    expect(isTenantId(tenantId)).toBe(true);
    expect(tenantId >= before).toBe(true);
  });
});

describe('a derived UUID', () => {
  it('is the one that stands in the log already', () => {
    const namespace = 'f0b1a3a2-7d0c-4f4e-9d53-3f1d7c2f6f10';
    expect(['', '8b7f0f4e-3b0e-4f39-9d0e-6f0b5a6f9c11', 'Zoë 漢'].map((name) => deriveUuid(namespace, name))).toEqual([
      '07428272-5f9a-5e28-98da-785ab63c81bb',
      '70d2c0a3-2efc-5f94-bcc5-11f46015dc1e',
      '5037939b-6c96-5620-b9e4-5c009930501e',
    ]);
  });
});
