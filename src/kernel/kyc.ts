/** KYC status of an identity as its tenant attested it (docs/contract.md, Ingestion). */
export const KYC_STATUSES = ['APPROVED', 'REJECTED', 'PENDING_REVIEW', 'EXPIRED'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** KYC tiers, lowest first. */
export const TIERS = ['Tier1', 'Tier2', 'Tier3'] as const;
export type Tier = (typeof TIERS)[number];
