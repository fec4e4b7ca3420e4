import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Charging, type Conclusion } from '../../kernel/charging.js';
import { Context, RequiresToken } from '../../http/access.js';
import { type BearerPrincipal, type RequestContext } from '../../http/request-context.js';
import { charged, type RawResponse, RespondsWith } from '../../http/responses.js';
import { IssueCredential, type IssuedCredential } from '../commands.js';
import { jtiOf } from '../domain/credential-claims.js';
import { type CredentialOffered } from '../domain/offer.events.js';
import { type IssuanceRequest } from '../issuance-judgements.js';
import { IssuanceRequests } from '../issuance-requests.js';
import { OfferBody } from '../wallets/http/offers.dto.js';
import { NewOfferResponse, toNewOffer } from '../wallets/http/offers.response.js';
import { type OfferLinks, OfferReader } from '../wallets/offer-reader.js';
import { OfferCredential } from '../wallets/wallet.commands.js';
import { WalletSecrets } from '../wallets/wallet-secrets.js';
import { IssueBody } from './credentials.dto.js';
import { IssuanceResponse } from './credentials.response.js';

type Caller = RequestContext<BearerPrincipal>;

const toResponse = (issued: IssuedCredential): IssuanceResponse => ({
  status: 'issued',
  token: issued.token,
  public_key: issued.publicKey,
  credential_id: jtiOf(issued.credentialId),
  expires_at: issued.expiresAt,
});

const concludedAs = (
  action: Conclusion['action'],
  status: number,
  body: object,
  { email, phone_number: phone }: IssueBody,
): Conclusion => ({ action, result: 'ok', status, body, owner: { kind: 'subject', email, phone } });

@ApiTags('Credentials')
@Controller('api/v1/issue')
export class IssuanceController {
  constructor(
    private readonly charging: Charging,
    private readonly commands: CommandBus,
    private readonly requests: IssuanceRequests,
    private readonly offers: OfferReader,
    private readonly secrets: WalletSecrets,
  ) {}

  @Post()
  @RequiresToken('credentials:issue')
  @RespondsWith(200, {
    summary: 'Issue a credential',
    type: IssuanceResponse,
    charged: 'issue_credential',
    refuses: ['IDENTITY_NOT_ELIGIBLE'],
  })
  issueCredential(@Body() body: IssueBody, @Context() context: Caller): Promise<RawResponse> {
    return this.charge(body, context, {
      run: (request) => this.commands.execute(new IssueCredential({ ...request, access: context })),
      conclude: (issued) => concludedAs('credential_issued', 200, toResponse(issued), body),
    });
  }

  @Post('offer')
  @RequiresToken('credentials:issue')
  @RespondsWith(201, {
    summary: "Offer a credential to the person's wallet (OpenID4VCI 1.0)",
    type: NewOfferResponse,
    charged: 'issue_credential',
    refuses: ['IDENTITY_NOT_ELIGIBLE'],
  })
  offerCredential(@Body() body: OfferBody, @Context() context: Caller): Promise<RawResponse> {
    const { tx_code: asksCode = false, dob: dateOfBirth } = body;
    return this.charge(body, context, {
      run: async (request) => {
        const offer = new OfferCredential({ ...request, asksCode, dateOfBirth, access: context });
        const offered = await this.commands.execute(offer);
        return { offered, links: await this.offers.linksTo(request, offered), code: this.secrets.codeOf(request) };
      },
      conclude: ({ offered, links, code }: Offered) =>
        concludedAs('credential_offered', 201, toNewOffer(offered, links, asksCode ? code : undefined), body),
    });
  }

  private async charge<Result>(body: IssueBody, context: Caller, operation: Operation<Result>): Promise<RawResponse> {
    const { tenantId } = context.principal;
    const { person, notedRefusals } = await this.requests.prepare(tenantId, body);
    const answer = await this.charging.charge({
      tenantId,
      operation: 'issue_credential',
      access: context,
      identityHash: person.identityHash,
      keyed: context.keyed,
      // An access token belongs to no key.
      caps: undefined,
      kind: 'effect',
      run: (_deadline, credentialId) => operation.run({ tenantId, credentialId, person, notedRefusals }),
      conclude: (result) => operation.conclude(result),
    });
    return charged(answer);
  }
}

interface Operation<Result> {
  run(request: IssuanceRequest): Promise<Result>;
  conclude(result: Result): Conclusion;
}

interface Offered {
  readonly offered: CredentialOffered['data'];
  readonly links: OfferLinks;
  readonly code: string;
}
