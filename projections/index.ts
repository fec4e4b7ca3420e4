import { type Projection } from '../src/platform/projections/projection.js';
import { accounts } from './accounts/accounts.projection.js';
import { auditLog } from './audit_log/audit_log.projection.js';
import { balances } from './balances/balances.projection.js';
import { eligibility } from './eligibility/eligibility.projection.js';
import { retention } from './retention/retention.projection.js';

/** Every read model there is. */
export const projections: readonly Projection[] = [accounts, auditLog, balances, eligibility, retention];
