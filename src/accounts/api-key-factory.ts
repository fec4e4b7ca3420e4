import { Inject, Injectable } from '@nestjs/common';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CONFIG } from '../platform/tokens.js';
import { base62, formatApiKey, KEY_ID_LENGTH, SECRET_LENGTH } from './domain/api-key.js';

export interface IssuedApiKey {
  readonly keyId: string;
  readonly environment: string;
  readonly secretHash: string;
  /** The whole key. It is shown once. */
  readonly apiKey: string;
}

/**
 * Derives API keys from a secret UUID. The same UUID and pepper give the same key. So a retried request shows the key
 * that the first attempt issued. The keyed hash has 256 bits, which cover the 40 base62 digits (238 bits) of id and
 * secret.
 */
@Injectable()
export class ApiKeyFactory {
  constructor(
    private readonly hashes: KeyedHashes,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  create(seed: string): IssuedApiKey {
    const bytes = this.hashes.apiKeySecret(`mint.v1\0${seed}`);
    const digits = base62(BigInt(`0x${bytes.toString('hex')}`), KEY_ID_LENGTH + SECRET_LENGTH);
    const { environment } = this.config;
    const keyId = digits.slice(0, KEY_ID_LENGTH);
    const secret = digits.slice(KEY_ID_LENGTH);
    const secretHash = this.hashes.apiKeySecret(secret).toString('hex');
    return { keyId, environment, secretHash, apiKey: formatApiKey({ environment, keyId, secret }) };
  }
}
