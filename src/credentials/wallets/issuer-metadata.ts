import { type WalletFormat } from '../domain/offer.events.js';
import { ATTESTATION_TYPE, type DisclosedClaims } from '../domain/wallet-credential.js';

/** Keys that one request may bring, so that no two copies are alike (OpenID4VCI 1.0, section 8.2). */
export const MAX_BATCH = 10;

/** The signatures of wallets that are accepted. */
export const PROOF_ALGORITHMS = ['ES256', 'ES384', 'EdDSA'] as const;

export const PRE_AUTHORIZED = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

/** The ids of the forms in which a wallet may take a credential. */
export const CONFIGURATIONS = {
  kyc_attestation_sd_jwt: 'dc+sd-jwt',
  kyc_credential_jwt: 'jwt_vc_json',
} as const satisfies Readonly<Record<string, WalletFormat>>;

export type ConfigurationId = keyof typeof CONFIGURATIONS;

export const CONFIGURATION_IDS = Object.keys(CONFIGURATIONS) as ConfigurationId[];

export const PATHS = {
  offer: 'openid4vci/offers',
  token: 'openid4vci/token',
  nonce: 'openid4vci/nonce',
  credential: 'openid4vci/credential',
  notification: 'openid4vci/notification',
  type: 'credentials/types/attestation-1',
} as const;

const LOOK = { background_color: '#1d4ed8', text_color: '#ffffff' } as const;

const CLAIM_NAMES: Readonly<Record<keyof DisclosedClaims, string>> = {
  full_name: 'Full name',
  tier: 'Tier',
  phone_number: 'Phone number',
  verified_at: 'Verified on',
  age_over_18: 'Is 18 or older',
  attested_by: 'Attested by',
};

const claims = Object.entries(CLAIM_NAMES).map(([name, shown]) => ({
  path: [name] as [string],
  display: [{ name: shown, locale: 'en' }],
}));

const shownAs = (name: string) => ({ credential_metadata: { display: [{ name, locale: 'en', ...LOOK }], claims } });

/** The metadata of the credential issuer (OpenID4VCI 1.0, section 12.2). */
export const credentialIssuerMetadata = (baseUrl: string) => ({
  credential_issuer: baseUrl,
  credential_endpoint: `${baseUrl}/${PATHS.credential}`,
  nonce_endpoint: `${baseUrl}/${PATHS.nonce}`,
  notification_endpoint: `${baseUrl}/${PATHS.notification}`,
  batch_credential_issuance: { batch_size: MAX_BATCH },
  display: [{ name: 'KYC attestation network', locale: 'en' }],
  credential_configurations_supported: {
    kyc_attestation_sd_jwt: {
      format: 'dc+sd-jwt' as const,
      vct: ATTESTATION_TYPE,
      cryptographic_binding_methods_supported: ['jwk', 'did:jwk'],
      credential_signing_alg_values_supported: ['EdDSA'],
      proof_types_supported: { jwt: { proof_signing_alg_values_supported: [...PROOF_ALGORITHMS] } },
      ...shownAs('KYC attestation'),
    },
    kyc_credential_jwt: {
      format: 'jwt_vc_json' as const,
      credential_definition: { type: ['VerifiableCredential', 'KYCCredential'] },
      credential_signing_alg_values_supported: ['EdDSA'],
      ...shownAs('KYC credential'),
    },
  },
});

/** The metadata of the authorization server, which is the issuer itself (RFC 8414; OpenID4VCI 1.0, section 12.3). */
export const authorizationServerMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  token_endpoint: `${baseUrl}/${PATHS.token}`,
  token_endpoint_auth_methods_supported: ['none'],
  grant_types_supported: [PRE_AUTHORIZED],
  response_types_supported: [],
  'pre-authorized_grant_anonymous_access_supported': true,
});

/** What the credential says (SD-JWT VC, type metadata). */
export const typeMetadata = () => ({
  vct: ATTESTATION_TYPE,
  name: 'KYC attestation',
  description: 'A member of the network verified this person.',
  display: [{ locale: 'en', name: 'KYC attestation', rendering: { simple: LOOK } }],
  claims: claims.map((claim) => ({ ...claim, sd: 'always' })),
});
