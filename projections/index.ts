import { type Projection } from '../src/platform/projections/projection.js';
import { accounts } from './accounts/accounts.projection.js';
import { eligibility } from './eligibility/eligibility.projection.js';
import { ledger } from './ledger/ledger.projection.js';
import { retention } from './retention/retention.projection.js';

/** Every read model there is. */
export const projections: readonly Projection[] = [accounts, eligibility, ledger, retention];

/** Earlier ones, whose rows the ledger holds: they are dropped where no older version keeps them any more. */
export const retiredProjections: readonly string[] = ['audit_log', 'balances'];
