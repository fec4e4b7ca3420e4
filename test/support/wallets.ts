import { present } from '@kyc/tools/wallet/presentation';
import { type HeldCredential, redeem } from '@kyc/tools/wallet/wallet-client';
import { createPublicKey, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, type JWK } from 'jose';
import { applicationOf, issuerTokenFor, type IssuingTenant } from './credentials.js';
import { Deployment, SCALED_ERASURE } from './load/deployment.js';
import { type Http, type Json } from './load/http.js';
import { type Person, person } from './load/people.js';
import { balanceOf, ingestAll } from './load/tenants.js';
import { eventually } from './processes.js';

/** Who the verifier is to wallets. */
export const AUDIENCE = 'https://verifier.example';

export interface Offer {
  readonly id: string;
  readonly link: string;
  readonly uri: string;
  readonly code: string | undefined;
}

export const first = ([one]: readonly HeldCredential[]): HeldCredential =>
  one ?? { issuer: '', credential: '', key: null };

/** Two instances with short offers, an account that may issue, and people who it attests. */
export class WalletWorld {
  private constructor(
    readonly deployment: Deployment,
    public tenant: IssuingTenant,
    private people: number,
  ) {}

  static async start(firstPerson: number, more: Readonly<Record<string, string>> = {}): Promise<WalletWorld> {
    const env = { ...SCALED_ERASURE, TIMING_OFFER_LASTS_MS: '20000', ...more };
    const deployment = await Deployment.start({ instances: 2, env });
    return new WalletWorld(deployment, await newTenant(deployment), firstPerson);
  }

  get http(): Http {
    return this.deployment.http;
  }

  newTenant(): Promise<IssuingTenant> {
    return newTenant(this.deployment);
  }

  someone(): Person {
    return person((this.people += 1));
  }

  async attested(more: Json = {}): Promise<Person> {
    const who = this.someone();
    await ingestAll(this.http, this.tenant, [{ ...who, ...more }], 'Tier2');
    return who;
  }

  async offerTo(who: Person, more: Json = {}): Promise<Offer> {
    const body = { ...applicationOf(who, 'Tier2'), ...more };
    const { json } = await this.http.expect(201, { path: '/api/v1/issue/offer', token: this.tenant.bearer, body });
    return {
      id: json['offer_id'] as string,
      link: json['deep_link'] as string,
      uri: json['credential_offer_uri'] as string,
      code: json['tx_code'] as string | undefined,
    };
  }

  async offerOf({ id }: Pick<Offer, 'id'>): Promise<Json> {
    return (await this.http.expect(200, { path: `/api/v1/offers/${id}`, apiKey: this.tenant.apiKey })).json;
  }

  async taken(who: Person, copies = 1): Promise<{ offer: Offer; held: readonly HeldCredential[] }> {
    const offer = await this.offerTo(who);
    return { offer, held: await redeem({ link: offer.link, copies }) };
  }

  async issuerKey({ credential }: Pick<HeldCredential, 'credential'>): Promise<string> {
    const { kid } = decodeProtectedHeader(credential.split('~')[0] ?? '');
    const { json } = await this.http.expect(200, { path: '/.well-known/jwt-vc-issuer' });
    const { keys } = json['jwks'] as { keys: ({ kid: string } & JWK)[] };
    const jwk = keys.find((key) => key.kid === kid);
    return createPublicKey({ key: jwk as never, format: 'jwk' }).export({ format: 'pem', type: 'spki' }) as string;
  }

  async verify(token: string, pem: string, nonce: string, audience = AUDIENCE): Promise<Json> {
    const body = { token, public_key_pem: pem, nonce, audience };
    return (await this.http.expect(200, { path: '/api/v1/verify', apiKey: this.tenant.apiKey, body })).json;
  }

  async presentedAt(held: HeldCredential, nonce = randomUUID() as string, disclose = ['tier']): Promise<Json> {
    const shown = await present(held, { disclose, nonce, audience: AUDIENCE });
    return this.verify(shown, await this.issuerKey(held), nonce);
  }

  balance(): Promise<number> {
    return balanceOf(this.http, this.tenant);
  }

  balanceAgain(before: number): Promise<boolean> {
    return eventually('the credits came back', async () => (await this.balance()) === before, 60_000);
  }
}

const newTenant = async ({ operator, http }: Deployment): Promise<IssuingTenant> => {
  const account = await operator.tenant({ credits: 10_000 });
  return { ...account, bearer: await issuerTokenFor(http, account) };
};
