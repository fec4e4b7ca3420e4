import { AT, IDENTITY, LATER, OTHER_UUID, UUID } from '../contract/examples.js';
import { type SliceContract } from '../kernel/contract.js';

export const CREDENTIALS_CONTRACT = {
  tags: {
    Credentials: 'Issue, verify and revoke signed KYC credentials.',
    Wallets: 'What a wallet calls to take a credential that you offered (OpenID4VCI 1.0).',
  },
  operations: {
    issue_credential: { credits: 10, action: 'credential_issued' },
    verify_credential: { credits: 1, action: 'credential_verified' },
  },
  auditActions: {
    credential_issued: 'had a credential issued',
    credential_offered: 'had a credential offered to a wallet',
    offer_withdrawn: 'withdrew an offer',
    credential_verified: 'had a credential verified',
    credential_read: 'read a credential',
    credential_revoked: 'revoked a credential',
    credential_suspended: 'suspended a credential',
    credential_reinstated: 'reinstated a credential',
  },
  rejections: {
    identity_not_eligible: {
      code: 'IDENTITY_NOT_ELIGIBLE',
      detail: 'The network does not attest this identity as the request describes it',
    },
    credential_revoked: { code: 'CONFLICT', detail: 'The credential is revoked, which is final' },
    attestor_distrusted: {
      code: 'CONFLICT',
      detail: 'The attestation behind the credential does not count at present',
    },
    credential_suspended_too_often: {
      code: 'CONFLICT',
      detail: 'The credential was suspended 100 times; revoke it, or leave it as it is',
    },
    offer_ended: { code: 'CONFLICT', detail: 'The offer has ended' },
    offer_redeemed: {
      code: 'CONFLICT',
      detail: 'A wallet has redeemed the offer; revoke the credential instead',
    },
    presentation_state_conflict: { code: 'CONFLICT', detail: 'The presentation does not allow this' },
    credential_not_suspended: { code: 'CONFLICT', detail: 'The credential is not suspended' },
  },
  announcements: {
    'verification.completed': {
      summary: 'A credential was verified and is valid',
      example: { verification_id: UUID, valid: true, request_id: OTHER_UUID, verified_at: AT },
    },
    'verification.failed': {
      summary: 'A credential was verified and is not valid',
      example: { verification_id: UUID, valid: false, request_id: OTHER_UUID, verified_at: AT },
    },
    'credential.issued': {
      summary: 'A credential was issued',
      example: {
        credential_id: `urn:uuid:${UUID}`,
        identity_id: IDENTITY,
        tier: 'Tier2',
        issued_at: AT,
        expires_at: LATER,
      },
    },
    'credential.expiring': {
      summary: 'A credential will expire: 30 and 7 days ahead',
      example: { credential_id: `urn:uuid:${UUID}`, identity_id: IDENTITY, expires_at: LATER, days_left: 30 },
    },
    'credential.revoked': {
      summary: 'A credential was revoked',
      example: { credential_id: `urn:uuid:${UUID}`, cause: 'tenant', revoked_at: AT },
    },
  },
  pathIds: {
    credentials: [UUID, 'The `credential_id`, as it is or as a bare UUID'],
    offers: [UUID, 'The `offer_id`'],
    'openid4vci/offers': ['eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn', 'From the link that the offer was answered with'],
    'verify/request': [UUID, 'The `presentation_id`'],
    'openid4vp/requests': [UUID, 'The `presentation_id`'],
    'openid4vp/responses': [UUID, 'The `presentation_id`'],
    'token-status': ['1', 'The number of the list'],
    status: ['revocation', '`revocation` or `suspension`'],
    '{purpose}': ['1', 'The number of the list'],
  },
} as const satisfies SliceContract;

declare module '../kernel/contract.js' {
  interface ContractParts {
    readonly credentials: typeof CREDENTIALS_CONTRACT;
  }
}
