import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type TenantId } from '../../kernel/ids.js';
import { KEY_BYTES } from '../../kernel/key-material.js';
import { KeyedHashes } from './vault.js';

/** A key object spares each HMAC the import of the key's bytes. */
const deriveKey = (root: Buffer, label: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `kyc-network/${label}`, KEY_BYTES)));

const hmac = (key: KeyObject, text: string): ReturnType<typeof createHmac> =>
  createHmac('sha256', key).update(text, 'utf8');

/** HMAC-SHA256. Each purpose has its own key: HKDF-SHA256 (RFC 5869) of the index root with a fixed label. */
export class HmacKeyedHashes extends KeyedHashes {
  private readonly keys: Readonly<
    Record<
      | 'identityHash'
      | 'auditSubject'
      | 'identityId'
      | 'phone'
      | 'apiKey'
      | 'actor'
      | 'link'
      | 'idempotency'
      | 'leafSalt'
      | 'screening',
      KeyObject
    >
  >;

  constructor(indexRoot: Buffer) {
    super();
    this.keys = {
      identityHash: deriveKey(indexRoot, 'identity-hash'),
      auditSubject: deriveKey(indexRoot, 'audit-subject'),
      identityId: deriveKey(indexRoot, 'identity-id'),
      phone: deriveKey(indexRoot, 'phone-hash'),
      apiKey: deriveKey(indexRoot, 'api-key-pepper'),
      actor: deriveKey(indexRoot, 'actor'),
      link: deriveKey(indexRoot, 'link'),
      idempotency: deriveKey(indexRoot, 'idempotency'),
      leafSalt: deriveKey(indexRoot, 'leaf-salt'),
      screening: deriveKey(indexRoot, 'screening'),
    };
  }

  override identityHash(email: string, phone: string): string {
    return hmac(this.keys.identityHash, `idh.v1\0${email}\0${phone}`).digest('hex');
  }

  override auditSubject(tenantId: TenantId, identityHash: string): string {
    const digits = hmac(this.keys.auditSubject, `aud.v1\0${tenantId}\0${identityHash}`).digest('hex');
    return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  override identityId(tenantId: TenantId, email: string, phone: string): string {
    return `idn_${hmac(this.keys.identityId, `idn.v1\0${tenantId}\0${email}\0${phone}`).digest('hex').slice(0, 32)}`;
  }

  override phone(phone: string): string {
    return hmac(this.keys.phone, `ph.v1\0${phone}`).digest('hex');
  }

  override apiKeySecret(secret: string): Buffer {
    return hmac(this.keys.apiKey, secret).digest();
  }

  override actor(name: string): string {
    return hmac(this.keys.actor, name).digest('hex').slice(0, 32);
  }

  override link(text: string): Buffer {
    return hmac(this.keys.link, text).digest();
  }

  override idempotency(text: string): string {
    return hmac(this.keys.idempotency, text).digest('hex');
  }

  override leafSalt(eventId: string): Buffer {
    return hmac(this.keys.leafSalt, eventId.toLowerCase()).digest();
  }

  override screening(text: string): string {
    return hmac(this.keys.screening, text).digest('hex');
  }
}
