import { aggregatesOf } from '../../test/support/aggregates.js';
import { LiveEventStore } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { newTenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type OperatorAction } from '../platform/http/operator-trail.js';
import { OPERATOR_STREAM } from './domain/operator.events.js';
import { OperatorAudit } from './operator-audit.js';

const action: OperatorAction = {
  operatorHash: 'hash',
  roles: ['admin'],
  requestId: 'request',
  action: 'POST /admin/accounts/{id}/suspend',
  tenantId: newTenantId(),
};

describe('what an operator does', () => {
  it('is recorded by template, account, roles and a keyed hash of who', async () => {
    const store = new LiveEventStore();
    await new OperatorAudit(aggregatesOf(store, new ManualClock())).record(action);
    expect(store.streams.get(OPERATOR_STREAM)).toEqual([
      expect.objectContaining({
        type: 'OperatorActed.v1',
        data: { action: action.action, tenantId: action.tenantId, roles: ['admin'] },
        metadata: expect.objectContaining({
          $correlationId: 'request',
          actor: { type: 'operator', id: 'hash' },
        }) as object,
      }),
    ]);
  });

  it('is followed by what became of it, caused by it', async () => {
    const store = new LiveEventStore();
    const audit = new OperatorAudit(aggregatesOf(store, new ManualClock()));
    const act = await audit.record(action);
    const changes = [{ field: 'status', from: 'active', to: 'suspended' }, { field: 'suspension_reason' }];
    await audit.conclude(act, { outcome: 'done', status: 200, code: null, changes });
    expect(store.streams.get(OPERATOR_STREAM)?.[1]).toMatchObject({
      type: 'OperatorActConcluded.v1',
      data: { actId: act.actId, outcome: 'done', status: 200, code: null, changes },
      metadata: { $correlationId: 'request', $causationId: act.actId, actor: { type: 'operator', id: 'hash' } },
    });
  });

  it('is not said to be recorded where it is not', async () => {
    const audit = new OperatorAudit(aggregatesOf(new LiveEventStore({ fate: () => 'request_lost' })));
    await expect(audit.record(action)).rejects.toThrow(Unavailable);
  });
});
