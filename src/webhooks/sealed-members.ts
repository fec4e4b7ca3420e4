import { Injectable } from '@nestjs/common';
import { type Envelope } from '../kernel/envelope.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { ERASED, type Place, Vault } from '../platform/crypto/vault.js';
import { type AnnouncedEvent } from './domain/envelope.js';

/** Members of an event's data that are stored sealed, as the log has them: the person they are of may be erased. */
export interface Sealed {
  readonly place: Place;
  readonly envelope: Envelope;
  readonly members: readonly string[];
}

export interface StoredAnnouncement extends AnnouncedEvent {
  readonly sealed: Sealed | null;
}

/** A row as it is read. */
export const storedOf = <Row extends { readonly data: string; readonly sealed: string | null }>(row: Row) => ({
  ...row,
  data: JSON.parse(row.data) as AnnouncedEvent['data'],
  sealed: row.sealed === null ? null : (JSON.parse(row.sealed) as Sealed),
});

/** Opens what receivers are told of sealed fields. Throws Unavailable. */
@Injectable()
export class SealedMembers {
  constructor(private readonly vault: Vault) {}

  /** Of a person who was erased since, or whose data key was lost, nothing is added. */
  async open({ sealed, ...event }: StoredAnnouncement): Promise<AnnouncedEvent> {
    if (sealed === null) return event;
    const found = await this.vault.open(sealed.place, sealed.envelope).catch((error: unknown) => {
      if (error instanceof DataKeyMissing) return ERASED;
      throw error;
    });
    if (found === ERASED) return event;
    const added = Object.entries(found as object).filter(([name]) => sealed.members.includes(name));
    return { ...event, data: { ...event.data, ...Object.fromEntries(added) } };
  }
}
