import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey } from '../../../http/access.js';
import { paginationOf } from '../../../http/pagination.js';
import { type RequestContext, type TenantPrincipal } from '../../../http/request-context.js';
import { RespondsWith } from '../../../http/responses.js';
import { isUuid } from '../../../kernel/ids.js';
import { refuse } from '../../../kernel/rejection.js';
import { type CredentialTarget } from '../../credential-repository.js';
import { OfferReader } from '../offer-reader.js';
import { WithdrawOffer } from '../wallet.commands.js';
import { OffersQuery } from './offers.dto.js';
import { OfferListResponse, OfferResponse, toOffer, toOfferSummary } from './offers.response.js';

type Caller = RequestContext<TenantPrincipal>;

const targetOf = (offerId: string, { principal: { tenantId } }: Caller): CredentialTarget => {
  if (!isUuid(offerId)) throw refuse('not_found');
  return { tenantId, credentialId: offerId };
};

@ApiTags('Credentials')
@Controller('api/v1/offers')
export class OffersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly reader: OfferReader,
  ) {}

  @Get()
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'What you offered to wallets, newest first', type: OfferListResponse })
  async listOffers(@Query() query: OffersQuery, @Context() context: Caller): Promise<OfferListResponse> {
    const filter = { tenantId: context.principal.tenantId, status: query.status };
    const { rows, total } = await this.reader.page(filter, query);
    return { offers: rows.map(toOfferSummary), pagination: paginationOf(query, { total, shown: rows.length }) };
  }

  @Get(':offer_id')
  @RequiresKey('credentials')
  @RespondsWith(200, { summary: 'An offer, with its link while it waits for a wallet', type: OfferResponse })
  async getOffer(@Param('offer_id') offerId: string, @Context() context: Caller): Promise<OfferResponse> {
    return toOffer(await this.reader.open(targetOf(offerId, context)));
  }

  @Post(':offer_id/withdraw')
  @RequiresKey('credentials')
  @RespondsWith(200, {
    summary: 'Withdraw an offer that no wallet has redeemed; its credits come back',
    type: OfferResponse,
    refuses: ['CONFLICT'],
  })
  async withdrawOffer(@Param('offer_id') offerId: string, @Context() context: Caller): Promise<OfferResponse> {
    const target = targetOf(offerId, context);
    await this.commands.execute(new WithdrawOffer({ ...target, access: context }));
    return toOffer(await this.reader.open(target));
  }
}
