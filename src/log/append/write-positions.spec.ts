import { newTenantId } from '../../kernel/ids.js';
import { WritePositions } from './write-positions.js';

describe('the last entry that an instance wrote of a tenant', () => {
  it('stands where the log has it, in whatever order entries of two streams are told', () => {
    const [own, tenantId] = [new WritePositions(), newTenantId()];
    const bounds = [5n, 9n, 7n, 9n, 12n, 3n].map((position) => {
      own.written(tenantId, position);
      return own.lastPosition(tenantId);
    });
    expect(bounds).toEqual([5n, 9n, 9n, 9n, 12n, 12n]);
  });

  it('is each tenant’s own', () => {
    const [own, one, other] = [new WritePositions(), newTenantId(), newTenantId()];
    own.written(one, 9n);
    own.written(other, 4n);
    expect([one, other, newTenantId()].map((tenantId) => own.lastPosition(tenantId))).toEqual([9n, 4n, undefined]);
  });
});
