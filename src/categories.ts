import { accountCategory } from './accounts/domain/account.category.js';
import { operatorCategory } from './accounts/domain/operator.category.js';
import { auditCategory } from './audit/domain/audit.category.js';
import { purgesCategory, retentionCategory } from './retention/domain/retention.category.js';
import { creditsCategory } from './credits/domain/credits.category.js';
import { identityCategory } from './identity/domain/identity.category.js';
import { ingestionCategory } from './identity/domain/ingestion.category.js';
import { CategoryRegistry } from './kernel/category-registry.js';
import { deploymentCategory } from './platform/deployment/deployment.category.js';

/** Every category of the log. */
export const categories = new CategoryRegistry([
  accountCategory,
  auditCategory,
  creditsCategory,
  deploymentCategory,
  identityCategory,
  ingestionCategory,
  operatorCategory,
  purgesCategory,
  retentionCategory,
]);
