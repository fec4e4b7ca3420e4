import { Injectable } from '@nestjs/common';
import { deriveUuid, newUuid } from '../kernel/ids.js';
import { AggregateStore } from '../platform/eventstore/aggregate-store.js';
import { type Conclusion, type OpenAct, type OperatorAction, OperatorTrail } from '../platform/http/operator-trail.js';
import { operatorCategory } from './domain/operator.category.js';
import { OPERATOR_STREAM, type OperatorEvent } from './domain/operator.events.js';

/** Writes the operators' acts to their stream, and what became of them. */
@Injectable()
export class OperatorAudit extends OperatorTrail {
  constructor(private readonly aggregates: AggregateStore) {
    super();
  }

  async record(action: OperatorAction): Promise<OpenAct> {
    const actId = newUuid();
    const { tenantId, roles } = action;
    await this.append(action, {
      id: actId,
      type: 'OperatorActed.v1',
      data: { action: action.action, tenantId, roles: [...roles] },
    });
    return { actId, action };
  }

  async conclude({ actId, action }: OpenAct, { outcome, status, code, changes }: Conclusion): Promise<void> {
    const data = { actId, outcome, status, code, changes };
    await this.append(action, { id: deriveUuid(actId, 'concluded'), type: 'OperatorActConcluded.v1', data }, actId);
  }

  private async append(
    { requestId, operatorHash }: OperatorAction,
    event: OperatorEvent & { readonly id: string },
    causationId?: string,
  ): Promise<void> {
    const actor = { type: 'operator', id: operatorHash } as const;
    const metadata = { requestId, actor, ...(causationId === undefined ? {} : { causationId }) };
    await this.aggregates.append(operatorCategory, OPERATOR_STREAM, event, { metadata });
  }
}
