import { accountCategory } from './accounts/domain/account.category.js';
import { operatorCategory } from './accounts/domain/operator.category.js';
import { breachCategory } from './operations/domain/breach.category.js';
import { auditCategory } from './audit/domain/audit.category.js';
import { securityCategory } from './audit/domain/security.category.js';
import { purgesCategory, retentionCategory } from './retention/domain/retention.category.js';
import { credentialCategory } from './credentials/domain/credential.category.js';
import { statusBlockCategory } from './credentials/domain/status-block.category.js';
import { claimCategory } from './claims/domain/claim.category.js';
import { claimsCategory } from './claims/domain/claims.category.js';
import { postingCategory } from './claims/domain/posting.category.js';
import { paymentCategory } from './billing/domain/payment.category.js';
import { creditsCategory } from './credits/domain/credits.category.js';
import { documentCategory } from './reports/domain/document.category.js';
import { identityCategory } from './identity/domain/identity.category.js';
import { ingestionCategory } from './identity/domain/ingestion.category.js';
import { checkpointsCategory, transparencyCategory } from './proofs/domain/transparency.category.js';
import { riskCategory } from './risk/domain/risk.category.js';
import { CategoryRegistry } from './kernel/category-registry.js';
import { webhookCategory } from './webhooks/domain/endpoint.category.js';
import { reviewSettingsCategory } from './screening/domain/review-settings.category.js';
import { screeningListCategory } from './screening/domain/list.category.js';
import { decisionCategory } from './screening/domain/decision.category.js';
import { identityMatchCategory } from './screening/domain/identity-match.category.js';
import { deploymentCategory } from './platform/deployment.category.js';

/** Every category of the log. */
export const categories = new CategoryRegistry([
  accountCategory,
  auditCategory,
  breachCategory,
  credentialCategory,
  claimCategory,
  claimsCategory,
  postingCategory,
  creditsCategory,
  decisionCategory,
  deploymentCategory,
  documentCategory,
  identityCategory,
  identityMatchCategory,
  ingestionCategory,
  operatorCategory,
  paymentCategory,
  purgesCategory,
  retentionCategory,
  reviewSettingsCategory,
  securityCategory,
  statusBlockCategory,
  transparencyCategory,
  checkpointsCategory,
  webhookCategory,
  screeningListCategory,
  riskCategory,
]);
