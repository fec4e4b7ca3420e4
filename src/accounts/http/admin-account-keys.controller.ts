import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, RequiresRole } from '../../http/access.js';
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
import { type OperatorContext } from './command-metadata.js';

/** Lets operators manage any account's keys, so that a tenant that lost its last key regains access. */
@ApiTags('Operators')
@Controller('admin/accounts/:id/keys')
export class AdminAccountKeysController {
  constructor(
    private readonly desk: ApiKeyService,
    private readonly reader: AccountReader,
  ) {}

  @Post()
  @RequiresRole('admin')
  @RespondsWith(201, { summary: 'Create an API key for an account', type: NewApiKeyResponse, refuses: ['CONFLICT'] })
  async createAccountApiKey(
    @Param('id') id: string,
    @Body() body: CreateApiKeyBody,
    @Context() context: OperatorContext,
  ): Promise<NewApiKeyResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.desk.issue(tenantId, body, null, context);
  }

  @Get()
  @RequiresRole('admin', 'support')
  @RespondsWith(200, { summary: 'List an account’s API keys, newest first', type: ApiKeysResponse })
  async listAccountApiKeys(
    @Param('id') id: string,
    @Query() query: ListApiKeysQuery,
    @Context() context: OperatorContext,
  ): Promise<ApiKeysResponse> {
    return this.desk.list(await this.reader.require(id), query, context.principal.roles.has('admin'));
  }

  @Patch(':key_id')
  @RequiresRole('admin')
  @RespondsWith(200, {
    summary: 'Change the cap and the addresses of an account’s API key',
    type: ApiKeyResponse,
    refuses: ['CONFLICT'],
  })
  async limitAccountApiKey(
    @Param('id') id: string,
    @Param('key_id') keyId: string,
    @Body() body: LimitApiKeyBody,
    @Context() context: OperatorContext,
  ): Promise<ApiKeyResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.desk.limit(tenantId, keyId, body, null, context);
  }

  @Post(':key_id/rotate')
  @RequiresRole('admin')
  @RespondsWith(201, { summary: 'Replace an account’s API key', type: NewApiKeyResponse, refuses: ['CONFLICT'] })
  async rotateAccountApiKey(
    @Param('id') id: string,
    @Param('key_id') keyId: string,
    @Body() body: RotateApiKeyBody,
    @Context() context: OperatorContext,
  ): Promise<NewApiKeyResponse> {
    const { tenantId } = await this.reader.require(id);
    return this.desk.rotate(tenantId, keyId, body.overlap_seconds, null, context);
  }

  @Delete(':key_id')
  @RequiresRole('admin')
  @RespondsWith(204, { summary: 'Revoke an account’s API key' })
  async revokeAccountApiKey(
    @Param('id') id: string,
    @Param('key_id') keyId: string,
    @Context() context: OperatorContext,
  ): Promise<void> {
    const { tenantId } = await this.reader.require(id);
    await this.desk.revoke(tenantId, keyId, context);
  }
}
