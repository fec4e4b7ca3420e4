import { type AnnouncementType } from '../../kernel/contract.js';

/** Bytes of a body at most. */
export const MAX_BODY = 20 * 1_024;

/** Asks an address whether it wants the events. No one can subscribe to it. */
export const VERIFICATION = 'endpoint.verification';

export interface AnnouncedEvent {
  readonly id: string;
  readonly type: AnnouncementType | typeof VERIFICATION;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** Made for a test delivery. */
  readonly test: boolean;
  /** Its data holds what is stored sealed, of a person. */
  readonly isOpened?: true;
}

/** What a receiver gets (docs/contract.md, What a receiver gets): both spellings of each member, with the same values. */
export interface Envelope {
  readonly id: string;
  readonly event_type: AnnouncedEvent['type'];
  readonly type: AnnouncedEvent['type'];
  readonly created_at: string;
  readonly timestamp: string;
  readonly event_data: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly test?: true;
}

export const envelopeOf = ({ id, type, occurredAt, data, test }: AnnouncedEvent): Envelope => {
  const at = occurredAt.toISOString();
  return {
    id,
    event_type: type,
    type,
    created_at: at,
    timestamp: at,
    event_data: data,
    data,
    ...(test ? { test: true } : {}),
  };
};
