import { UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const OPERATIONS_CONTRACT = {
  rejections: {
    projection_job_running: {
      code: 'CONFLICT',
      detail: 'Projections are verified or rebuilt already: one job at a time',
    },
  },
  pathIds: {
    projections: ['ledger', 'The name of a projection, or `all`'],
    breaches: [UUID, 'The id of a breach'],
    'parked-events': [UUID, 'The id of an event'],
    'projection-jobs': [UUID, 'The id of a job'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly operations: typeof OPERATIONS_CONTRACT;
  }
}
