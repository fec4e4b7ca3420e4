import { Inject, Injectable } from '@nestjs/common';
import { type JWK } from 'jose';
import { CredentialQueries } from '../../../projections/credentials/credentials.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { type PublishedKey } from '../../platform/crypto/signing-keys.js';
import { CLOCK } from '../../platform/tokens.js';
import { ALGORITHM, failed, type Payload, signedText, type Verification } from '../credential-verifier.js';
import { thumbprintOf } from '../domain/credential-claims.js';
import { type Checks, judge, UNCHECKED, verdict } from '../domain/verification.js';
import { DISCLOSABLE, tokenListOf } from '../domain/wallet-credential.js';
import { IssuerIdentity } from '../issuer.js';
import { IssuerKeys } from '../issuer-keys.js';
import { LateRegistry } from '../late-registry.js';
import { headerOf, isCanonical } from '../token-form.js';
import { disclosedOf } from './disclosed.js';
import { bindingFaultOf, type Bound, type Expected, presentationFaultOf } from './key-binding.js';
import { type Presented, PresentedNonces } from './presented-nonces.js';
import { type Parts, partsOf } from './sd-jwt-parts.js';

/** The claims that we sign into such a credential. */
interface Signed extends Payload {
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
  readonly cnf: { readonly jwk: JWK };
  readonly status: { readonly status_list: { readonly idx: number; readonly uri: string } };
  readonly _sd: readonly string[];
}

/** Verifies what wallets present of the SD-JWT credentials of this service. */
@Injectable()
export class PresentationVerifier {
  constructor(
    private readonly keys: IssuerKeys,
    private readonly issuer: IssuerIdentity,
    private readonly registry: CredentialQueries,
    private readonly lateRegistry: LateRegistry,
    private readonly nonces: PresentedNonces,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * What a wallet gave the caller, who says of which key and for which nonce: each counts once. `publicKey` is the coordinate x of
   * the issuer's key (RFC 8037 section 2). Throws Unavailable.
   */
  async verify(token: string, publicKey: string, expected: Bound & Presented): Promise<Verification> {
    const verification = await this.verifyBy(token, expected, ({ jwk }) => jwk.x === publicKey);
    if (!verification.valid || (await this.nonces.use(expected))) return verification;
    const { checks, identityHash } = verification;
    return { valid: false, fault: 'NONCE_USED', checks: { ...checks, key_binding: 'failed' }, identityHash };
  }

  /** What a wallet answered to a request of ours, by whichever key of this issuer it names. Throws Unavailable. */
  verifyAnswer(token: string, expected: Expected): Promise<Verification> {
    return this.verifyBy(token, expected, () => true);
  }

  private async verifyBy(
    token: string,
    expected: Expected,
    isWanted: (key: PublishedKey) => boolean,
  ): Promise<Verification> {
    const parts = partsOf(token);
    const header = headerOf(parts.jwt, 'dc+sd-jwt');
    if (header === undefined) return failed('MALFORMED_TOKEN', UNCHECKED);
    const { issuer } = await this.issuer.present();
    const key = await this.keys.find(thumbprintOf(issuer, header.kid));
    if (key === undefined || key.compromised || !isWanted(key))
      return failed('UNTRUSTED_KEY', { ...UNCHECKED, issuer_key: 'failed' });
    const unsigned = { ...UNCHECKED, issuer_key: 'passed', signature: 'failed' } as const;
    if (header.alg !== ALGORITHM) return failed('BAD_SIGNATURE', unsigned);
    if (!isCanonical(parts.jwt)) return failed('MALFORMED_TOKEN', { ...UNCHECKED, issuer_key: 'passed' });
    const signed = await this.signed(key, parts.jwt);
    return signed === undefined ? failed('BAD_SIGNATURE', unsigned) : this.judged(parts, signed, expected);
  }

  private async signed(key: PublishedKey, jwt: string): Promise<Signed | undefined> {
    const text = await signedText(key, jwt);
    // What our key signed under this typ has the form that we write.
    return text === undefined ? undefined : (JSON.parse(text) as Signed);
  }

  private async judged(parts: Parts, signed: Signed, expected: Expected): Promise<Verification> {
    const { baseUrl } = await this.issuer.present();
    const registered = await this.registered(signed, baseUrl);
    const claims = { iss: signed.iss, nbf: signed.iat, exp: signed.exp, jti: '' };
    const judgement = judge(claims, baseUrl, this.clock.now(), registered?.status);
    const disclosed = disclosedOf(parts, signed);
    const shown = shownOf(disclosed, expected);
    const bindingFault = await bindingFaultOf(parts, signed.cnf.jwk, expected, this.clock.now());
    const fault = judgement.fault ?? presentationFaultOf(disclosed, bindingFault, isShown(shown, expected));
    const checks: Checks = {
      ...judgement.checks,
      disclosures: verdict(disclosed !== undefined && isShown(shown, expected)),
      key_binding: verdict(bindingFault === undefined),
    };
    const found = { checks, identityHash: registered?.identityHash };
    if (fault !== undefined) return { valid: false, fault, ...found };
    return { valid: true, payload: { ...signed, _sd: undefined, ...shown }, ...found };
  }

  private async registered({ status: { status_list: place } }: Signed, baseUrl: string) {
    const list = tokenListOf(baseUrl, place.uri);
    if (list === undefined) return undefined;
    return this.lateRegistry.find(() => this.registry.atPlace({ list, index: place.idx }));
  }
}

/** What was not asked for is not given on. */
const shownOf = (disclosed: Payload = {}, { claims = DISCLOSABLE }: Expected): Payload =>
  Object.fromEntries(Object.entries(disclosed).filter(([name]) => claims.includes(name) && isDisclosable(name)));

const isDisclosable = (name: string): boolean => (DISCLOSABLE as readonly string[]).includes(name);

const isShown = (shown: Payload, { claims = [] }: Expected): boolean =>
  claims.every((name) => shown[name] !== undefined);
