import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { isUuid } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Context, RequiresKey } from '../../http/access.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { RespondsWith } from '../../http/responses.js';
import { ProofReader } from '../proof-reader.js';
import { ProofResponse } from './proofs.response.js';

@ApiTags('Transparency')
@Controller('api/v1/proofs')
export class ProofsController {
  constructor(private readonly reader: ProofReader) {}

  @Get(':event_id')
  @RequiresKey('compliance')
  @RespondsWith(200, { summary: "Proof that one of the tenant's events stands in the log", type: ProofResponse })
  async getEventProof(
    @Param('event_id') eventId: string,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<ProofResponse> {
    if (!isUuid(eventId)) throw refuse('not_found');
    const proof = await this.reader.inclusion(context.principal.tenantId, eventId);
    if (proof === undefined) throw refuse('not_found');
    return { event_id: eventId, proof };
  }
}
