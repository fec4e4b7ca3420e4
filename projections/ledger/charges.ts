import { type OperationCharged } from '../../src/credits/domain/credits.events.js';
import { puttingRows, type Recorded } from '../../src/platform/projections/define-projection.js';
import { type Cell } from '../../src/platform/projections/copy.js';
import { type Statement } from '../../src/platform/projections/projection.js';

/** The row of a charge is written most often of all, so that it is made of arrays, and nothing is looked up for it. */
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
  access: 'text',
});

export interface Charge {
  readonly tenant: string;
  readonly event: Recorded<OperationCharged>;
}

export const enterCharges = (charges: readonly Charge[]): Statement[] => {
  if (charges.length === 0) return [];
  const column = (read: (event: Recorded<OperationCharged>) => Cell): Cell[] => charges.map(({ event }) => read(event));
  const values = [
    charges.map(({ tenant }) => tenant),
    column(({ revision }) => revision.toString()),
    column(({ position }) => position.toString()),
    column(({ metadata }) => metadata.time),
    column(({ id }) => id),
    column(({ data }) => -data.amount),
    column(({ data }) => data.balance),
    column(() => 'usage'),
    column(({ data }) => data.operation),
    column(({ metadata }) => metadata.$correlationId),
    column(({ data }) => data.action),
    column(({ data }) => data.result),
    column(({ data }) => JSON.stringify(data.access)),
  ];
  return [enter(values)];
};
