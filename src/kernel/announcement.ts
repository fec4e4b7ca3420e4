import { type AnnouncementType } from './contract.js';
import { type Envelope } from './envelope.js';
import { type StoredEvent } from './events.js';

/** What receivers of a tenant's webhooks get. `data` holds ids, statuses and times, never personal data. */
export interface Announcement {
  readonly type: AnnouncementType;
  /** One tenant, or every account with an endpoint for this type. Absent: the tenant of the event's stream. */
  readonly audience?: { readonly tenantId: string } | 'subscribers';
  readonly data: Readonly<Record<string, unknown>>;
  /** A sealed field of the event. Receivers get it as this member of the data, where it can be opened. */
  readonly sealed?: { readonly field: string; readonly envelope: Envelope; readonly member: string };
}

/**
 * What a slice announces of its events. `announce` is pure: the same event gives the same announcements, in the same order.
 */
export interface Announcer {
  /** Streams whose names begin with one of these. */
  readonly streamPrefixes: readonly string[];
  /** Event types that are announced. */
  readonly eventTypes: readonly string[];
  announce(event: StoredEvent): readonly Announcement[];
}
