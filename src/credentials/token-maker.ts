import { Injectable } from '@nestjs/common';
import { type Tier } from '../kernel/kyc.js';
import { signJwt } from '../platform/crypto/signing-keys.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { claimsOf, keyUrlOf } from './domain/credential-claims.js';
import { type StatusEntry } from './domain/credential.events.js';
import { IssuerIdentity } from './issuer.js';
import { IssuerKeys } from './issuer-keys.js';
import { StatusIndexes } from './status-indexes.js';

interface Content {
  readonly credentialId: string;
  readonly person: { readonly fullName: string; readonly tier: Tier; readonly phone: string };
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export interface MadeToken {
  readonly token: string;
  /** The thumbprint of the key that signed it. */
  readonly kid: string;
  readonly status: StatusEntry;
}

/** Makes the token that `issue` answers: a W3C Verifiable Credential as a JWT. */
@Injectable()
export class TokenMaker {
  constructor(
    private readonly issuer: IssuerIdentity,
    private readonly keys: IssuerKeys,
    private readonly indexes: StatusIndexes,
    private readonly hashes: KeyedHashes,
  ) {}

  async make({ person: { fullName, tier, phone }, ...content }: Content): Promise<MadeToken> {
    const [issuer, signer, status] = await Promise.all([
      this.issuer.establish(),
      this.keys.signer(),
      this.indexes.take(),
    ]);
    const phoneHash = this.hashes.phone(phone);
    const claims = claimsOf({ ...content, ...issuer, phoneHash, fullName, tier, phone, status });
    const kid = keyUrlOf(issuer.issuer, signer.kid);
    return { token: await signJwt({ ...signer, kid }, { ...claims }), kid: signer.kid, status };
  }
}
