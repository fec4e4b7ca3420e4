import { Inject, Injectable } from '@nestjs/common';
import { compactVerify, errors } from 'jose';
import { CredentialQueries, type RegisteredCredential } from '../../projections/credentials/credentials.queries.js';
import { type Clock } from '../kernel/clock.js';
import { isUuid } from '../kernel/ids.js';
import { type PublishedKey } from '../platform/crypto/signing-keys.js';
import { CLOCK } from '../platform/tokens.js';
import { credentialIdOf, jtiOf, thumbprintOf } from './domain/credential-claims.js';
import { type Checks, isVerifiable, judge, NOTHING_CHECKED, type VerificationFault } from './domain/verification.js';
import { IssuerIdentity } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';
import { LateRegistry } from './late-registry.js';
import { headerOf, isCanonical, type TokenHeader } from './token-form.js';

export const ALGORITHM = 'EdDSA';

export type Payload = Readonly<Record<string, unknown>>;

/** `identityHash`: whose credential it is, where that is known. */
export type Verification = { readonly checks: Checks; readonly identityHash?: string | undefined } & (
  { readonly valid: true; readonly payload: Payload } | { readonly valid: false; readonly fault: VerificationFault }
);

export const failed = (fault: VerificationFault, checks: Partial<Checks> = {}): Verification => ({
  valid: false,
  fault,
  checks: { ...NOTHING_CHECKED, ...checks },
});

/** Verifies tokens of this service. The caller's key is compared with the issuer's and never verifies anything. */
@Injectable()
export class CredentialVerifier {
  constructor(
    private readonly keys: IssuerKeys,
    private readonly issuer: IssuerIdentity,
    private readonly registry: CredentialQueries,
    private readonly lateRegistry: LateRegistry,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws Unavailable if the registry is too far behind to know what is revoked. */
  assertCurrent(): Promise<void> {
    return this.registry.assertCurrent();
  }

  /** `publicKey` is the key's coordinate x (RFC 8037 section 2). Throws Unavailable. */
  async verify(token: string, publicKey: string): Promise<Verification> {
    const header = headerOf(token);
    if (header === undefined) return failed('MALFORMED_TOKEN');
    const { issuer } = await this.issuer.present();
    const key = await this.keys.find(thumbprintOf(issuer, header.kid));
    if (key === undefined || key.compromised || key.jwk.x !== publicKey)
      return failed('UNTRUSTED_KEY', { issuer_key: 'failed' });
    return this.verifyBy(key, token, header);
  }

  private async verifyBy(key: PublishedKey, token: string, { alg }: TokenHeader): Promise<Verification> {
    const unsigned = { issuer_key: 'passed', signature: 'failed' } as const;
    if (alg !== ALGORITHM) return failed('BAD_SIGNATURE', unsigned);
    if (!isCanonical(token)) return failed('MALFORMED_TOKEN', { issuer_key: 'passed' });
    const signed = await signedText(key, token);
    if (signed === undefined) return failed('BAD_SIGNATURE', unsigned);
    const claims: unknown = JSON.parse(signed);
    if (!isVerifiable(claims)) return failed('MALFORMED_TOKEN', { issuer_key: 'passed', signature: 'passed' });
    const { issuer } = await this.issuer.present();
    const registered = await this.registered(claims.jti);
    const { checks, fault } = judge(claims, issuer, this.clock.now(), registered?.status);
    const found = { checks, identityHash: registered?.identityHash };
    return fault === undefined ? { valid: true, payload: claims, ...found } : { valid: false, fault, ...found };
  }

  private async registered(jti: string): Promise<RegisteredCredential | undefined> {
    const credentialId = credentialIdOf(jti);
    if (!isUuid(credentialId) || jtiOf(credentialId) !== jti) return undefined;
    return this.lateRegistry.find(() => this.registry.find(credentialId));
  }
}

/** Undefined if the key did not sign the token. */
export const signedText = async ({ key }: PublishedKey, token: string): Promise<string | undefined> => {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] });
    return Buffer.from(payload).toString('utf8');
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
};
