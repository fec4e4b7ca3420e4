import { Injectable } from '@nestjs/common';
import { type Envelope } from '../kernel/envelope.js';
import { tenantOfStream } from '../kernel/events.js';
import { deriveUuid, newUuid, type TenantId } from '../kernel/ids.js';
import { ERASED, type Place, Vault } from '../platform/crypto/vault.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { type Conclusion, type OpenAct, type OperatorAction, OperatorTrail } from '../http/operator-trail.js';
import { operatorCategory } from './domain/operator.category.js';
import { OPERATOR_STREAM, type OperatorDetails, type OperatorEvent } from './domain/operator.events.js';

/** The operators' texts are sealed under keys by month, as those of a tenant. */
const OWNER = tenantOfStream(OPERATOR_STREAM) as TenantId;

const placeOf = (actId: string): Place => ({
  tenantId: OWNER,
  stream: OPERATOR_STREAM,
  eventId: actId,
  field: 'details',
});

/** Undefined once the key was destroyed. Throws Unavailable. */
export const openDetails = async (
  vault: Vault,
  act: { readonly id: string; readonly data: { readonly details: Envelope } },
): Promise<OperatorDetails | undefined> => {
  const opened = await vault.open(placeOf(act.id), act.data.details);
  return opened === ERASED ? undefined : (opened as OperatorDetails);
};

/** Writes the operators' acts to their stream, and what became of them. */
@Injectable()
export class OperatorAudit extends OperatorTrail {
  constructor(
    private readonly aggregates: AggregateStore,
    private readonly vault: Vault,
  ) {
    super();
  }

  async record(action: OperatorAction): Promise<OpenAct> {
    const actId = newUuid();
    const { tenantId, roles, operator, target, justification } = action;
    const key = await this.vault.tenantKey(OWNER, 'texts');
    const operatorDetails: OperatorDetails = { operator, target, justification };
    await this.append(action, {
      id: actId,
      type: 'OperatorActed.v1',
      data: {
        action: action.action,
        tenantId,
        roles: [...roles],
        details: this.vault.seal(key, placeOf(actId), operatorDetails),
      },
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
