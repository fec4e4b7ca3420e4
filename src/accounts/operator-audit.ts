import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { newUuid } from '../kernel/ids.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type OperatorAction, OperatorTrail } from '../platform/http/operator-trail.js';
import { CLOCK } from '../platform/tokens.js';
import { OPERATOR_STREAM, type OperatorActed } from './domain/operator.events.js';

/** The stream of what operators do. */
@Injectable()
export class OperatorAudit extends OperatorTrail {
  constructor(
    private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  async record({ operatorHash, roles, requestId, action, tenantId }: OperatorAction): Promise<void> {
    const acted: OperatorActed = { type: 'OperatorActed.v1', data: { action, tenantId, roles: [...roles] } };
    const metadata = {
      $correlationId: requestId,
      actor: { type: 'operator' as const, id: operatorHash },
      time: this.clock.now().toISOString(),
      schemaVersion: 1,
    };
    await this.store.append(OPERATOR_STREAM, [{ id: newUuid(), ...acted, metadata }], 'any');
  }
}
