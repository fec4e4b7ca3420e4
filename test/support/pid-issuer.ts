import 'reflect-metadata';
import { createPrivateKey, hash, KeyObject, randomBytes, sign, webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  type Extension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { createHeaderAndPayload, StatusList } from '@sd-jwt/jwt-status-list';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { type CompactJWSHeaderParameters, CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { PID_AUTHORITY_CERTIFICATE, PID_AUTHORITY_KEY } from './certificate.js';
import { type HeldCredential } from '@kyc/tools/wallet/wallet-client';

cryptoProvider.set(webcrypto as never);

const CURVE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** How keys of each kind are made, and sign as JWS says: algorithm and digest. */
const KINDS = {
  'P-256': { make: CURVE, alg: 'ES256', digest: 'sha256' },
  'P-384': { make: { name: 'ECDSA', namedCurve: 'P-384' }, alg: 'ES384', digest: 'sha384' },
  'P-521': { make: { name: 'ECDSA', namedCurve: 'P-521' }, alg: 'ES512', digest: 'sha512' },
  Ed25519: { make: { name: 'Ed25519' }, alg: 'EdDSA', digest: null },
  RSA: {
    make: {
      ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2_048 },
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    ...{ alg: 'RS256', digest: 'sha256' },
  },
} as const;

export interface Certified {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly curve: keyof typeof KINDS;
}

interface Kind {
  readonly by?: Certified;
  readonly isAuthority: boolean;
  readonly curve?: Certified['curve'];
  /** Days from now. */
  readonly from?: number;
  readonly to?: number;
  readonly pathLength?: number;
  readonly extensions?: readonly Extension[];
}

const newKeys = (curve: Certified['curve']): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(KINDS[curve].make, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;

/** Certifies new keys. Without an issuer they certify themselves. */
export const certified = async (
  name: string,
  { by, isAuthority, curve = 'P-256', from = -1, to = 365, pathLength, extensions = [] }: Kind,
): Promise<Certified> => {
  const keys = await newKeys(curve);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: randomBytes(8).toString('hex'),
    subject: name,
    issuer: by?.certificate.subject ?? name,
    notBefore: new Date(Date.now() + from * DAY_MS),
    notAfter: new Date(Date.now() + to * DAY_MS),
    publicKey: keys.publicKey as never,
    signingKey: (by?.keys ?? keys).privateKey as never,
    signingAlgorithm: CURVE,
    extensions: [new BasicConstraintsExtension(isAuthority, pathLength, true), ...extensions],
  });
  return { certificate, keys, curve };
};

/** The authority that deployments of tests trust. */
export const testAuthority = async (): Promise<Certified> => {
  const [certificate, pkcs8] = [new X509Certificate(PID_AUTHORITY_CERTIFICATE), createPrivateKey(PID_AUTHORITY_KEY)];
  const der = pkcs8.export({ format: 'der', type: 'pkcs8' });
  const privateKey = await webcrypto.subtle.importKey('pkcs8', der, CURVE, true, ['sign']);
  return { certificate, keys: { privateKey, publicKey: privateKey }, curve: 'P-256' };
};

export const base64Of = ({ certificate }: Certified): string => Buffer.from(certificate.rawData).toString('base64');

const signature = (data: string, { keys, curve }: Certified): string => {
  const key = KeyObject.from(keys.privateKey);
  return sign(KINDS[curve].digest, Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
};

export const MARIA = {
  family_name: 'Müller-Specimen',
  given_name: 'Maria',
  birthdate: '1984-01-26',
  nationalities: ['DE'],
  age_equal_or_over: { '18': true },
  place_of_birth: { locality: 'Berlin', country: 'DE' },
  issuing_country: 'DE',
  issuing_authority: 'DE',
};

interface Issuance {
  readonly claims?: Readonly<Record<string, unknown>>;
  /** What is signed in clear, instead of or beside the usual. */
  readonly signed?: Readonly<Record<string, unknown>>;
  /** Certificates of the header, the signer's first. */
  readonly chain?: readonly Certified[];
  readonly typ?: string;
  readonly hashAlg?: 'sha-256' | 'sha-512';
}

/** A state that issues person identification data, with its authority, its signer and its status list. */
export class PidIssuer {
  readonly statuses = new StatusList(
    Array.from({ length: 64 }, () => 0),
    2,
  );
  /** What answers in place of the list, where set. */
  instead: string | undefined;
  reads = 0;
  private issued = 0;

  private constructor(
    readonly authority: Certified,
    readonly signer: Certified,
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<PidIssuer> {
    const authority = await testAuthority();
    const signer = await certified('CN=Test PID issuer, C=DE', { by: authority, isAuthority: false });
    const server = createServer((_, response) => {
      issuer.reads += 1;
      void issuer.list().then((text) => response.writeHead(200).end(issuer.instead ?? text));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const issuer: PidIssuer = new PidIssuer(authority, signer, server, port);
    return issuer;
  }

  get uri(): string {
    return `http://127.0.0.1:${this.port}/statuses/1`;
  }

  /** A PID for a new key of a wallet. */
  async issue({
    claims = MARIA,
    signed = {},
    chain = [this.signer],
    typ = 'dc+sd-jwt',
    hashAlg = 'sha-256',
  }: Issuance = {}): Promise<HeldCredential & { readonly idx: number }> {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const idx = (this.issued += 1);
    const [signer = this.signer] = chain;
    const instance = new SDJwtVcInstance({
      signer: (data) => signature(data, signer),
      signAlg: KINDS[signer.curve].alg,
      hasher: (data, name) =>
        hash(name.replace('-', ''), typeof data === 'string' ? data : new Uint8Array(data), 'buffer'),
      hashAlg,
      saltGenerator: () => randomBytes(16).toString('base64url'),
    });
    const now = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: 'https://pid.example',
      iat: now,
      exp: now + 3_600,
      vct: 'urn:eudi:pid:1',
      cnf: { jwk: (await exportJWK(publicKey)) as JWK },
      status: { status_list: { idx, uri: this.uri } },
      ...claims,
      ...signed,
    };
    const { age_equal_or_over: ages, ...others } = claims as Record<string, object>;
    const frame = {
      _sd: Object.keys(others),
      ...(ages === undefined ? {} : { age_equal_or_over: { _sd: Object.keys(ages) } }),
    };
    const header = { typ, x5c: chain.map(base64Of) };
    const credential = await instance.issue(payload as never, frame as never, { header });
    return { issuer: 'https://pid.example', credential, key: await exportJWK(privateKey), idx };
  }

  /** The status list as it is signed now, or with other claims. */
  list(claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const usual = { sub: this.uri, iat: Math.floor(Date.now() / 1_000), ttl: 0, iss: 'https://pid.example' };
    const header = { alg: 'ES256', typ: 'statuslist+jwt' as const, x5c: [base64Of(this.signer)] };
    const made = createHeaderAndPayload(this.statuses, usual, header);
    return this.sign(header, { ...made.payload, ...claims });
  }

  sign(header: CompactJWSHeaderParameters, payload: object): Promise<string> {
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader(header)
      .sign(KeyObject.from(this.signer.keys.privateKey));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
