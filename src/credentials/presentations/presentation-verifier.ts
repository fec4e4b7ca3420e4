import { Inject, Injectable } from '@nestjs/common';
import { type JWK } from 'jose';
import { CredentialQueries } from '../../../projections/credentials/credentials.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { type TenantId } from '../../kernel/ids.js';
import { type PublishedKey } from '../../platform/crypto/signing-keys.js';
import { CLOCK } from '../../platform/tokens.js';
import { ALGORITHM, failed, type Payload, signedText, type Verification } from '../credential-verifier.js';
import { thumbprintOf } from '../domain/credential-claims.js';
import { type Checks, judge, verdict } from '../domain/verification.js';
import { type DisclosedClaims, DISCLOSABLE, tokenListOf } from '../domain/wallet-credential.js';
import { IssuerIdentity } from '../issuer.js';
import { IssuerKeys } from '../issuer-keys.js';
import { LateRegistry } from '../late-registry.js';
import { headerOf, isCanonical } from '../token-form.js';
import { bindingFaultOf, type Bound } from './key-binding.js';
import { PresentedNonces } from './presented-nonces.js';
import { digestOf, MAX_DISCLOSURES, type Parts, partsOf } from './sd-jwt-parts.js';

/** What the presentation must be bound to and show, and the request that asks. */
export interface Expected extends Bound {
  readonly tenantId: TenantId;
  /** A UUID. The same request may present a nonce again. */
  readonly attempt: string;
  /** Claims that must be shown. Absent: any. */
  readonly claims?: readonly string[];
}

/** The claims that we sign into such a credential. */
interface Signed {
  readonly iss: string;
  readonly iat: number;
  readonly exp: number;
  readonly cnf: { readonly jwk: JWK };
  readonly status: { readonly status_list: { readonly idx: number; readonly uri: string } };
  readonly _sd: readonly string[];
}

/** What is disclosed. Undefined if a disclosure is none of the credential (RFC 9901, section 7.1). */
const disclosedOf = ({ disclosures }: Parts, { _sd }: Signed): Partial<DisclosedClaims> | undefined => {
  if (disclosures.length > MAX_DISCLOSURES) return undefined;
  const digests = disclosures.map((text) => digestOf(text));
  if (new Set(digests).size < digests.length || digests.some((digest) => !_sd.includes(digest))) return undefined;
  const members = disclosures.map((text) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[]);
  const known = new Set<unknown>(DISCLOSABLE);
  if (members.some(([, name]) => !known.has(name))) return undefined;
  return Object.fromEntries(members.map(([, name, value]) => [name, value])) as Partial<DisclosedClaims>;
};

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

  /** `publicKey` is the coordinate x of the issuer's key (RFC 8037 section 2). Throws Unavailable. */
  verify(token: string, publicKey: string, expected: Expected): Promise<Verification> {
    return this.verifyBy(token, expected, ({ jwk }) => jwk.x === publicKey);
  }

  /** By whichever key of this issuer the token names. Throws Unavailable. */
  verifyOwn(token: string, expected: Expected): Promise<Verification> {
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
    const bindingFault = await bindingFaultOf(parts, signed.cnf.jwk, expected, this.clock.now());
    const checks: Checks = {
      ...judgement.checks,
      disclosures: verdict(disclosed !== undefined),
      key_binding: verdict(bindingFault === undefined),
    };
    const found = { checks, identityHash: registered?.identityHash };
    const fault = judgement.fault ?? (disclosed === undefined ? 'BAD_DISCLOSURE' : bindingFault);
    if (
      fault === undefined &&
      expected.claims?.some((name) => (disclosed as Payload | undefined)?.[name] === undefined) === true
    )
      return { valid: false, fault: 'MISSING_CLAIM', ...found, checks: { ...checks, disclosures: 'failed' } };
    if (fault !== undefined) return { valid: false, fault, ...found };
    if (!(await this.nonces.use(expected)))
      return { valid: false, fault: 'NONCE_USED', ...found, checks: { ...checks, key_binding: 'failed' } };
    return { valid: true, payload: { ...signed, _sd: undefined, ...wanted(disclosed, expected) }, ...found };
  }

  private async registered({ status: { status_list: place } }: Signed, baseUrl: string) {
    const list = tokenListOf(baseUrl, place.uri);
    if (list === undefined) return undefined;
    return this.lateRegistry.find(() => this.registry.atPlace({ list, index: place.idx }));
  }
}

/** What was not asked for is not shown on. */
const wanted = (disclosed: Partial<DisclosedClaims> = {}, { claims }: Expected): Payload =>
  claims === undefined
    ? { ...disclosed }
    : Object.fromEntries(Object.entries(disclosed).filter(([name]) => claims.includes(name)));

export const UNCHECKED = { disclosures: 'not_checked', key_binding: 'not_checked' } as const;
