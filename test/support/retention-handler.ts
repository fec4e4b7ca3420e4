import { type EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { ApplyRetentionHandler } from '../../src/identity/apply-retention.handler.js';
import { ErasureCertificates } from '../../src/identity/erasure-certificates.js';
import { IdentityEraser } from '../../src/identity/identity-eraser.js';
import { IdentityRepository } from '../../src/identity/identity-repository.js';
import { type Config } from '../../src/platform/config/config.js';
import { DataKeyShredder } from '../../src/platform/crypto/data-key-shredder.js';
import { type OpenVault } from '../../src/platform/crypto/open-vault.js';
import { SigningKeys } from '../../src/platform/crypto/signing-keys.js';
import { aggregatesOf } from './aggregates.js';
import { erasureStepsOf } from './erasure-steps.js';
import { IdentityWorld, NOTICES } from './identity-world.js';
import { type RetentionWorld } from './retention-world.js';

const config = {
  publicUrl: 'https://kyc.example.org',
  environment: 'sandbox',
  roles: new Set(),
  erasure: {},
} as unknown as Config;

/** Ages identities of the real log. */
export const retentionHandlerOf = (world: RetentionWorld, opened: OpenVault): ApplyRetentionHandler => {
  const { store, snapshots, database, clock } = world;
  const identities = new IdentityRepository(aggregatesOf(store, clock, snapshots));
  const shredder = new DataKeyShredder(database);
  const index = { reaches: () => Promise.resolve(true) } as unknown as EligibilityQueries;
  const certificates = new ErasureCertificates(new SigningKeys(database, opened.ring), identities, config);
  const audit = new IdentityWorld().audit;
  const eraser = new IdentityEraser(identities, shredder, erasureStepsOf(database), index, certificates, audit, clock);
  return new ApplyRetentionHandler(identities, shredder, eraser, clock, NOTICES);
};
