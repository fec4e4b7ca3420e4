import { type AnnouncementType } from './announcement.js';

/** What an announcement of one type says. */
export interface AnnouncedData {
  readonly summary: string;
  readonly example: Readonly<Record<string, unknown>>;
  /** Members that may be absent. */
  readonly optional?: readonly string[];
  /** Members that may be null. */
  readonly nullable?: readonly string[];
}

const AT = '2026-11-21T10:15:30.123Z';
const LATER = '2027-11-21T10:15:30.123Z';
const IDENTITY = 'idn_6d443b47d9f1b06b3fd7f492f9561458';
const ID = '5f0c6d1e-7a1b-4f0e-9c52-0b7a1b0f7d42';
const OTHER_ID = '0d9f0a34-1c5b-4a7e-8f5e-3c1f6f1a7e21';
const PLACE = { identity_id: IDENTITY, ingestion_id: ID, record_index: 0, external_id: 'customer-4711' };
const RECORD = { ...PLACE, kyc_status: 'APPROVED', kyc_level: 'Tier2' };
const CLAIM = { claim_id: ID, role: 'holder', identity_id: IDENTITY };
const PAYMENT = { purchase_id: ID, package: 'small', amount: 120, currency: 'USD', origin: 'checkout' };
const DIGEST = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The data of every announcement type, by an example: documentation and test deliveries show it. */
export const ANNOUNCED_DATA: Readonly<Record<AnnouncementType, AnnouncedData>> = {
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
  'identity.expired': {
    summary: 'An APPROVED identity reached kyc_expires_at',
    example: { identity_id: IDENTITY, kyc_expires_at: AT, expired_at: AT },
  },
  'identity.deleted': {
    summary:
      'An identity was deleted: soft, and can be restored until purge_at, or hard and for good. lost: its data can’t be read any more; ingest it again once stage hard has come',
    example: { identity_id: IDENTITY, stage: 'soft', deleted_at: AT, purge_at: LATER },
    optional: ['purge_at'],
  },
  'identity.restored': {
    summary: 'A soft deletion was undone',
    example: { identity_id: IDENTITY, restored_at: AT },
  },
  'verification.completed': {
    summary: 'A credential was verified and is valid',
    example: { verification_id: ID, valid: true, request_id: OTHER_ID, verified_at: AT },
  },
  'verification.failed': {
    summary: 'A credential was verified and is not valid',
    example: { verification_id: ID, valid: false, request_id: OTHER_ID, verified_at: AT },
  },
  'credential.issued': {
    summary: 'A credential was issued',
    example: {
      credential_id: `urn:uuid:${ID}`,
      identity_id: IDENTITY,
      tier: 'Tier2',
      issued_at: AT,
      expires_at: LATER,
    },
  },
  'credential.revoked': {
    summary: 'A credential was revoked',
    example: { credential_id: `urn:uuid:${ID}`, cause: 'tenant', revoked_at: AT },
  },
  'claim.requested': {
    summary: 'A claim was requested: by this account (role asker), or on a record of its own (role holder)',
    example: {
      ...CLAIM,
      role: 'holder',
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
    summary: 'A claim was rejected, or nobody answered it in 30 days',
    example: { ...CLAIM, role: 'holder', reason: 'rejected', rejected_at: AT },
    optional: ['identity_id'],
  },
  'risk_score.changed': {
    summary: 'Two assessments in a row differ by 10 points or in their level',
    example: {
      identity_id: IDENTITY,
      risk_score: 55,
      risk_level: 'medium',
      previous_score: 20,
      previous_level: 'low',
      changed_at: AT,
    },
  },
  'sanctions.match': {
    summary: 'A person matched an entry of a sanctions list: an identity, or whom a check asked for',
    example: {
      identity_id: IDENTITY,
      decision_id: ID,
      match_id: `mat_${ID.replaceAll('-', '')}_00`,
      list: 'OFAC_SDN',
      entry_id: '12345',
      score: 0.97,
      list_version: '2026-11-20',
    },
    optional: ['identity_id'],
  },
  'ingestion.completed': {
    summary: 'An ingestion was processed. It lists 25 errors at most; error_count counts all',
    example: {
      batch_id: ID,
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
      batch_id: ID,
      code: 'IDENTITY_DELETED',
      records_processed: 0,
      error_count: 1,
      errors: [{ record_index: 0, code: 'IDENTITY_DELETED', detail: 'The identity is deleted' }],
      failed_at: AT,
    },
  },
  'report.completed': {
    summary: 'A report can be downloaded',
    example: { report_id: ID, completed_at: AT, sha256: DIGEST },
  },
  'report.failed': {
    summary: 'A report could not be made',
    example: { report_id: ID, failed_at: AT, error: 'PROCESSING_FAILED' },
  },
  'export.completed': {
    summary: 'A data export can be downloaded',
    example: { export_id: ID, completed_at: AT, sha256: DIGEST },
  },
  'billing.low_balance': {
    summary: 'The balance fell to a threshold',
    example: { current_balance: 200, threshold: 200, severity: 'warning' },
  },
  'billing.payment_succeeded': { summary: 'A payment succeeded', example: { ...PAYMENT, credits: 1_000 } },
  'billing.payment_failed': {
    summary: 'A payment failed: of a purchase, or of a subscription',
    example: { ...PAYMENT, subscription_id: 'sub_1', reason: 'card_declined' },
    optional: [...Object.keys(PAYMENT), 'subscription_id'],
  },
  'billing.auto_recharge_failed': {
    summary:
      'An automatic recharge failed; purchase_id and failures are null where it was switched off (enabled: false)',
    example: { purchase_id: ID, reason: 'declined', failures: 1, enabled: true },
    nullable: ['purchase_id', 'failures'],
  },
  'subscription.updated': {
    summary: 'The subscription started, changed, was renewed, fell past due or ended',
    example: {
      subscription_id: 'sub_1',
      status: 'active',
      tier: 'growth',
      renews_at: LATER,
      cancels_at_period_end: false,
      grace_ends_at: LATER,
      ended_at: AT,
    },
    optional: ['status', 'tier', 'renews_at', 'cancels_at_period_end', 'grace_ends_at', 'ended_at'],
  },
  'account.distrusted': {
    summary: 'What the account attests counts for nobody any more: an operator has so decided',
    example: { distrusted_at: AT },
  },
  'account.trusted': {
    summary: 'What the account attests counts again',
    example: { trusted_at: AT },
  },
  'webhook.endpoint_disabled': {
    summary: 'A webhook endpoint was disabled: it answered 410 (gone), or failed for five days (failing)',
    example: { endpoint_id: ID, reason: 'failing', disabled_at: AT },
  },
  'transparency.checkpoint': {
    summary: "The day's signed checkpoint of the log, for every account that subscribes: keep it",
    example: {
      day: '2026-11-21',
      origin: 'kyc.example.org/log/1',
      size: 1_000,
      checkpoint: `kyc.example.org/log/1\n1000\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— kyc.example.org/log/1 ${'A'.repeat(90)}==\n`,
    },
  },
};

interface ValueSchema {
  readonly type: string | readonly string[];
  readonly items?: object;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

const schemaOfValue = (value: unknown): ValueSchema => {
  if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOfValue(value[0]) };
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, schemaOfValue(member)] as const);
    return { type: 'object', properties: Object.fromEntries(members) };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  return { type: typeof value };
};

/** The JSON schema of a type's data. */
export const schemaOf = (type: AnnouncementType): object => {
  const { example, optional = [], nullable = [] } = ANNOUNCED_DATA[type];
  const members = Object.entries(example).map(([name, value]) => {
    const schema = schemaOfValue(value);
    return [name, nullable.includes(name) ? { ...schema, type: [schema.type, 'null'] } : schema] as const;
  });
  const required = Object.keys(example).filter((name) => !optional.includes(name));
  return { type: 'object', properties: Object.fromEntries(members), required, example };
};
