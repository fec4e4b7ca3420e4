import { Injectable } from '@nestjs/common';
import { type Envelope } from '../kernel/envelope.js';
import { openIfPossible } from '../platform/crypto/open-if-possible.js';
import { type Place, Vault } from '../platform/crypto/vault.js';
import { type AnnouncedEvent } from './domain/envelope.js';

/** A member of an event's data that is stored sealed, as the log has it: the person it is of may be erased. */
export interface Sealed {
  readonly place: Place;
  readonly envelope: Envelope;
  readonly member: string;
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

/** Opens what receivers get of sealed fields. Throws Unavailable. */
@Injectable()
export class SealedMembers {
  constructor(private readonly vault: Vault) {}

  /** Where nothing opens it, the member is left out: it holds up no other event. */
  async open({ sealed, ...event }: StoredAnnouncement): Promise<AnnouncedEvent> {
    if (sealed === null) return event;
    const opened = await openIfPossible(this.vault, sealed.place, sealed.envelope);
    if (opened === undefined) return event;
    return { ...event, data: { ...event.data, [sealed.member]: opened }, isOpened: true };
  }
}
