import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Post,
  UseGuards,
} from '@nestjs/common';
import { ApiHeader, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { type JSONWebKeySet } from 'jose';
import { isTenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Public } from '../../http/access.js';
import { PublicKeySet } from '../../http/public-keys.response.js';
import { RespondsWith } from '../../http/responses.js';
import { ListField, TextField } from '../../http/fields.js';
import { ROLES, type Role } from '../../http/request-context.js';
import { asFailure } from '../../http/validate.js';
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

const refuseFromElsewhere = (execution: ExecutionContext): FastifyRequest => {
  const request = execution.switchToHttp().getRequest<FastifyRequest>();
  if (!isLocal(request.raw.socket.remoteAddress, request.headers)) throw refuse('not_found');
  return request;
};

@Injectable()
class LocalhostGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    refuseFromElsewhere(execution);
    return true;
  }
}

/** A proxy on this machine makes every call look local. So only the secret proves that a caller may have tokens. */
@Injectable()
class KnowsSecret implements CanActivate {
  constructor(private readonly provider: DevelopmentIdentityProvider) {}

  canActivate(execution: ExecutionContext): boolean {
    const secret = refuseFromElsewhere(execution).headers['x-dev-secret'];
    if (typeof secret === 'string' && this.provider.admits(secret)) return true;
    const detail = 'The header X-Dev-Secret must be the dev_secret that stands in demo-account.json';
    throw refuse(secret === undefined ? 'missing_token' : 'invalid_token', { detail });
  }
}

/** Replaces an OIDC provider on a developer's own machine. Deployments with a provider do not include it. */
@ApiTags('Development')
@Controller('dev')
export class DevelopmentProviderController {
  constructor(private readonly provider: DevelopmentIdentityProvider) {}

  @Post('token')
  @Public({ perMinute: 6_000 })
  @UseGuards(KnowsSecret)
  @ApiHeader({ name: 'X-Dev-Secret', required: true, description: 'The dev_secret of demo-account.json' })
  @RespondsWith(200, {
    summary: 'Get an access token; on this machine, with its secret',
    type: AccessTokenAnswer,
    refuses: ['NOT_FOUND'],
  })
  async createDevelopmentToken(@Body() body: DevelopmentTokenBody): Promise<AccessTokenAnswer> {
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
  @UseGuards(LocalhostGuard)
  @RespondsWith(200, {
    summary: 'The public keys of the development identity provider',
    type: PublicKeySet,
    refuses: ['NOT_FOUND'],
  })
  getDevelopmentKeys(): JSONWebKeySet {
    return this.provider.keySet;
  }
}
