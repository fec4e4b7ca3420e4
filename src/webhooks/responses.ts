import { Injectable } from '@nestjs/common';
import { type Envelope } from '../kernel/envelope.js';
import { type TenantId } from '../kernel/ids.js';
import { isKeyAway, openIfPossible } from '../platform/crypto/open-if-possible.js';
import { type Place, Vault } from '../platform/crypto/vault.js';

/** What a receiver answered. It may repeat what it was sent, so that it is stored sealed. */
export interface ReceiverResponse {
  /** Ten at most. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 1,024 bytes as text. */
  readonly body: string;
}

const placeOf = (tenantId: TenantId, deliveryId: string, attempt: number): Place => ({
  tenantId,
  stream: `delivery-${deliveryId}`,
  eventId: deliveryId,
  field: `response.${attempt}`,
});

/** Seals and opens what receivers answered. Throws Unavailable. */
@Injectable()
export class Responses {
  constructor(private readonly vault: Vault) {}

  /** Null where there was no response, or no key for it: the try counts all the same. */
  async seal(
    tenantId: TenantId,
    deliveryId: string,
    attempt: number,
    response: ReceiverResponse | null,
  ): Promise<Envelope | null> {
    if (response === null) return null;
    try {
      const key = await this.vault.tenantKey(tenantId, 'texts');
      return this.vault.seal(key, placeOf(tenantId, deliveryId, attempt), response);
    } catch (error) {
      if (!isKeyAway(error)) throw error;
      return null;
    }
  }

  /** Null where there is none any more, or nothing opens it. */
  async open(
    tenantId: TenantId,
    deliveryId: string,
    attempt: number,
    sealed: string | null,
  ): Promise<ReceiverResponse | null> {
    if (sealed === null) return null;
    const place = placeOf(tenantId, deliveryId, attempt);
    const opened = await openIfPossible(this.vault, place, JSON.parse(sealed) as Envelope);
    return opened === undefined ? null : (opened as ReceiverResponse);
  }
}
