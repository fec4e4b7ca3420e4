import { UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const AUDIT_CONTRACT = {
  tags: { Compliance: 'Audit log, reports and retention.' },
  pathIds: { 'audit-log': [UUID, 'The id of an entry'] },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly audit: typeof AUDIT_CONTRACT;
  }
}
