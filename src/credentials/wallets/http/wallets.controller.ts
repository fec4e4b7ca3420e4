import { Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type FastifyRequest } from 'fastify';
import { Context, Public, ReadsBody } from '../../../http/access.js';
import { type AnonymousPrincipal, type RequestContext } from '../../../http/request-context.js';
import { RawResponse, RespondsWith } from '../../../http/responses.js';
import { type Clock } from '../../../kernel/clock.js';
import { CLOCK } from '../../../platform/tokens.js';
import { CredentialRepository } from '../../credential-repository.js';
import { WALLET_NOTICES } from '../../domain/offer.events.js';
import { CONFIGURATIONS, PATHS, PRE_AUTHORIZED } from '../issuer-metadata.js';
import { OfferReader } from '../offer-reader.js';
import { AcceptOffer, RedeemOffer } from '../wallet.commands.js';
import { WalletProofs } from '../wallet-proofs.js';
import { noGrant, WalletRefusal } from '../wallet-refusal.js';
import { type SecretUse, WalletSecrets } from '../wallet-secrets.js';
import {
  CredentialOfferResponse,
  CredentialRequestBody,
  WalletCredentialsResponse,
  WalletNonceResponse,
  WalletNotificationBody,
  WalletTokenBody,
  WalletTokenResponse,
} from './wallets.response.js';

type Caller = RequestContext<AnonymousPrincipal>;

/** Requests a minute from one address. Many wallets may share one. */
const PER_MINUTE = 300;

const NONCE_LASTS_MS = 5 * 60_000;

const answer = (body: object): RawResponse => new RawResponse(200, JSON.stringify(body));

/** The members of a body that are texts. Others are ignored, as the standards ask. */
const textsOf = ({ body }: FastifyRequest): Readonly<Record<string, string | undefined>> => {
  const members = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(members);
};

/** What wallets call (OpenID4VCI 1.0). Bodies are read as the standard has them, so unknown members are ignored. */
@ApiTags('Wallets')
@Controller()
export class WalletsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly offers: OfferReader,
    private readonly proofs: WalletProofs,
    private readonly secrets: WalletSecrets,
    private readonly credentials: CredentialRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get(`${PATHS.offer}/:reference`)
  @Public({ perMinute: PER_MINUTE })
  @RespondsWith(200, { summary: 'The offer behind a link', type: CredentialOfferResponse })
  async getCredentialOffer(@Param('reference') reference: string): Promise<RawResponse> {
    return answer(await this.offers.forWallet(reference));
  }

  @Post(PATHS.token)
  @Public({ perMinute: PER_MINUTE })
  @ReadsBody('form')
  @ApiConsumes('application/x-www-form-urlencoded', 'application/json')
  @ApiBody({ type: WalletTokenBody })
  @RespondsWith(200, {
    summary: 'Exchange a pre-authorized code for an access token',
    type: WalletTokenResponse,
    refuses: ['WALLET_REFUSED'],
  })
  async getWalletToken(@Req() request: FastifyRequest, @Context() context: Caller): Promise<RawResponse> {
    const { grant_type: grant, 'pre-authorized_code': secret, tx_code: code } = textsOf(request);
    if (grant !== PRE_AUTHORIZED)
      throw new WalletRefusal('unsupported_grant_type', `grant_type takes ${PRE_AUTHORIZED}`);
    if (secret === undefined) throw new WalletRefusal('invalid_request', 'pre-authorized_code is missing');
    const target = await this.secrets.open('code', secret);
    if (target === undefined) throw noGrant();
    const until = await this.commands.execute(new AcceptOffer({ ...target, code, requestId: context.requestId }));
    return answer({
      access_token: await this.secrets.seal('access', target, until),
      token_type: 'Bearer',
      expires_in: Math.floor((until.getTime() - this.clock.now().getTime()) / 1_000),
    });
  }

  @Post(PATHS.nonce)
  @HttpCode(200)
  @Public({ perMinute: PER_MINUTE })
  @RespondsWith(200, { summary: 'A nonce for a proof', type: WalletNonceResponse })
  async getNonce(): Promise<RawResponse> {
    return answer({ c_nonce: await this.secrets.nonce(new Date(this.clock.now().getTime() + NONCE_LASTS_MS)) });
  }

  @Post(PATHS.credential)
  @Public({ perMinute: PER_MINUTE })
  @ReadsBody('json')
  @ApiBody({ type: CredentialRequestBody })
  @RespondsWith(200, {
    summary: 'Fetch the offered credential, for one key or up to ten',
    type: WalletCredentialsResponse,
    refuses: ['WALLET_REFUSED', 'INVALID_TOKEN'],
  })
  async getWalletCredential(@Req() request: FastifyRequest, @Context() context: Caller): Promise<RawResponse> {
    const target = await this.opened('access', request);
    const { configuration, holders, isDraft13 } = await this.proofs.read(request.body);
    const asked = { ...target, format: CONFIGURATIONS[configuration], holders, access: context };
    const { credentials, expiresAt } = await this.commands.execute(new RedeemOffer(asked));
    return answer({
      ...(isDraft13 ? { credential: credentials[0] } : {}),
      credentials: credentials.map((credential) => ({ credential })),
      notification_id: await this.secrets.seal('notice', target, expiresAt),
    });
  }

  @Post(PATHS.notification)
  @Public({ perMinute: PER_MINUTE })
  @ReadsBody('json')
  @ApiBody({ type: WalletNotificationBody })
  @RespondsWith(204, {
    summary: 'What became of the credential in the wallet',
    refuses: ['WALLET_REFUSED', 'INVALID_TOKEN'],
  })
  async notifyIssuer(@Req() request: FastifyRequest, @Context() { requestId }: Caller): Promise<void> {
    const { credentialId } = await this.opened('access', request);
    const { notification_id: id = '', event } = textsOf(request);
    const notice = WALLET_NOTICES.find((one) => one === event);
    if (notice === undefined)
      throw new WalletRefusal('invalid_notification_request', `event takes one of ${WALLET_NOTICES.join(', ')}`);
    const target = await this.secrets.open('notice', id);
    if (target?.credentialId !== credentialId)
      throw new WalletRefusal('invalid_notification_id', 'notification_id is not that of the credential');
    const command = { kind: 'wallet_notice', notice, now: this.clock.now() } as const;
    await this.credentials.changeOffer(target, command, { requestId, actor: { type: 'system', id: 'wallet' } });
  }

  private async opened(use: SecretUse, { headers }: FastifyRequest) {
    const secret = /^Bearer ([^\s]+)$/i.exec(headers.authorization ?? '')?.[1];
    const target = secret === undefined ? undefined : await this.secrets.open(use, secret);
    if (target === undefined)
      throw new WalletRefusal('invalid_token', 'The access token is missing, or is not good any more');
    return target;
  }
}
