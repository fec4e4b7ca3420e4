import { ACCOUNTS_CONTRACT } from '../accounts/accounts.contract.js';
import { AUDIT_CONTRACT } from '../audit/audit.contract.js';
import { BILLING_CONTRACT } from '../billing/billing.contract.js';
import { CLAIMS_CONTRACT } from '../claims/claims.contract.js';
import { EVERYWHERE } from '../contract/everywhere.contract.js';
import { CREDENTIALS_CONTRACT } from '../credentials/credentials.contract.js';
import { CREDITS_CONTRACT } from '../credits/credits.contract.js';
import { IDENTITY_CONTRACT } from '../identity/identity.contract.js';
import { OPERATIONS_CONTRACT } from '../operations/operations.contract.js';
import { PROOFS_CONTRACT } from '../proofs/proofs.contract.js';
import { REPORTS_CONTRACT } from '../reports/reports.contract.js';
import { REQUESTS_CONTRACT } from '../requests/requests.contract.js';
import { RISK_CONTRACT } from '../risk/risk.contract.js';
import { SCREENING_CONTRACT } from '../screening/screening.contract.js';
import { WEBHOOKS_CONTRACT } from '../webhooks/webhooks.contract.js';
import { declareContract } from '../kernel/contract.js';

// Imported before what reads the tables while it is loaded. In the order in which an integrator meets the slices.
declareContract({
  identity: IDENTITY_CONTRACT,
  credentials: CREDENTIALS_CONTRACT,
  screening: SCREENING_CONTRACT,
  risk: RISK_CONTRACT,
  claims: CLAIMS_CONTRACT,
  audit: AUDIT_CONTRACT,
  reports: REPORTS_CONTRACT,
  credits: CREDITS_CONTRACT,
  billing: BILLING_CONTRACT,
  accounts: ACCOUNTS_CONTRACT,
  webhooks: WEBHOOKS_CONTRACT,
  requests: REQUESTS_CONTRACT,
  proofs: PROOFS_CONTRACT,
  operations: OPERATIONS_CONTRACT,
  everywhere: EVERYWHERE,
});
