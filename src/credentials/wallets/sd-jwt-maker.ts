import { hash, randomBytes, sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { type JWK } from 'jose';
import { keyUrlOf } from '../domain/credential-claims.js';
import { ATTESTATION_TYPE, DIGESTS, type DisclosedClaims, tokenListUrl } from '../domain/wallet-credential.js';
import { type StatusEntry } from '../domain/credential.events.js';
import { IssuerIdentity } from '../issuer.js';
import { IssuerKeys } from '../issuer-keys.js';
import { StatusIndexes } from '../status-indexes.js';

interface Content {
  readonly claims: DisclosedClaims;
  /** A public key. */
  readonly holder: JWK;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

export interface MadeCopy {
  readonly token: string;
  /** The thumbprint of the key that signed it. */
  readonly kid: string;
  readonly status: StatusEntry;
}

const SALT_BYTES = 16;
const HASHER = (data: string | ArrayBuffer): Uint8Array =>
  hash('sha256', typeof data === 'string' ? data : new Uint8Array(data), 'buffer');

/** Makes SD-JWT credentials (RFC 9901; SD-JWT VC) that a wallet's key holds and whose claims it discloses one by one. */
@Injectable()
export class SdJwtMaker {
  constructor(
    private readonly issuer: IssuerIdentity,
    private readonly keys: IssuerKeys,
    private readonly indexes: StatusIndexes,
  ) {}

  async make({ claims, holder, iat, exp }: Content): Promise<MadeCopy> {
    const [{ issuer, baseUrl }, signer, status] = await Promise.all([
      this.issuer.establish(),
      this.keys.signer(),
      this.indexes.take(),
    ]);
    const instance = new SDJwtVcInstance({
      signer: (data) => sign(null, Buffer.from(data), signer.key).toString('base64url'),
      signAlg: 'EdDSA',
      hasher: HASHER,
      hashAlg: 'sha-256',
      saltGenerator: () => randomBytes(SALT_BYTES).toString('base64url'),
    });
    const disclosable = Object.keys(claims) as (keyof DisclosedClaims)[];
    const token = await instance.issue(
      {
        iss: baseUrl,
        iat,
        exp,
        vct: ATTESTATION_TYPE,
        cnf: { jwk: holder as Record<string, unknown> as never },
        status: { status_list: { idx: status.index, uri: tokenListUrl(baseUrl, status.list) } },
        ...claims,
      },
      // As many digests in each, so that their number says nothing of the person.
      { _sd: disclosable, _sd_decoy: DIGESTS - disclosable.length },
      { header: { kid: keyUrlOf(issuer, signer.kid) } },
    );
    return { token, kid: signer.kid, status };
  }
}
