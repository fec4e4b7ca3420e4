import { Body, Controller, Get, Header, Post, Req } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { isTenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Public } from '../../platform/http/access.js';
import { Answers } from '../../platform/http/answers.js';
import { ListField, TextField } from '../../platform/http/fields.js';
import { ROLES, type Role } from '../../platform/http/request-context.js';
import { asFailure } from '../../platform/http/validate.js';
import { DevelopmentIdentityProvider } from '../tokens/development-provider.js';
import { isLocal } from './loopback.js';

class DevelopmentTokenBody {
  @TextField({ optional: true, description: 'The account that the token names' })
  tenant_id?: string;

  @TextField({ optional: true, description: 'Scopes with blanks between, for example credentials:issue' })
  scope?: string;

  @ListField({ of: ROLES, minItems: 0, optional: true, description: 'Roles of an operator' })
  roles?: Role[];
}

class AccessTokenAnswer {
  @ApiProperty() access_token!: string;
  @ApiProperty({ enum: ['Bearer'] }) token_type!: string;
  @ApiProperty({ type: 'integer', description: 'Seconds' }) expires_in!: number;
}

class KeySetAnswer {
  @ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true } }) keys!: object[];
}

const refuseFromElsewhere = (request: FastifyRequest): void => {
  if (!isLocal(request.raw.socket.remoteAddress, request.headers)) throw refuse('not_found');
};

/** Stands in for an OIDC provider on the developer's own machine; not part of a deployment that has one. */
@ApiTags('Development')
@Controller('dev')
export class DevelopmentProviderController {
  constructor(private readonly provider: DevelopmentIdentityProvider) {}

  @Post('token')
  @Public({ perMinute: 6_000 })
  @Header('Cache-Control', 'no-store')
  @Answers(200, { summary: 'Get an access token; callers on this machine only', type: AccessTokenAnswer })
  async token(@Body() body: DevelopmentTokenBody, @Req() request: FastifyRequest): Promise<AccessTokenAnswer> {
    refuseFromElsewhere(request);
    const { tenant_id: tenantId, scope, roles } = body;
    if (tenantId === undefined && roles === undefined) {
      throw asFailure([{ field: 'tenant_id', code: 'MISSING_FIELD', detail: 'tenant_id or roles is required' }]);
    }
    if (tenantId !== undefined && !isTenantId(tenantId)) {
      throw asFailure([{ field: 'tenant_id', code: 'INVALID_FIELD', detail: 'The id of an account' }]);
    }
    return this.provider.issue({ tenantId, scope, roles });
  }

  @Get('jwks.json')
  @Public()
  @Answers(200, { summary: 'The public keys of the development identity provider', type: KeySetAnswer })
  keys(@Req() request: FastifyRequest): KeySetAnswer {
    refuseFromElsewhere(request);
    return this.provider.keySet;
  }
}
