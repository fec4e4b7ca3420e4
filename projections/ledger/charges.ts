import { type OperationCharged } from '../../src/credits/domain/credits.events.js';
import { type Recorded } from '../../src/kernel/events.js';
import { puttingRows } from '../../src/log/project/define-projection.js';
import { type Cell } from '../../src/log/project/copy.js';
import { actorOf } from '../../src/kernel/audit-actors.js';
import { type Statement } from '../../src/log/project/projection.js';

/** Charges are the most frequent rows, so their insert needs no look-up. */
const enter = puttingRows('credit_transactions', {
  tenant: 'uuid',
  revision: 'bigint',
  position: 'bigint',
  occurred_at: 'timestamptz',
  id: 'uuid',
  amount: 'bigint',
  balance_after: 'bigint',
  type: 'text',
  operation: 'text',
  request_id: 'text',
  action: 'text',
  result: 'text',
  actor: 'text',
  subject: 'uuid',
  access: 'text',
});

export interface Charge {
  readonly tenant: string;
  readonly event: Recorded<OperationCharged>;
}

const rowOf = ({ tenant, event: { id, revision, position, data, metadata } }: Charge): Cell[] => [
  tenant,
  revision.toString(),
  position.toString(),
  metadata.time,
  id,
  -data.amount,
  data.balance,
  'usage',
  data.operation,
  metadata.$correlationId,
  data.action,
  data.result,
  actorOf(metadata.actor),
  data.subject ?? null,
  JSON.stringify(data.access),
];

export const enterCharges = (charges: readonly Charge[]): Statement[] =>
  charges.length === 0 ? [] : [enter(charges.map(rowOf))];
