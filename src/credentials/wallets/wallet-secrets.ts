import { Inject, Injectable } from '@nestjs/common';
import { errors, EncryptJWT, jwtDecrypt } from 'jose';
import { type Clock } from '../../kernel/clock.js';
import { newUuid, type TenantId, uuidFromHex, uuidHex } from '../../kernel/ids.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { CLOCK } from '../../platform/tokens.js';
import { type CredentialTarget } from '../credential-repository.js';

/** What a secret is good for. None is good for another use. */
export type SecretUse = 'offer' | 'code' | 'access' | 'notice';

const ENCRYPTION = { alg: 'dir', enc: 'A256GCM' } as const;

/** Of OpenID4VCI 1.0, section 3.5: digits that a person can type. */
export const CODE_LENGTH = 6;

/**
 * The secrets that wallets bring back, with short names since one stands in a path: encrypted with their meaning and their end, so that none can be made up, and nothing of
 * them is stored.
 */
@Injectable()
export class WalletSecrets {
  private readonly key: Uint8Array;

  constructor(
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.key = hashes.link('wallets.v1');
  }

  /** A secret about one credential. */
  seal(use: SecretUse, { tenantId, credentialId }: CredentialTarget, until: Date): Promise<string> {
    return this.encrypt({ u: use, t: tenantId, c: uuidHex(credentialId) }, until);
  }

  /** Undefined if it is none of this use, or too old. */
  async open(use: SecretUse, secret: string): Promise<CredentialTarget | undefined> {
    const claims = await this.decrypt(secret);
    if (claims?.['u'] !== use) return undefined;
    return { tenantId: claims['t'] as TenantId, credentialId: uuidFromHex(claims['c'] as string) };
  }

  /** A value that shows that a proof is new (OpenID4VCI 1.0, section 7). */
  nonce(until: Date): Promise<string> {
    return this.encrypt({ u: 'nonce', random: newUuid() }, until);
  }

  async isNonce(text: string): Promise<boolean> {
    return (await this.decrypt(text))?.['u'] === 'nonce';
  }

  /** The code that the person enters in the wallet. It follows from the credential, so a repeat answers the same. */
  codeOf({ tenantId, credentialId }: CredentialTarget): string {
    const number = this.hashes.link(`tx_code.v1\0${tenantId}\0${credentialId}`).readUIntBE(0, 6) % 10 ** CODE_LENGTH;
    return String(number).padStart(CODE_LENGTH, '0');
  }

  private encrypt(claims: Readonly<Record<string, string>>, until: Date): Promise<string> {
    return new EncryptJWT(claims)
      .setProtectedHeader(ENCRYPTION)
      .setExpirationTime(Math.ceil(until.getTime() / 1_000))
      .encrypt(this.key);
  }

  private async decrypt(secret: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    try {
      const { payload } = await jwtDecrypt(secret, this.key, {
        keyManagementAlgorithms: [ENCRYPTION.alg],
        contentEncryptionAlgorithms: [ENCRYPTION.enc],
        currentDate: this.clock.now(),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
