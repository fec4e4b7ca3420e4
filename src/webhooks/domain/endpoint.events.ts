import { type DomainEvent } from '../../kernel/decider.js';
import { type Envelope } from '../../kernel/envelope.js';
import { uuidHex } from '../../kernel/ids.js';

/** The form is `webhook-<tenant>_<endpoint id as 32 hexadecimal digits>`. */
export const WEBHOOK_STREAM_PREFIX = 'webhook-';

export const webhookStream = (tenantId: string, endpointId: string): string =>
  `${WEBHOOK_STREAM_PREFIX}${tenantId}_${uuidHex(endpointId)}`;

/** The owner of an endpoint's data key, among the subjects of a tenant's keys. */
export const webhookKeySubject = (endpointId: string): string => `/webhook/${endpointId}`;

/** A receiver of one tenant. The URL is sealed since many URLs hold a secret. Times are ISO 8601, UTC, milliseconds. */
export type WebhookEndpointRegistered = DomainEvent<
  'WebhookEndpointRegistered.v1',
  {
    readonly endpointId: string;
    readonly url: Envelope;
    readonly description: Envelope | null;
    readonly secret: Envelope;
    /** Announcement types. */
    readonly events: readonly string[];
    readonly registeredAt: string;
  }
>;

/** An absent member is unchanged. */
export type WebhookEndpointChanged = DomainEvent<
  'WebhookEndpointChanged.v1',
  {
    readonly endpointId: string;
    readonly url?: Envelope;
    readonly description?: Envelope | null;
    readonly events?: readonly string[];
    readonly active?: boolean;
    readonly changedAt: string;
  }
>;

/** The former secret signs too until `overlapEndsAt`; at once invalid where that is null. */
export type WebhookSecretRotated = DomainEvent<
  'WebhookSecretRotated.v1',
  {
    readonly endpointId: string;
    readonly secret: Envelope;
    readonly overlapEndsAt: string | null;
    readonly rotatedAt: string;
  }
>;

/** `gone`: the receiver answered 410. `failing`: nothing but failures for five days. */
export type WebhookEndpointDisabled = DomainEvent<
  'WebhookEndpointDisabled.v1',
  { readonly endpointId: string; readonly reason: 'gone' | 'failing'; readonly disabledAt: string }
>;

export type WebhookEndpointDeleted = DomainEvent<
  'WebhookEndpointDeleted.v1',
  {
    readonly endpointId: string;
    /** They are destroyed, so that URL, description and secrets open nowhere any more. */
    readonly dataKeyIds: readonly string[];
    readonly deletedAt: string;
  }
>;

export type WebhookEvent =
  | WebhookEndpointRegistered
  | WebhookEndpointChanged
  | WebhookSecretRotated
  | WebhookEndpointDisabled
  | WebhookEndpointDeleted;
