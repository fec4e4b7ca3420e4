import { type Announcement, type Announcer } from '../kernel/announcement.js';
import { type StoredEvent } from '../kernel/events.js';
import { daysLeft } from '../kernel/expiry-notices.js';
import { jtiOf } from './domain/credential-claims.js';
import {
  CREDENTIAL_STREAM_PREFIX,
  type CredentialExpiring,
  type CredentialIssued,
  type CredentialRevoked,
} from './domain/credential.events.js';

type Announced = CredentialIssued | CredentialExpiring | CredentialRevoked;

/** credential.issued, credential.expiring and credential.revoked, to the tenant that issued it. */
export const credentialAnnouncer: Announcer = {
  streamPrefixes: [CREDENTIAL_STREAM_PREFIX],
  eventTypes: [
    'CredentialIssued.v1',
    'CredentialExpiring.v1',
    'CredentialRevoked.v1',
  ] satisfies readonly Announced['type'][],
  announce: (event: StoredEvent): readonly Announcement[] => {
    const { type, data } = event as Announced & StoredEvent;
    const credential_id = jtiOf(data.credentialId);
    if (type === 'CredentialRevoked.v1') {
      const { cause, changedAt: revoked_at } = data;
      return [{ type: 'credential.revoked', data: { credential_id, cause, revoked_at } }];
    }
    if (type === 'CredentialExpiring.v1') {
      const { identityId: identity_id, expiresAt: expires_at, noticedAt } = data;
      const days_left = daysLeft(expires_at, noticedAt);
      return [{ type: 'credential.expiring', data: { credential_id, identity_id, expires_at, days_left } }];
    }
    const { identityId: identity_id, tier, issuedAt: issued_at, expiresAt: expires_at } = data;
    return [{ type: 'credential.issued', data: { credential_id, identity_id, tier, issued_at, expires_at } }];
  },
};
