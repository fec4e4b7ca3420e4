import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type JSONWebKeySet } from 'jose';
import { PublicKeySet } from '../../platform/http/public-keys.response.js';
import { SigningKeys } from '../../platform/crypto/signing-keys.js';
import { Public } from '../../platform/http/access.js';
import { RespondsWith } from '../../platform/http/responses.js';
import { PUBLIC_DOCUMENT } from '../../platform/http/caching.js';

@ApiTags('Public documents')
@Controller('.well-known')
export class PublishedKeysController {
  constructor(private readonly keys: SigningKeys) {}

  @Get('jwks.json')
  @Public()
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, { summary: 'Every public key that the service has ever signed with', type: PublicKeySet })
  getPublicKeys(): Promise<JSONWebKeySet> {
    return this.keys.published();
  }
}
