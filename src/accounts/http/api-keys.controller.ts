import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresKey } from '../../http/access.js';
import { RespondsWith } from '../../http/responses.js';
import { AccountReader } from '../account-reader.js';
import { ApiKeyService } from './api-key.service.js';
import {
  ApiKeyResponse,
  ApiKeysResponse,
  CreateApiKeyBody,
  LimitApiKeyBody,
  ListApiKeysQuery,
  NewApiKeyResponse,
  RotateApiKeyBody,
} from './api-key.dto.js';
import { type KeyContext } from './command-metadata.js';

/** Lets a tenant manage its own keys. */
@ApiTags('API keys')
@Controller('api/v1/keys')
export class ApiKeysController {
  constructor(
    private readonly desk: ApiKeyService,
    private readonly reader: AccountReader,
  ) {}

  @Post()
  @RequiresKey('keys')
  @RespondsWith(201, {
    summary: 'Create an API key; it grants at most what the calling key may',
    type: NewApiKeyResponse,
    refuses: ['CONFLICT'],
  })
  createApiKey(@Body() body: CreateApiKeyBody, @Context() context: KeyContext): Promise<NewApiKeyResponse> {
    return this.desk.issue(context.principal.tenantId, body, context.principal.actorId, context);
  }

  @Get()
  @RequiresKey('keys')
  @RespondsWith(200, { summary: 'List API keys, newest first', type: ApiKeysResponse })
  async listApiKeys(@Query() query: ListApiKeysQuery, @Context() context: KeyContext): Promise<ApiKeysResponse> {
    return this.desk.list(await this.reader.require(context.principal.tenantId), query, true);
  }

  @Patch(':id')
  @RequiresKey('keys')
  @RespondsWith(200, {
    summary: 'Change the cap and the addresses of an API key; it gets at most what the calling key has',
    type: ApiKeyResponse,
    refuses: ['CONFLICT'],
  })
  limitApiKey(
    @Param('id') keyId: string,
    @Body() body: LimitApiKeyBody,
    @Context() context: KeyContext,
  ): Promise<ApiKeyResponse> {
    const { tenantId, actorId: grantedBy } = context.principal;
    return this.desk.limit(tenantId, keyId, body, grantedBy, context);
  }

  @Post(':id/rotate')
  @RequiresKey('keys')
  @RespondsWith(201, {
    summary: 'Replace an API key; the old one lives on for the overlap',
    type: NewApiKeyResponse,
    refuses: ['CONFLICT'],
  })
  rotateApiKey(
    @Param('id') keyId: string,
    @Body() body: RotateApiKeyBody,
    @Context() context: KeyContext,
  ): Promise<NewApiKeyResponse> {
    const { tenantId, actorId: grantedBy } = context.principal;
    return this.desk.rotate(tenantId, keyId, body.overlap_seconds, grantedBy, context);
  }

  @Delete(':id')
  @RequiresKey('keys')
  @RespondsWith(204, { summary: 'Revoke an API key' })
  revokeApiKey(@Param('id') keyId: string, @Context() context: KeyContext): Promise<void> {
    return this.desk.revoke(context.principal.tenantId, keyId, context);
  }
}
