import { Injectable } from '@nestjs/common';
import { isTenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { openIfPossible } from '../platform/crypto/open-if-possible.js';
import { Vault } from '../platform/crypto/vault.js';
import { AccountDirectory } from './account-directory.js';
import { type AccountRecord, placeOf, type SealedText } from './domain/account-record.js';

/** Reads accounts for display: finds them and decrypts their sealed texts. */
@Injectable()
export class AccountReader {
  constructor(
    private readonly directory: AccountDirectory,
    private readonly vault: Vault,
  ) {}

  /** Throws Rejection `not_found` if the id names no account. */
  async require(id: string): Promise<AccountRecord> {
    const record = isTenantId(id) ? await this.directory.find(id) : undefined;
    if (record === undefined) throw refuse('not_found');
    return record;
  }

  /** Null if there is no text, or its key is destroyed or away. Throws Unavailable. */
  async open({ tenantId }: AccountRecord, sealed: SealedText | undefined): Promise<string | null> {
    if (sealed === undefined) return null;
    const place = placeOf(tenantId, sealed.eventId, sealed.field);
    const text = await openIfPossible(this.vault, place, sealed.envelope);
    return typeof text === 'string' ? text : null;
  }
}
