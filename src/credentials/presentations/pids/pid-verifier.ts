import { type X509Certificate } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type JWK } from 'jose';
import { type Clock } from '../../../kernel/clock.js';
import { emailIn } from '../../../http/fields/email.js';
import { KeyedHashes } from '../../../platform/crypto/vault.js';
import { CLOCK } from '../../../platform/tokens.js';
import { failed, type Payload, type Verification } from '../../credential-verifier.js';
import { type Checks, termChecks, UNCHECKED, verdict, type VerificationFault } from '../../domain/verification.js';
import { digestAlgorithmOf, disclosedOf } from '../disclosed.js';
import { bindingFaultOf, type Expected, presentationFaultOf } from '../key-binding.js';
import { type Parts, partsOf } from '../sd-jwt-parts.js';
import { publicPart } from '../../wallets/wallet-keys.js';
import { type IssuerStatus, IssuerStatuses, type StatusPlace } from './issuer-statuses.js';
import { isPidType, shownOf } from './pid.js';
import { readSigned } from './signed-by-issuer.js';
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
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws Unavailable where the issuer's list cannot be read: then it is not known whether the PID is in force. */
  async verifyAnswer(token: string, expected: Expected): Promise<Verification> {
    const parts = partsOf(token);
    if (parts.jwt.length > MAX_TOKEN) return failed('MALFORMED_TOKEN', UNCHECKED);
    const signed = await readSigned(parts.jwt, 'dc+sd-jwt', this.issuers, this.clock.now());
    if (signed.fault === 'UNTRUSTED_ISSUER') return failed(signed.fault, { ...UNCHECKED, issuer_key: 'failed' });
    if (signed.fault === 'BAD_SIGNATURE')
      return failed(signed.fault, { ...UNCHECKED, issuer_key: 'passed', signature: 'failed' });
    if (signed.fault !== undefined) return failed(signed.fault, UNCHECKED);
    return this.judged(parts, signed.payload, nameOf(signed.signer), expected);
  }

  private async judged(parts: Parts, signed: Payload, issuer: string, expected: Expected): Promise<Verification> {
    const disclosed = disclosedOf(parts, signed);
    const { claims = [] } = expected;
    const shown = shownOf(disclosed, claims);
    const isShown = disclosed !== undefined && Object.keys(shown).length === claims.length;
    const binding = await this.bindingFault(parts, signed, expected);
    const { nbf = 0, exp, status: place } = signed;
    // Without an end it must name a list that says when.
    const term = termChecks({ nbf, exp: exp ?? (place === undefined ? undefined : Infinity) }, this.clock.now());
    const faultBefore = faultOf(signed, term) ?? presentationFaultOf(disclosed, binding, isShown);
    const status = faultBefore === undefined ? await this.statusOf(signed) : 'none';
    const checks: Checks = {
      signature: 'passed',
      issuer_key: 'passed',
      ...term,
      status: status === 'none' ? 'not_checked' : verdict(status === 'valid'),
      registry: 'not_checked',
      disclosures: verdict(isShown),
      key_binding: verdict(binding === undefined),
    };
    const fault = faultBefore ?? FAULT_OF_STATUS[status];
    if (fault !== undefined) return { valid: false, fault, checks };
    const payload = { vct: signed.vct, exp, issuer, ...shown };
    return { valid: true, checks, payload, identityHash: this.personOf(payload) };
  }

  /** Whose it is, where the wallet shows by what the network knows persons. */
  private personOf({ email, phone_number: phone }: Payload): string | undefined {
    const known = typeof email === 'string' && typeof phone === 'string' ? emailIn(email) : undefined;
    return known === undefined ? undefined : this.hashes.identityHash(known, String(phone));
  }

  private bindingFault(parts: Parts, { cnf, _sd_alg }: Payload, expected: Expected): Promise<Fault> {
    const holder = publicPart(((cnf ?? {}) as { readonly jwk?: JWK }).jwk ?? {});
    if (holder === undefined) return Promise.resolve('BAD_KEY_BINDING');
    return bindingFaultOf(parts, holder, expected, this.clock.now(), digestAlgorithmOf(_sd_alg));
  }

  private statusOf({ status }: Payload): Promise<Status> {
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

const faultOf = ({ vct }: Payload, term: ReturnType<typeof termChecks>): Fault => {
  if (!isPidType(vct)) return 'WRONG_TYPE';
  if (term.not_before === 'failed') return 'NOT_YET_VALID';
  return term.expiry === 'failed' ? 'EXPIRED' : undefined;
};
