import { AT, IDENTITY, LATER, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

const CLAIM = { claim_id: UUID, role: 'holder', identity_id: IDENTITY };

export const CLAIMS_CONTRACT = {
  tags: { Claims: 'Ask those who attest a person for their record.' },
  operations: {
    request_claim: { credits: 1, action: 'claim_requested' },
  },
  auditActions: {
    claim_requested: 'asked for the record by a claim',
    claim_approved: 'approved a claim',
    claim_rejected: 'rejected a claim',
    claim_record_read: 'read the record of a claim',
  },
  rejections: {
    claim_repeated: { code: 'CONFLICT', detail: 'The identity was claimed less than 30 days ago' },
    too_many_claims: { code: 'CONFLICT', detail: 'The account has 20 open claims, the most that it may' },
    claim_decided: { code: 'CONFLICT', detail: 'The claim was decided otherwise, or has run out' },
    claim_not_approved: { code: 'CONFLICT', detail: 'Nobody has approved the claim' },
  },
  announcements: {
    'claim.requested': {
      summary: 'A claim was requested: by this account (role asker), or on a record of its own (role holder)',
      example: {
        ...CLAIM,
        requested_by: 'Example Bank',
        purpose: 'onboarding',
        requested_at: AT,
        expires_at: LATER,
      },
      optional: ['identity_id', 'requested_by'],
    },
    'claim.approved': {
      summary: 'A claim was approved; the asker reads the fields until expires_at',
      example: {
        ...CLAIM,
        role: 'asker',
        attested_by: 'Example Bank',
        fields: ['full_name'],
        approved_at: AT,
        expires_at: LATER,
      },
      optional: ['identity_id', 'attested_by'],
    },
    'claim.rejected': {
      summary: 'A claim was rejected, or no holder answered it in 30 days',
      example: { ...CLAIM, reason: 'rejected', rejected_at: AT },
      optional: ['identity_id'],
    },
  },
  pathIds: { claims: [UUID, 'The `claim_id`'] },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly claims: typeof CLAIMS_CONTRACT;
  }
}
