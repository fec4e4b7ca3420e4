import { daysLeft } from '../../kernel/expiry-notices.js';
import { type Announcement, type Announcer } from '../../kernel/announcement.js';
import { type StoredEvent } from '../../kernel/events.js';
import {
  type AttestedRecord,
  EXTERNAL_ID_FIELD,
  IDENTITY_STREAM_PREFIX,
  type IdentityEvent,
} from './identity.events.js';

const recordOf = ({ identityId, ingestionId, recordIndex, kycStatus, tier }: AttestedRecord) => ({
  identity_id: identityId,
  ingestion_id: ingestionId,
  record_index: recordIndex,
  kyc_status: kycStatus,
  kyc_level: tier,
});

const withCallersId = (announcement: Announcement, { externalId }: AttestedRecord): Announcement =>
  externalId === undefined
    ? announcement
    : { ...announcement, sealed: { field: EXTERNAL_ID_FIELD, envelope: externalId, member: 'external_id' } };

/** Of the record rather than of IdentityFlagged, which reports PENDING_REVIEW alone. */
const flagged = (record: AttestedRecord): Announcement[] => {
  const { identityId, ingestionId, recordIndex, kycStatus, receivedAt } = record;
  if (kycStatus !== 'PENDING_REVIEW' && kycStatus !== 'REJECTED') return [];
  const place = { identity_id: identityId, ingestion_id: ingestionId, record_index: recordIndex };
  const data = { ...place, kyc_status: kycStatus, flagged_at: receivedAt };
  return [withCallersId({ type: 'identity.flagged', data }, record)];
};

const announce = ({ type, data }: IdentityEvent): Announcement[] => {
  switch (type) {
    case 'IdentityIngested.v1':
      return [
        withCallersId({ type: 'identity.created', data: { ...recordOf(data), created_at: data.receivedAt } }, data),
        ...flagged(data),
      ];
    case 'IdentityUpdated.v1':
      return [
        withCallersId({ type: 'identity.updated', data: { ...recordOf(data), updated_at: data.receivedAt } }, data),
        ...flagged(data),
      ];
    case 'IdentityVerified.v1': {
      const { identityId, tier, verifiedAt, kycExpiresAt, confidence } = data;
      const expiry = kycExpiresAt === null ? {} : { kyc_expires_at: kycExpiresAt };
      const verified = {
        identity_id: identityId,
        kyc_level: tier,
        confidence_score: confidence,
        verified_at: verifiedAt,
      };
      return [{ type: 'identity.verified', data: { ...verified, ...expiry } }];
    }
    case 'IdentityExpiring.v1': {
      const { identityId, kycExpiresAt, noticedAt } = data;
      const days = daysLeft(kycExpiresAt, noticedAt);
      return [
        { type: 'identity.expiring', data: { identity_id: identityId, kyc_expires_at: kycExpiresAt, days_left: days } },
      ];
    }
    case 'IdentityExpired.v1': {
      const { identityId, kycExpiresAt, expiredAt } = data;
      const expired = { identity_id: identityId, kyc_expires_at: kycExpiresAt, expired_at: expiredAt };
      return [{ type: 'identity.expired', data: expired }];
    }
    case 'IdentityDeleted.v1': {
      const { identityId, deletedAt, purgeAt, atOnce } = data;
      const stage = atOnce === true ? 'erased' : 'soft';
      const deleted = { identity_id: identityId, stage, deleted_at: deletedAt, purge_at: purgeAt };
      return [{ type: 'identity.deleted', data: deleted }];
    }
    case 'IdentityRestored.v1':
      return [{ type: 'identity.restored', data: { identity_id: data.identityId, restored_at: data.restoredAt } }];
    case 'IdentityErased.v1': {
      const erased = { identity_id: data.identityId, stage: 'hard', deleted_at: data.erasedAt };
      return [{ type: 'identity.deleted', data: erased }];
    }
    case 'IdentityErasureDecided.v1': {
      const lost = { identity_id: data.identityId, stage: 'lost', deleted_at: data.decidedAt };
      return data.reason === 'data_lost' ? [{ type: 'identity.deleted', data: lost }] : [];
    }
    case 'ErasureProposed.v1':
    case 'ErasureRejected.v1':
    case 'IdentityFlagged.v1':
      return [];
  }
};

export const identityAnnouncer: Announcer = {
  streamPrefixes: [IDENTITY_STREAM_PREFIX],
  eventTypes: [
    'IdentityIngested.v1',
    'IdentityUpdated.v1',
    'IdentityVerified.v1',
    'IdentityExpiring.v1',
    'IdentityExpired.v1',
    'IdentityDeleted.v1',
    'IdentityRestored.v1',
    'IdentityErasureDecided.v1',
    'IdentityErased.v1',
  ] satisfies readonly IdentityEvent['type'][],
  announce: (event) => announce(event as StoredEvent & IdentityEvent),
};
