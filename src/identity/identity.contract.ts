import { AT, IDENTITY, LATER, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

const PLACE = { identity_id: IDENTITY, ingestion_id: UUID, record_index: 0, external_id: 'customer-4711' };
const RECORD = { ...PLACE, kyc_status: 'APPROVED', kyc_level: 'Tier2' };

export const IDENTITY_CONTRACT = {
  tags: {
    Ingestion: 'Push verified identity data into the network. Free and asynchronous.',
    Eligibility: 'Ask whether the network knows a person, and at which tier.',
    Identities: 'Read, delete and restore your own records.',
  },
  operations: {
    check_eligibility: { credits: 1, action: 'eligibility_check' },
  },
  auditActions: {
    eligibility_check: 'asked whether the person is known',
    data_ingested: 'sent data in',
    ingestion_read: 'read the records of an ingestion',
    identity_life_read: 'read what happened to an identity',
    identity_read: 'read the record',
    identity_deleted: 'deleted the record',
    identity_restored: 'restored the record',
    identity_erased: 'had the record erased',
    erasure_proposed: 'proposed the erasure of the record',
    erasure_rejected: 'rejected the proposed erasure of the record',
  },
  rejections: {
    identity_deleted: { code: 'CONFLICT', detail: 'The identity is deleted' },
    identity_not_deleted: { code: 'CONFLICT', detail: 'The identity is not deleted' },
    erasure_state: { code: 'CONFLICT', detail: 'The state of the erasure does not allow this' },
    ingestion_not_failed: { code: 'CONFLICT', detail: 'The ingestion has not failed' },
  },
  announcements: {
    'identity.created': {
      summary: 'A new identity was created',
      example: { ...RECORD, created_at: AT },
      optional: ['external_id'],
    },
    'identity.updated': {
      summary: "An identity's record was replaced",
      example: { ...RECORD, updated_at: AT },
      optional: ['external_id'],
    },
    'identity.verified': {
      summary: 'An identity was ingested as APPROVED',
      example: {
        identity_id: IDENTITY,
        kyc_level: 'Tier2',
        confidence_score: 1,
        verified_at: AT,
        kyc_expires_at: LATER,
      },
      optional: ['kyc_expires_at'],
    },
    'identity.flagged': {
      summary: 'An identity was ingested as PENDING_REVIEW or REJECTED',
      example: { ...PLACE, kyc_status: 'PENDING_REVIEW', flagged_at: AT },
      optional: ['external_id'],
    },
    'identity.expiring': {
      summary: 'An APPROVED identity will reach kyc_expires_at: 30 and 7 days ahead',
      example: { identity_id: IDENTITY, kyc_expires_at: LATER, days_left: 30 },
    },
    'identity.expired': {
      summary: 'An APPROVED identity reached kyc_expires_at',
      example: { identity_id: IDENTITY, kyc_expires_at: AT, expired_at: AT },
    },
    'identity.deleted': {
      summary:
        'An identity was deleted: soft, and can be restored until purge_at; erased by request of the person; hard and for good. lost: its data can’t be read any more; ingest it again once stage hard has come',
      example: { identity_id: IDENTITY, stage: 'soft', deleted_at: AT, purge_at: LATER },
      optional: ['purge_at'],
    },
    'identity.restored': {
      summary: 'A soft deletion was undone',
      example: { identity_id: IDENTITY, restored_at: AT },
    },
    'ingestion.completed': {
      summary: 'An ingestion was processed. It lists 25 errors at most; error_count counts all',
      example: {
        batch_id: UUID,
        records_processed: 2,
        records_superseded: 0,
        error_count: 0,
        errors: [],
        completed_at: AT,
      },
    },
    'ingestion.failed': {
      summary: 'No record of an ingestion could be processed, or it was given up',
      example: {
        batch_id: UUID,
        code: 'IDENTITY_DELETED',
        records_processed: 0,
        error_count: 1,
        errors: [{ record_index: 0, code: 'IDENTITY_DELETED', detail: 'The identity is deleted' }],
        failed_at: AT,
      },
    },
  },
  pathIds: {
    identity: [IDENTITY, 'The `identity_id`'],
    ingest: [UUID, 'The `ingestion_id` or `batch_id`'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly identity: typeof IDENTITY_CONTRACT;
  }
}
