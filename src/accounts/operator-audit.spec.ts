import { aggregatesOf } from '../../test/support/aggregates.js';
import { LegibleVault, LiveEventStore } from '../../test/support/accounts-world.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { type Recorded } from '../kernel/events.js';
import { newTenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type OperatorAction } from '../http/operator-trail.js';
import { OPERATOR_STREAM, type OperatorActed } from './domain/operator.events.js';
import { openDetails, OperatorAudit } from './operator-audit.js';

const action: OperatorAction = {
  operatorHash: 'hash',
  operator: 'jo@kyc.example',
  roles: ['admin'],
  requestId: 'request',
  action: 'POST /admin/accounts/{id}/suspend',
  tenantId: newTenantId(),
  target: { id: 'one' },
  justification: 'asked by the bank',
};

const vault = new LegibleVault();

describe('what an operator does', () => {
  it('is recorded by template, account, roles and a keyed hash of who; name, target and reason are sealed', async () => {
    const store = new LiveEventStore();
    await new OperatorAudit(aggregatesOf(store, new ManualClock()), vault).record(action);
    expect(store.streams.get(OPERATOR_STREAM)).toEqual([
      expect.objectContaining({
        type: 'OperatorActed.v1',
        data: {
          action: action.action,
          tenantId: action.tenantId,
          roles: ['admin'],
          details: expect.objectContaining({ alg: 'A256GCM' }) as object,
        },
        metadata: expect.objectContaining({
          $correlationId: 'request',
          actor: { type: 'operator', id: 'hash' },
        }) as object,
      }),
    ]);
  });

  it('shows who, on what and why to whoever opens it', async () => {
    const store = new LiveEventStore();
    await new OperatorAudit(aggregatesOf(store, new ManualClock()), vault).record(action);
    const [act] = (store.streams.get(OPERATOR_STREAM) ?? []) as unknown as Recorded<OperatorActed>[];
    const { operator, target, justification } = action;
    expect(act && (await openDetails(vault, act))).toEqual({ operator, target, justification });
  });

  it('is followed by what became of it, caused by it', async () => {
    const store = new LiveEventStore();
    const audit = new OperatorAudit(aggregatesOf(store, new ManualClock()), vault);
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
    const audit = new OperatorAudit(aggregatesOf(new LiveEventStore({ fate: () => 'request_lost' })), vault);
    await expect(audit.record(action)).rejects.toThrow(Unavailable);
  });
});
