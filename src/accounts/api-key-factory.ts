import { Inject, Injectable } from '@nestjs/common';
import { type Config } from '../platform/config/config.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { CONFIG } from '../platform/tokens.js';
import { base62, formatApiKey, KEY_ID_LENGTH, SECRET_LENGTH } from './domain/api-key.js';

export interface IssuedApiKey {
  readonly keyId: string;
  readonly environment: string;
  readonly secretHash: string;
  /** The whole key, to be shown once. */
  readonly apiKey: string;
}

/**
 * Makes API keys out of a UUID that nobody outside knows: the same UUID gives the same key under the same pepper, so that the
 * second attempt at a request shows the key that the first one issued. The keyed hash's 256 bits carry the id's and the
 * secret's 40 base62 digits (238 bits).
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
