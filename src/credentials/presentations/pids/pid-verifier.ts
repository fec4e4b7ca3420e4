import { type X509Certificate } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type JWK } from 'jose';
import { CLOCK_SLACK_MS, type Clock } from '../../../kernel/clock.js';
import { emailIn } from '../../../http/fields/email.js';
import { KeyedHashes } from '../../../platform/crypto/vault.js';
import { CLOCK } from '../../../platform/tokens.js';
import { failed, type Verification } from '../../credential-verifier.js';
import { type Checks, type Verdict, verdict, type VerificationFault } from '../../domain/verification.js';
import { bindingFaultOf } from '../key-binding.js';
import { type Expected, UNCHECKED } from '../presentation-verifier.js';
import { PresentedNonces } from '../presented-nonces.js';
import { type Parts, partsOf } from '../sd-jwt-parts.js';
import { digestAlgorithmOf, disclosedOf } from './disclosed.js';
import { publicPart } from '../../wallets/wallet-keys.js';
import { type IssuerStatus, IssuerStatuses, type StatusPlace } from './issuer-statuses.js';
import { isPidType, shownOf } from './pid.js';
import { type Claims, readSigned } from './signed-by-issuer.js';
import { TrustedIssuers } from './trusted-issuers.js';

/** Characters of a PID without its disclosures: certificates and fifty digests. */
const MAX_TOKEN = 32_768;

/** `none`: it names no list, since it lasts for a short time; or it is not good for another reason. */
type Status = IssuerStatus | 'none';

const FAULT_OF_STATUS = { none: undefined, valid: undefined, invalid: 'REVOKED', suspended: 'SUSPENDED' } as const;

type Fault = VerificationFault | undefined;

/** Verifies person identification data of issuers that the deployment trusts. */
@Injectable()
export class PidVerifier {
  constructor(
    private readonly issuers: TrustedIssuers,
    private readonly statuses: IssuerStatuses,
    private readonly nonces: PresentedNonces,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws Unavailable where the issuer's list cannot be read: then it is not known whether the PID is in force. */
  async verify(token: string, expected: Expected): Promise<Verification> {
    const parts = partsOf(token);
    if (parts.jwt.length > MAX_TOKEN) return failed('MALFORMED_TOKEN', UNCHECKED);
    const signed = await readSigned(parts.jwt, 'dc+sd-jwt', this.issuers, this.clock.now());
    if (signed.fault === 'UNTRUSTED_ISSUER') return failed(signed.fault, { ...UNCHECKED, issuer_key: 'failed' });
    if (signed.fault === 'BAD_SIGNATURE')
      return failed(signed.fault, { ...UNCHECKED, issuer_key: 'passed', signature: 'failed' });
    if (signed.fault !== undefined) return failed(signed.fault, UNCHECKED);
    const subject = nameOf(signed.signer);
    return this.judged(parts, signed.claims, subject, expected);
  }

  private async judged(parts: Parts, signed: Claims, issuer: string, expected: Expected): Promise<Verification> {
    const disclosed = disclosedOf(parts, signed);
    const shown = shownOf(disclosed, expected.claims ?? []);
    const isShown = disclosed !== undefined && Object.keys(shown).length === expected.claims?.length;
    const binding = await this.bindingFault(parts, signed, expected);
    const dates = this.datesOf(signed);
    const unfit = (disclosed === undefined ? 'BAD_DISCLOSURE' : binding) ?? (isShown ? undefined : 'MISSING_CLAIM');
    const faultBefore = faultOf(signed, dates) ?? unfit;
    const status = faultBefore === undefined ? await this.statusOf(signed) : 'none';
    const checks: Checks = {
      signature: 'passed',
      issuer_key: 'passed',
      ...dates,
      status: status === 'none' ? 'not_checked' : verdict(status === 'valid'),
      registry: 'not_checked',
      disclosures: verdict(isShown),
      key_binding: verdict(binding === undefined),
    };
    const fault = faultBefore ?? FAULT_OF_STATUS[status];
    if (fault !== undefined) return { valid: false, fault, checks };
    if (!(await this.nonces.use(expected)))
      return { valid: false, fault: 'NONCE_USED', checks: { ...checks, key_binding: 'failed' } };
    const { vct, exp } = signed;
    const payload = { vct, exp, issuer, ...shown };
    return { valid: true, checks, payload, identityHash: this.personOf(payload) };
  }

  /** Whose it is, where the wallet shows by what the network knows persons. */
  private personOf({ email, phone_number: phone }: Claims): string | undefined {
    const known = typeof email === 'string' && typeof phone === 'string' ? emailIn(email) : undefined;
    return known === undefined ? undefined : this.hashes.identityHash(known, String(phone));
  }

  private bindingFault(parts: Parts, { cnf, _sd_alg }: Claims, expected: Expected): Promise<Fault> {
    const holder = publicPart(((cnf ?? {}) as { readonly jwk?: JWK }).jwk ?? {});
    if (holder === undefined) return Promise.resolve('BAD_KEY_BINDING');
    return bindingFaultOf(parts, holder, expected, this.clock.now(), digestAlgorithmOf(_sd_alg));
  }

  /** It ends, or names a list that says when. */
  private datesOf({ nbf, exp, status }: Claims): Dates {
    const now = this.clock.now().getTime();
    const begins = nbf === undefined || (typeof nbf === 'number' && nbf * 1_000 <= now + CLOCK_SLACK_MS);
    const lasts = exp === undefined ? status !== undefined : typeof exp === 'number' && now < exp * 1_000;
    return { not_before: verdict(begins), expiry: verdict(lasts) };
  }

  private statusOf({ status }: Claims): Promise<Status> {
    if (status === undefined) return Promise.resolve('none');
    const { status_list: place } = (status ?? {}) as { readonly status_list?: Partial<StatusPlace> };
    const { uri, idx } = place ?? {};
    if (typeof uri !== 'string' || !Number.isSafeInteger(idx) || Number(idx) < 0) return Promise.resolve('invalid');
    return this.statuses.at({ uri, idx: Number(idx) });
  }
}

/** The subject of a certificate, which it may have as an alternative name alone. */
const nameOf = ({ subject, subjectAltName }: X509Certificate): string =>
  ((subject as string | undefined) ?? subjectAltName ?? '').split('\n').join(', ');

type Dates = Readonly<Record<'not_before' | 'expiry', Verdict>>;

const faultOf = ({ vct }: Claims, { not_before: begins, expiry }: Dates): Fault => {
  if (!isPidType(vct)) return 'WRONG_TYPE';
  if (begins === 'failed') return 'NOT_YET_VALID';
  return expiry === 'failed' ? 'EXPIRED' : undefined;
};
