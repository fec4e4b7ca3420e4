import { type Announcement, type Announcer } from '../kernel/announcement.js';
import { type StoredEvent } from '../kernel/events.js';
import { jtiOf } from './domain/credential-claims.js';
import { CREDENTIAL_STREAM_PREFIX, type CredentialIssued, type CredentialRevoked } from './domain/credential.events.js';

type Announced = CredentialIssued | CredentialRevoked;

/** credential.issued and credential.revoked, to the tenant that issued it. */
export const credentialAnnouncer: Announcer = {
  streamPrefixes: [CREDENTIAL_STREAM_PREFIX],
  eventTypes: ['CredentialIssued.v1', 'CredentialRevoked.v1'] satisfies readonly Announced['type'][],
  announce: (event: StoredEvent): readonly Announcement[] => {
    const { type, data } = event as Announced & StoredEvent;
    const credential_id = jtiOf(data.credentialId);
    if (type === 'CredentialRevoked.v1') {
      const { cause, changedAt: revoked_at } = data;
      return [{ type: 'credential.revoked', data: { credential_id, cause, revoked_at } }];
    }
    const { identityId: identity_id, tier, issuedAt: issued_at, expiresAt: expires_at } = data;
    return [{ type: 'credential.issued', data: { credential_id, identity_id, tier, issued_at, expires_at } }];
  },
};
