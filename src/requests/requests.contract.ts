import { UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const REQUESTS_CONTRACT = {
  tags: { Requests: 'The requests of the account’s own keys, members and tokens, and what each led to.' },
  pathIds: { requests: [UUID, 'The id of a request, as X-Request-Id of its answer'] },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly requests: typeof REQUESTS_CONTRACT;
  }
}
