import { Controller, Get, Header, Headers, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type JSONWebKeySet } from 'jose';
import { STATUS_PURPOSES } from '../../../projections/credentials/credentials.queries.js';
import { refuse } from '../../kernel/rejection.js';
import { SigningKeys } from '../../platform/crypto/signing-keys.js';
import { PublicKeySet } from '../../http/public-keys.response.js';
import { Public } from '../../http/access.js';
import { PUBLIC_DOCUMENT } from '../../http/caching.js';
import { RawResponse, RespondsWith } from '../../http/responses.js';
import { IssuerIdentity } from '../issuer.js';
import { IssuerKeys } from '../issuer-keys.js';
import { keyUrlOf } from '../domain/credential-claims.js';
import { type SignedList, StatusLists } from '../status-lists.js';
import { DidDocument } from './did-document.response.js';

/** Requests a minute from one address: verifiers read these documents in the course of their own traffic. */
const PER_MINUTE = 600;

const TOKEN_LIST = 'application/statuslist+jwt';

const LIST_NUMBER = /^[1-9][0-9]{0,8}$/;

/** Whether a caller's If-None-Match names this entity tag (RFC 9110 section 13.1.2). */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

/** What anyone reads to verify a credential alone: the issuer's keys and the status lists. */
@ApiTags('Public documents')
@Controller()
export class IssuerDocumentsController {
  constructor(
    private readonly issuer: IssuerIdentity,
    private readonly keys: IssuerKeys,
    private readonly lists: StatusLists,
    private readonly signingKeys: SigningKeys,
  ) {}

  @Get('.well-known/did.json')
  @Public({ perMinute: PER_MINUTE })
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, {
    summary: 'The DID document of the issuer, with every key that credentials were signed with',
    type: DidDocument,
  })
  async getDidDocument(): Promise<DidDocument> {
    const { issuer } = await this.issuer.present();
    const methods = (await this.keys.trusted()).map(({ kid, jwk: { kty, crv, x } }) => ({
      id: keyUrlOf(issuer, kid),
      type: 'JsonWebKey2020',
      controller: issuer,
      publicKeyJwk: { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' },
    }));
    const ids = methods.map(({ id }) => id);
    return {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
      id: issuer,
      verificationMethod: methods,
      authentication: ids,
      assertionMethod: ids,
    };
  }

  /** Keys of credentials stand under their DID URL, and under the thumbprint that older tokens name. */
  @Get('.well-known/jwks.json')
  @Public()
  @Header('Cache-Control', PUBLIC_DOCUMENT)
  @RespondsWith(200, { summary: 'Every public key that the service has ever signed with', type: PublicKeySet })
  async getPublicKeys(): Promise<JSONWebKeySet> {
    const [{ issuer }, trusted, published] = await Promise.all([
      this.issuer.present(),
      this.keys.trusted(),
      this.signingKeys.published(),
    ]);
    const ofCredentials = trusted.map(({ kid, jwk }) => ({ ...jwk, kid: keyUrlOf(issuer, kid) }));
    return { keys: [...ofCredentials, ...published.keys] };
  }

  @Get('credentials/status/:purpose/:list')
  @Public({ perMinute: PER_MINUTE })
  @RespondsWith(200, {
    summary: 'A status list: a W3C Bitstring Status List, signed as vc+jwt',
    content: [{ type: 'application/vc+jwt', example: 'eyJhbGciOiJFZERTQSIsInR5cCI6InZjK2p3dCJ9.e30.c2lnbmF0dXJl' }],
  })
  async getStatusList(
    @Param('purpose') name: string,
    @Param('list') list: string,
    @Headers('if-none-match') known: string | undefined,
  ): Promise<RawResponse> {
    const purpose = STATUS_PURPOSES.find((one) => one === name);
    if (purpose === undefined || !LIST_NUMBER.test(list)) throw refuse('not_found');
    return shown(await this.lists.find(purpose, Number(list)), known, 'application/vc+jwt');
  }

  @Get('credentials/token-status/:list')
  @Public({ perMinute: PER_MINUTE })
  @RespondsWith(200, {
    summary: 'The same status list as a Token Status List: 1 is revoked, 2 is suspended',
    content: [{ type: TOKEN_LIST, example: 'eyJhbGciOiJFZERTQSIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.e30.c2lnbmF0dXJl' }],
  })
  async getTokenStatusList(
    @Param('list') list: string,
    @Headers('if-none-match') known: string | undefined,
  ): Promise<RawResponse> {
    if (!LIST_NUMBER.test(list)) throw refuse('not_found');
    return shown(await this.lists.findTokenList(Number(list)), known, TOKEN_LIST);
  }
}

const shown = (found: SignedList | undefined, known: string | undefined, type: string): RawResponse => {
  if (found === undefined) throw refuse('not_found');
  const headers = { ETag: found.etag, 'Cache-Control': PUBLIC_DOCUMENT };
  const [status, body] = isKnown(known, found.etag) ? [304, ''] : [200, found.token];
  return new RawResponse(status, body, headers, type);
};
