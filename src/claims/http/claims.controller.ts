import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ClaimQueries } from '../../../projections/claims/claims.queries.js';
import { Charging, type Conclusion } from '../../kernel/charging.js';
import { type Clock } from '../../kernel/clock.js';
import { isUuid, newUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../http/responses.js';
import { CLOCK } from '../../platform/tokens.js';
import { RequestedClaims } from '../requested-claims.js';
import { ClaimRecords } from '../claim-records.js';
import { type HeldClaim } from '../domain/claim.js';
import { type ClaimDecision, HeldClaims } from '../held-claims.js';
import { ApprovalBody, ClaimBody, ListClaimsQuery } from './claims.dto.js';
import {
  ClaimAccepted,
  ClaimDecisionResponse,
  ClaimListResponse,
  ClaimRecordResponse,
  ClaimResponse,
  toClaimList,
  toClaimRecords,
  toClaimResponse,
} from './claims.response.js';

type Caller = RequestContext<TenantPrincipal>;

/** Milliseconds that an answer waits for the read model, so that a later read shows the claim as it is now. */
const VISIBLE_BUDGET_MS = 1_000;

const checkedId = (claimId: string): string => {
  if (!isUuid(claimId)) throw refuse('not_found');
  return claimId;
};

const decisionOf = (claimId: string, context: Caller): ClaimDecision => ({
  tenantId: context.principal.tenantId,
  claimId: checkedId(claimId),
  decisionId: context.keyed?.effectId('claim-decision') ?? newUuid(),
  repeated: context.keyed?.repeated === true,
  access: context,
});

const decided = (claimId: string, { status, fields, decidedAt, grantExpiresAt }: HeldClaim): ClaimDecisionResponse => ({
  claim_id: claimId,
  status,
  decided_at: decidedAt ?? '',
  ...(grantExpiresAt === null ? {} : { fields, expires_at: grantExpiresAt }),
});

@ApiTags('Claims')
@Controller('api/v1/claims')
export class ClaimsController {
  constructor(
    private readonly charging: Charging,
    private readonly requestedClaims: RequestedClaims,
    private readonly held: HeldClaims,
    private readonly records: ClaimRecords,
    private readonly queries: ClaimQueries,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Post()
  @RequiresKey('data')
  @RespondsWith(202, {
    summary: 'Ask whoever attests a person for its record',
    description: 'The answer is the same whether or not anybody attests the person.',
    type: ClaimAccepted,
    charged: 'request_claim',
    refuses: ['CONFLICT'],
  })
  async requestClaim(
    @Body() { email, phone_number: phone, purpose }: ClaimBody,
    @Context() context: Caller,
  ): Promise<RawResponse> {
    const { tenantId } = context.principal;
    const identityHash = this.hashes.identityHash(email, phone);
    const answer = await this.charging.charge({
      tenantId,
      operation: 'request_claim',
      access: context,
      caps: context.principal.caps,
      identityHash,
      keyed: context.keyed,
      kind: 'effect',
      run: async (_deadline, claimId) => ({
        claimId,
        expiresAt: await this.requestedClaims.request({ tenantId, claimId, identityHash, purpose, access: context }),
      }),
      conclude: ({ claimId, expiresAt }): Conclusion => ({
        action: 'claim_requested',
        result: 'ok',
        status: 202,
        body: { claim_id: claimId, status: 'requested', expires_at: expiresAt },
        owner: { kind: 'subject', email, phone },
      }),
    });
    return charged(answer);
  }

  @Get()
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'The claims of the account, by its role in them', type: ClaimListResponse })
  async listClaims(@Query() query: ListClaimsQuery, @Context() { principal }: Caller): Promise<ClaimListResponse> {
    const { role, identity_id: identityId, limit, offset } = query;
    const page = await this.queries.page(principal.tenantId, { role, identityId, limit, offset });
    return toClaimList(page, query, this.clock.now());
  }

  @Get(':id')
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'A claim, as the account sees it', type: ClaimResponse })
  async getClaim(@Param('id') id: string, @Context() { principal }: Caller): Promise<ClaimResponse> {
    const claim = await this.queries.find(principal.tenantId, checkedId(id));
    if (claim === undefined) throw refuse('not_found');
    return toClaimResponse(claim, this.clock.now());
  }

  @Post(':id/approve')
  @RequiresKey('data')
  @RespondsWith(200, {
    summary: 'Let the asker read fields of the record for 30 days',
    type: ClaimDecisionResponse,
    refuses: ['CONFLICT'],
  })
  async approveClaim(
    @Param('id') id: string,
    @Body() { fields }: ApprovalBody,
    @Context() context: Caller,
  ): Promise<ClaimDecisionResponse> {
    const { state, position } = await this.held.approve(decisionOf(id, context), fields);
    await this.shown(position);
    return decided(id, state);
  }

  @Post(':id/reject')
  @RequiresKey('data')
  @RespondsWith(200, { summary: 'Reject a claim', type: ClaimDecisionResponse, refuses: ['CONFLICT'] })
  async rejectClaim(@Param('id') id: string, @Context() context: Caller): Promise<ClaimDecisionResponse> {
    const { state, position } = await this.held.reject(decisionOf(id, context));
    await this.shown(position);
    return decided(id, state);
  }

  @Get(':id/record')
  @RequiresKey('data')
  @RespondsWith(200, {
    summary: 'The approved fields of the attested record',
    type: ClaimRecordResponse,
    refuses: ['CONFLICT'],
  })
  async getClaimRecord(@Param('id') id: string, @Context() context: Caller): Promise<ClaimRecordResponse> {
    const read = await this.records.read(context.principal.tenantId, checkedId(id), context);
    return toClaimRecords(id, read);
  }

  /** The decision is durable whether or not the read model shows it yet. */
  private async shown(position: bigint | undefined): Promise<void> {
    if (position !== undefined) await this.queries.reaches(position, VISIBLE_BUDGET_MS).catch(() => false);
  }
}
