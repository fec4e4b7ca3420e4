import { type CallHandler, type ExecutionContext } from '@nestjs/common';
import { lastValueFrom, of } from 'rxjs';
import { ManualClock, LiveEventStore } from '../../../test/support/accounts-world.js';
import { newTenantId } from '../../kernel/ids.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { OPERATOR_STREAM } from '../domain/operator.events.js';
import { OperatorAudit } from '../operator-audit.js';
import { OperatorAuditInterceptor } from './operator-audit.interceptor.js';

const tenantId = newTenantId();
const operator = { kind: 'operator', subjectHash: 'hash', roles: new Set(['admin']) };

const call = (store: LiveEventStore, principal: object = operator) => {
  const request = {
    id: 'request',
    method: 'POST',
    params: { id: tenantId },
    routeOptions: { url: '/admin/accounts/:id/suspend' },
    context: { principal },
  };
  const execution = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  const recorded: number[] = [];
  const next: CallHandler = {
    handle: () => {
      recorded.push(store.streams.get(OPERATOR_STREAM)?.length ?? 0);
      return of('done');
    },
  };
  const interceptor = new OperatorAuditInterceptor(new OperatorAudit(store, new ManualClock()));
  return { recorded, run: async () => lastValueFrom(await interceptor.intercept(execution, next)) };
};

describe('what an operator does', () => {
  it('is recorded before it happens: template, account, roles, a keyed hash of who', async () => {
    const store = new LiveEventStore();
    const { recorded, run } = call(store);
    expect(await run()).toBe('done');
    expect(recorded).toEqual([1]);
    expect(store.streams.get(OPERATOR_STREAM)?.[0]).toMatchObject({
      type: 'OperatorActed.v1',
      data: { action: 'POST /admin/accounts/{id}/suspend', tenantId, roles: ['admin'] },
      metadata: { $correlationId: 'request', actor: { type: 'operator', id: 'hash' } },
    });
  });

  it('does not happen where it cannot be recorded', async () => {
    const { recorded, run } = call(new LiveEventStore({ fate: () => 'request_lost' }));
    await expect(run()).rejects.toThrow(Unavailable);
    expect(recorded).toEqual([]);
  });

  it('leaves tenants’ requests alone', async () => {
    const { recorded, run } = call(new LiveEventStore(), { kind: 'tenant' });
    expect(await run()).toBe('done');
    expect(recorded).toEqual([0]);
  });
});
