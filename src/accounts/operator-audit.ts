import { Injectable } from '@nestjs/common';
import { newUuid } from '../kernel/ids.js';
import { AggregateStore } from '../platform/eventstore/aggregate-store.js';
import { type OperatorAction, OperatorTrail } from '../platform/http/operator-trail.js';
import { operatorCategory } from './domain/operator.category.js';
import { OPERATOR_STREAM } from './domain/operator.events.js';

/** Writes the operators' acts to their stream. */
@Injectable()
export class OperatorAudit extends OperatorTrail {
  constructor(private readonly aggregates: AggregateStore) {
    super();
  }

  async record({ operatorHash, roles, requestId, action, tenantId }: OperatorAction): Promise<void> {
    const acted = {
      id: newUuid(),
      type: 'OperatorActed.v1',
      data: { action, tenantId, roles: [...roles] },
    } as const;
    const metadata = { requestId, actor: { type: 'operator', id: operatorHash } } as const;
    await this.aggregates.append(operatorCategory, OPERATOR_STREAM, acted, { metadata });
  }
}
