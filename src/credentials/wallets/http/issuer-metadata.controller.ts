import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../../http/access.js';
import { PUBLIC_DOCUMENT } from '../../../http/caching.js';
import { RawResponse, RespondsWith } from '../../../http/responses.js';
import { keyUrlOf } from '../../domain/credential-claims.js';
import { IssuerIdentity } from '../../issuer.js';
import { IssuerKeys } from '../../issuer-keys.js';
import { authorizationServerMetadata, credentialIssuerMetadata, PATHS, typeMetadata } from '../issuer-metadata.js';

/** Requests a minute from one address: wallets and verifiers read them in the course of their own traffic. */
const PER_MINUTE = 900;

const ISSUER = 'https://kyc.example.org';

/** How the documentation shows a document. */
const shown = (example: object) => [{ type: 'application/json', format: 'object', example }] as const;

const document = (body: object): RawResponse => new RawResponse(200, JSON.stringify(body));

/** What wallets and verifiers read of this issuer. */
@ApiTags('Public documents')
@Controller()
export class IssuerMetadataController {
  constructor(
    private readonly issuer: IssuerIdentity,
    private readonly keys: IssuerKeys,
  ) {}

  @Get('.well-known/openid-credential-issuer')
  @Public({ perMinute: PER_MINUTE })
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, {
    summary: 'The metadata of the issuer (OpenID4VCI 1.0, section 12.2)',
    content: shown(credentialIssuerMetadata(ISSUER)),
  })
  async getIssuerMetadata(): Promise<RawResponse> {
    return document(credentialIssuerMetadata((await this.issuer.present()).baseUrl));
  }

  @Get('.well-known/oauth-authorization-server')
  @Public({ perMinute: PER_MINUTE })
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, {
    summary: 'The metadata of the authorization server (RFC 8414)',
    content: shown(authorizationServerMetadata(ISSUER)),
  })
  async getAuthorizationServerMetadata(): Promise<RawResponse> {
    return document(authorizationServerMetadata((await this.issuer.present()).baseUrl));
  }

  @Get('.well-known/jwt-vc-issuer')
  @Public({ perMinute: PER_MINUTE })
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, {
    summary: 'The keys of the issuer of SD-JWT credentials (SD-JWT VC)',
    content: shown({ issuer: ISSUER, jwks: { keys: [] } }),
  })
  async getJwtIssuerMetadata(): Promise<RawResponse> {
    const [{ issuer, baseUrl }, trusted] = await Promise.all([this.issuer.present(), this.keys.trusted()]);
    const keys = trusted.map(({ kid, jwk }) => ({ ...jwk, kid: keyUrlOf(issuer, kid) }));
    return document({ issuer: baseUrl, jwks: { keys } });
  }

  @Get(PATHS.type)
  @Public({ perMinute: PER_MINUTE })
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, {
    summary: 'What the type of the SD-JWT credential says (SD-JWT VC)',
    content: shown(typeMetadata()),
  })
  getTypeMetadata(): RawResponse {
    return document(typeMetadata());
  }
}
