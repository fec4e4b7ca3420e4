import { newTenantId, tenantUuid } from './ids.js';

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
