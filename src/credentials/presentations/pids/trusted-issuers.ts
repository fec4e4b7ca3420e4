import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { certificatesIn } from '../../../platform/config/certificates.js';

/** Certificates of one chain. Issuers of PIDs have one or two below their anchor. */
const MAX_CHAIN = 4;

const isInForce = ({ validFrom, validTo }: X509Certificate, now: Date): boolean =>
  Date.parse(validFrom) <= now.getTime() && now.getTime() < Date.parse(validTo);

const isIssuedBy = (one: X509Certificate, issuer: X509Certificate, now: Date): boolean =>
  issuer.ca && isInForce(issuer, now) && one.checkIssued(issuer) && one.verify(issuer.publicKey);

const certificateOf = (text: unknown): X509Certificate | undefined => {
  if (typeof text !== 'string') return undefined;
  try {
    return new X509Certificate(Buffer.from(text, 'base64'));
  } catch {
    return undefined;
  }
};

/** The issuers that a deployment trusts to say who a person is: those whose certificates lead to an anchor. */
export class TrustedIssuers {
  constructor(private readonly anchors: readonly X509Certificate[]) {}

  /** From a file with certificates in PEM, as a list of trusted PID providers has them. None without a file. */
  static of(file: string | undefined): TrustedIssuers {
    return new TrustedIssuers(file === undefined ? [] : certificatesIn(readFileSync(file, 'utf8')));
  }

  get areNone(): boolean {
    return this.anchors.length === 0;
  }

  /**
   * The certificate that signs, of a header `x5c` (RFC 7515, section 4.1.6) whose last certificate an anchor issued. Undefined if it
   * leads to none, or a certificate on the way is not in force.
   */
  signerIn(x5c: unknown, now: Date): X509Certificate | undefined {
    if (!Array.isArray(x5c) || x5c.length > MAX_CHAIN) return undefined;
    const chain = x5c.map(certificateOf);
    const [signer] = chain;
    if (signer === undefined || signer.ca || !isInForce(signer, now)) return undefined;
    const isLinked = chain.every((one, place) => {
      const issuers = place + 1 < chain.length ? [chain[place + 1]] : this.anchors;
      return one !== undefined && issuers.some((issuer) => issuer !== undefined && isIssuedBy(one, issuer, now));
    });
    return isLinked ? signer : undefined;
  }
}
