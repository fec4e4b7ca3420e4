import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Pagination, paginationOf } from '../../http/pagination.js';
import { type ApprovalRow, type ClaimPage, type ClaimRow } from '../../../projections/claims/claims.queries.js';
import { type ReadRecord } from '../claim-records.js';
import { CLAIM_FIELDS, CLAIM_PURPOSES } from '../domain/claims.events.js';

const STATUSES = ['requested', 'approved', 'rejected'] as const;
const FIELDS = { enum: [...CLAIM_FIELDS], isArray: true };

export class ClaimAccepted {
  @ApiProperty({ format: 'uuid' })
  claim_id!: string;

  @ApiProperty({ enum: ['requested'], description: 'The same whether or not anybody attests the person' })
  status!: string;

  @ApiProperty({ format: 'date-time', description: 'Without an approval, the claim is rejected at this time' })
  expires_at!: string;
}

class ApprovalAnswer {
  @ApiProperty({ description: 'The organisation that attests the person' })
  attested_by!: string;

  @ApiProperty(FIELDS)
  fields!: readonly string[];

  @ApiProperty({ format: 'date-time' })
  approved_at!: string;

  @ApiProperty({ format: 'date-time', description: 'Until when the record can be read' })
  expires_at!: string;
}

export class ClaimResponse {
  @ApiProperty({ format: 'uuid' })
  claim_id!: string;

  @ApiProperty({ enum: ['asker', 'holder'] })
  role!: string;

  @ApiProperty({ enum: STATUSES })
  status!: string;

  @ApiProperty({ enum: CLAIM_PURPOSES })
  purpose!: string;

  @ApiProperty({ format: 'date-time' })
  requested_at!: string;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiPropertyOptional({ type: [ApprovalAnswer], description: "An asker's: who approved, and what" })
  approvals?: ApprovalAnswer[];

  @ApiPropertyOptional({ description: "A holder's: the organisation that asks" })
  requested_by?: string;

  @ApiPropertyOptional({ description: "A holder's: its own identity of the person" })
  identity_id?: string;

  @ApiPropertyOptional({ ...FIELDS, description: "A holder's: the fields that it approved" })
  fields?: readonly string[];

  @ApiPropertyOptional({ format: 'date-time', description: "A holder's: until when its approval can be used" })
  grant_expires_at?: string;
}

export class ClaimListResponse {
  @ApiProperty({ type: [ClaimResponse] })
  claims!: ClaimResponse[];

  @ApiProperty({ type: Pagination })
  pagination!: Pagination;
}

export class ClaimDecisionResponse {
  @ApiProperty({ format: 'uuid' })
  claim_id!: string;

  @ApiProperty({ enum: ['approved', 'rejected'] })
  status!: string;

  @ApiProperty({ format: 'date-time' })
  decided_at!: string;

  @ApiPropertyOptional({ ...FIELDS, description: 'Of an approval' })
  fields?: readonly string[];

  @ApiPropertyOptional({ format: 'date-time', description: 'Of an approval: until when the asker may read the record' })
  expires_at?: string;
}

class ClaimedRecord extends ApprovalAnswer {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'The approved fields of the present record, named as in an ingestion; a field without a value is absent',
  })
  record!: Readonly<Record<string, unknown>>;
}

export class ClaimRecordResponse {
  @ApiProperty({ format: 'uuid' })
  claim_id!: string;

  @ApiProperty({ type: [ClaimedRecord], description: 'One for each approval that can be used' })
  records!: ClaimedRecord[];
}

const toApproval = ({ attestedBy, fields, approvedAt, expiresAt }: ApprovalRow): ApprovalAnswer => ({
  attested_by: attestedBy,
  fields,
  approved_at: new Date(approvedAt).toISOString(),
  expires_at: new Date(expiresAt).toISOString(),
});

/** From its end on an undecided claim is rejected, even before the event of it. */
const statusOf = ({ status, expiresAt }: ClaimRow, now: Date): string =>
  status === 'requested' && expiresAt <= now ? 'rejected' : status;

export const toClaimResponse = (claim: ClaimRow, now: Date): ClaimResponse => ({
  claim_id: claim.claimId,
  role: claim.role,
  status: statusOf(claim, now),
  purpose: claim.purpose,
  requested_at: claim.requestedAt.toISOString(),
  expires_at: claim.expiresAt.toISOString(),
  ...(claim.role === 'asker' ? { approvals: claim.approvals.map(toApproval) } : {}),
  ...(claim.requestedBy === null ? {} : { requested_by: claim.requestedBy }),
  ...(claim.identityId === null ? {} : { identity_id: claim.identityId }),
  ...(claim.fields === null ? {} : { fields: claim.fields }),
  ...(claim.grantExpiresAt === null ? {} : { grant_expires_at: claim.grantExpiresAt.toISOString() }),
});

export const toClaimList = (
  { claims, total }: ClaimPage,
  page: { readonly limit: number; readonly offset: number },
  now: Date,
): ClaimListResponse => ({
  claims: claims.map((claim) => toClaimResponse(claim, now)),
  pagination: paginationOf(page, { total, shown: claims.length }),
});

export const toClaimRecords = (claimId: string, read: readonly ReadRecord[]): ClaimRecordResponse => ({
  claim_id: claimId,
  records: read.map(({ grant, record }) => ({
    attested_by: grant.attestedBy,
    fields: grant.fields,
    approved_at: grant.grantedAt,
    expires_at: grant.expiresAt,
    record,
  })),
});
