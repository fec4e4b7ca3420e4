import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Pagination } from '../../http/pagination.js';
import { CREDENTIAL_STATUSES, type CredentialRow } from '../../../projections/credentials/credentials.queries.js';
import { type Conclusion } from '../../kernel/charging.js';
import { type Tier, TIERS } from '../../kernel/kyc.js';
import { type OpenedCredential } from '../credential-reader.js';
import { type Verification } from '../credential-verifier.js';
import { jtiOf } from '../domain/credential-claims.js';
import { type CredentialStatus } from '../domain/credential.js';
import { CHECKS, type Checks, FAULTS, type VerificationFault, WALLET_CHECKS } from '../domain/verification.js';

const JTI = 'urn:uuid:0b9c3d2e-6c1f-4f0e-9a58-0f6f3f6f6a11';

export class IssuanceResponse {
  @ApiProperty({ enum: ['issued'] })
  status!: 'issued';

  @ApiProperty({ description: 'The credential: a JWT with alg EdDSA' })
  token!: string;

  @ApiProperty({ description: 'The key that signed it: SPKI in PEM' })
  public_key!: string;

  @ApiProperty({ example: JTI, description: 'The jti of the token' })
  credential_id!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;
}

const VERDICTS = { type: 'string', enum: ['passed', 'failed', 'not_checked'] } as const;

export class VerificationResponse {
  @ApiProperty()
  valid!: boolean;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'The claims; only when valid' })
  payload?: Readonly<Record<string, unknown>>;

  @ApiPropertyOptional({ description: 'Why it is not valid; only when it is not' })
  error?: string;

  @ApiPropertyOptional({ enum: Object.keys(FAULTS) })
  code?: VerificationFault;

  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries([...CHECKS, ...WALLET_CHECKS].map((check) => [check, VERDICTS])),
    selfRequired: true,
    required: [...CHECKS],
    description: 'disclosures and key_binding: of what a wallet presents alone',
  })
  checks!: Checks;
}

const PASSED = Object.fromEntries(CHECKS.map((check) => [check, 'passed'])) as Checks;

/** Both outcomes, for the documentation. */
export const VERIFICATION_EXAMPLES: Readonly<Record<string, VerificationResponse>> = {
  'Genuine and in force': {
    valid: true,
    payload: {
      iss: 'did:web:kyc.example.org',
      sub: 'did:kyc:user:5f2b7c1d9e0a4836',
      vc: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential', 'KYCCredential'],
        credentialSubject: { id: 'did:kyc:user:5f2b7c1d9e0a4836', full_name: 'Maria Example', tier: 'Tier2' },
      },
    },
    checks: PASSED,
  },
  Revoked: { valid: false, error: FAULTS.REVOKED, code: 'REVOKED', checks: { ...PASSED, status: 'failed' } },
};

export const toVerificationResponse = (verification: Verification): VerificationResponse =>
  verification.valid
    ? { valid: true, payload: verification.payload, checks: verification.checks }
    : {
        valid: false,
        error: FAULTS[verification.fault],
        code: verification.fault,
        checks: verification.checks,
      };

/** How the audit log and the caller hear of a verification. */
export const conclusionOf = (verification: Verification): Conclusion => ({
  action: 'credential_verified',
  result: verification.valid ? 'valid' : 'invalid',
  status: 200,
  identityHash: verification.identityHash,
  body: toVerificationResponse(verification),
});

class StatusListResponse {
  @ApiProperty({ format: 'uri', example: 'https://kyc.example.org/credentials/status/revocation/1' })
  url!: string;

  @ApiProperty({ type: 'integer', description: 'The place of the credential in the list' })
  index!: number;
}

export class CredentialChangeResponse {
  @ApiProperty({ example: JTI })
  credential_id!: string;

  @ApiProperty({ enum: CREDENTIAL_STATUSES })
  status!: CredentialStatus;

  @ApiProperty({ type: String, nullable: true, description: 'Of the last change' })
  reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Of the last change' })
  changed_at!: string | null;

  @ApiProperty({ type: StatusListResponse })
  status_list!: StatusListResponse;
}

export class CredentialSummary {
  @ApiProperty({ example: JTI })
  credential_id!: string;

  @ApiProperty({ example: 'idn_6d443b47d9f1b06b3fd7f492f9561458' })
  identity_id!: string;

  @ApiProperty({ enum: CREDENTIAL_STATUSES })
  status!: CredentialStatus;

  @ApiProperty({ enum: TIERS })
  tier!: Tier;

  @ApiProperty({ format: 'date-time' })
  issued_at!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Of the last change of its status' })
  changed_at!: string | null;
}

export class CredentialResponse extends CredentialChangeResponse {
  @ApiProperty({ example: 'idn_6d443b47d9f1b06b3fd7f492f9561458' })
  identity_id!: string;

  @ApiProperty({ enum: TIERS })
  tier!: Tier;

  @ApiProperty({ format: 'date-time' })
  issued_at!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The credential as it was issued; null once the person was erased',
  })
  token!: string | null;
}

export class CredentialListResponse {
  @ApiProperty({ type: [CredentialSummary] })
  credentials!: CredentialSummary[];

  @ApiProperty({ type: Pagination })
  pagination!: Pagination;
}

type ChangeMembers = Pick<CredentialChangeResponse, keyof CredentialChangeResponse>;

export const toChangeResponse = (opened: OpenedCredential): ChangeMembers => ({
  credential_id: jtiOf(opened.issued.credentialId),
  status: opened.status,
  reason: opened.reason,
  changed_at: opened.changedAt,
  status_list: { url: opened.statusListUrl, index: opened.issued.status.index },
});

export const toCredentialResponse = (
  opened: OpenedCredential & { readonly token: string | null },
): CredentialResponse => ({
  ...toChangeResponse(opened),
  identity_id: opened.issued.identityId,
  tier: opened.issued.tier,
  issued_at: opened.issued.issuedAt,
  expires_at: opened.issued.expiresAt,
  token: opened.token,
});

export const toSummary = (row: CredentialRow): CredentialSummary => ({
  credential_id: jtiOf(row.credentialId),
  identity_id: row.identityId,
  status: row.status,
  tier: row.tier,
  issued_at: row.issuedAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  changed_at: row.changedAt?.toISOString() ?? null,
});
