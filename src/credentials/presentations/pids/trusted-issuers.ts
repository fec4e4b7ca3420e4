import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as ParsedCertificate,
} from '@peculiar/x509';
import { certificatesIn } from '../../../platform/config/certificates.js';

/** Certificates of one chain. Issuers of PIDs have one or two below their anchor. */
const MAX_CHAIN = 4;

/** What a certificate may say that must be understood: basic constraints, key usage, extended key usage and policies. */
const UNDERSTOOD: ReadonlySet<string> = new Set(['2.5.29.19', '2.5.29.15', '2.5.29.37', '2.5.29.32']);

const NAME_CONSTRAINTS = '2.5.29.30';

/** Uses of certificates that servers and clients of TLS have. */
const TLS: ReadonlySet<unknown> = new Set(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);

const ANY_USAGE = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign;

/**
 * What the extensions of a certificate allow (RFC 5280, section 4.2.1). Names are not constrained here: who says so is refused.
 * Throws where an extension cannot be read.
 */
const extensionsOf = ({ raw }: X509Certificate) => {
  const parsed = new ParsedCertificate(raw);
  const { usages } = parsed.getExtension(KeyUsagesExtension) ?? { usages: ANY_USAGE };
  const uses = parsed.getExtension(ExtendedKeyUsageExtension)?.usages ?? [];
  return {
    isUnderstood: parsed.extensions.every(
      ({ critical, type }) => type !== NAME_CONSTRAINTS && (!critical || UNDERSTOOD.has(type)),
    ),
    maySign: (usages & KeyUsageFlags.digitalSignature) !== 0 && !uses.some((use) => TLS.has(use)),
    mayCertify: (usages & KeyUsageFlags.keyCertSign) !== 0,
    /** Authorities that may stand between it and the signer. */
    authoritiesBelow: parsed.getExtension(BasicConstraintsExtension)?.pathLength ?? Infinity,
  };
};

interface Certificate {
  readonly x509: X509Certificate;
  readonly allowed: ReturnType<typeof extensionsOf>;
}

const read = (x509: X509Certificate): Certificate => ({ x509, allowed: extensionsOf(x509) });

const isInForce = ({ validFrom, validTo }: X509Certificate, now: Date): boolean =>
  Date.parse(validFrom) <= now.getTime() && now.getTime() < Date.parse(validTo);

/** `place`: that of the certificate in its chain, from 0 for the signer's. */
const isIssuedBy = ({ x509 }: Certificate, issuer: Certificate, place: number, now: Date): boolean => {
  const { isUnderstood, mayCertify, authoritiesBelow } = issuer.allowed;
  const mayIssue = issuer.x509.ca && isUnderstood && mayCertify && place <= authoritiesBelow;
  return mayIssue && isInForce(issuer.x509, now) && x509.checkIssued(issuer.x509) && x509.verify(issuer.x509.publicKey);
};

const certificateOf = (text: unknown): Certificate | undefined => {
  if (typeof text !== 'string') return undefined;
  try {
    return read(new X509Certificate(Buffer.from(text, 'base64')));
  } catch {
    return undefined;
  }
};

/** The issuers that a deployment trusts to say who a person is: those whose certificates lead to an anchor. */
export class TrustedIssuers {
  private constructor(private readonly anchors: readonly Certificate[]) {}

  /** From a file with certificates in PEM, as a list of trusted PID providers has them. None without a file. */
  static of(file: string | undefined): TrustedIssuers {
    return new TrustedIssuers(file === undefined ? [] : certificatesIn(readFileSync(file, 'utf8')).map(read));
  }

  get isEmpty(): boolean {
    return this.anchors.length === 0;
  }

  /**
   * The certificate that signs, of a header `x5c` (RFC 7515, section 4.1.6) whose last certificate an anchor issued. Undefined if it
   * leads to none, or a certificate on the way is not in force or not for that.
   */
  signerIn(x5c: unknown, now: Date): X509Certificate | undefined {
    if (!Array.isArray(x5c) || x5c.length > MAX_CHAIN) return undefined;
    const chain = x5c.map(certificateOf);
    const [signer] = chain;
    if (signer === undefined || signer.x509.ca || !isInForce(signer.x509, now)) return undefined;
    const { isUnderstood, maySign } = signer.allowed;
    if (!isUnderstood || !maySign) return undefined;
    const isLinked = chain.every((one, place) => {
      const issuers = place + 1 < chain.length ? [chain[place + 1]] : this.anchors;
      return one !== undefined && issuers.some((issuer) => issuer !== undefined && isIssuedBy(one, issuer, place, now));
    });
    return isLinked ? signer.x509 : undefined;
  }
}
