import { type Clock } from '../../kernel/clock.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';
import { invariant } from '../../kernel/invariant.js';
import { answerSubject } from './response-keys.js';
import { decrypt, encrypt } from './cipher.js';
import { type DataKeys, HeldKey } from './data-keys.js';
import { type TenantKeys } from './tenant-keys.js';
import { type DataKey, ERASED, type KeyedHashes, type Place, type TenantKeyPurpose, Vault } from './vault.js';

/** Binds a ciphertext to its place (decisions: `v1\0tenant\0stream\0eventId\0field`). */
const associatedData = ({ tenantId, stream, eventId, field }: Place): string =>
  `v1\0${tenantId}\0${stream}\0${eventId}\0${field}`;

/** Seals and opens under data keys that Postgres holds. Sealing is synchronous, since the caller already has the key. */
export class PostgresVault extends Vault {
  constructor(
    private readonly keys: DataKeys,
    private readonly tenantKeys: TenantKeys,
    private readonly hashes: KeyedHashes,
    private readonly clock: Clock,
  ) {
    super();
  }

  override tenantKey(tenantId: TenantId, purpose: TenantKeyPurpose, seals?: number): Promise<DataKey> {
    return this.tenantKeys.take(tenantId, purpose, seals);
  }

  override subjectKey(tenantId: TenantId, identityId: string): Promise<DataKey> {
    return this.keys.ofOwner({ tenantId, subject: identityId });
  }

  override answerKey(tenantId: TenantId, email: string, phone: string): Promise<DataKey> {
    const subject = answerSubject(this.hashes.identityId(tenantId, email, phone), this.clock.now());
    return this.keys.ofOwner({ tenantId, subject });
  }

  override seal(key: DataKey, place: Place, value: unknown): Envelope {
    invariant(key instanceof HeldKey, 'a data key comes from the vault');
    const { nonce, ciphertext } = encrypt(key.material(), associatedData(place), JSON.stringify(value));
    return {
      v: 1,
      alg: 'A256GCM',
      key: key.id,
      iv: nonce.toString('base64url'),
      ct: ciphertext.toString('base64url'),
    };
  }

  override async open(place: Place, envelope: Envelope): Promise<unknown> {
    const key = await this.keys.withId(envelope.key);
    if (key === ERASED) return ERASED;
    const plaintext = decrypt(key.material(), associatedData(place), {
      nonce: Buffer.from(envelope.iv, 'base64url'),
      ciphertext: Buffer.from(envelope.ct, 'base64url'),
    });
    return JSON.parse(plaintext.toString('utf8'));
  }
}
