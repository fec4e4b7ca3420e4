import { createPrivateKey, hash, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { invariant } from '../../kernel/invariant.js';
import { certificatesIn } from '../../platform/config/certificates.js';
import { type Config } from '../../platform/config/config.js';

/** Whoever receives a request signed by a certificate (OpenID4VP 1.0, section 5.8). */
const ANY_WALLET = 'https://self-issued.me/v2';

interface Certified {
  readonly clientId: string;
  readonly x5c: readonly string[];
  readonly key: KeyObject;
}

/** Who this deployment is to wallets: the holder of a certificate, or else the address that answers go to (section 5.9.3). */
export class VerifierIdentity {
  private constructor(private readonly certified?: Certified) {}

  static of(files: Config['verifier']): VerifierIdentity {
    if (files === undefined) return new VerifierIdentity();
    const chain = certificatesIn(readFileSync(files.certFile, 'utf8'));
    const [own] = chain;
    invariant(own !== undefined, 'the configuration takes a file with a certificate');
    const digest = hash('sha256', own.raw, 'base64url');
    // Wallets hold the authority themselves.
    const x5c = chain.filter(({ subject, issuer }) => subject !== issuer).map(({ raw }) => raw.toString('base64'));
    return new VerifierIdentity({
      clientId: `x509_hash:${digest}`,
      x5c,
      key: createPrivateKey(readFileSync(files.keyFile)),
    });
  }

  clientIdFor(responseUri: string): string {
    return this.certified?.clientId ?? `redirect_uri:${responseUri}`;
  }

  /** The request as a JWT (RFC 9101). Undefined without a certificate. */
  async signed(parameters: Readonly<Record<string, unknown>>, now: Date): Promise<string | undefined> {
    if (this.certified === undefined) return undefined;
    const { x5c, key } = this.certified;
    return new SignJWT({ ...parameters })
      .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: [...x5c] })
      .setAudience(ANY_WALLET)
      .setIssuedAt(now)
      .sign(key);
  }
}
