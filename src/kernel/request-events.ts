import { type TenantId } from './ids.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An event of the feed that a request led to, with its newest 20 deliveries. */
export interface RequestEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly deliveries: readonly { readonly id: string; readonly endpointId: string; readonly status: DeliveryStatus }[];
}

/** What receivers of webhooks get of a request. The webhooks slice implements it. Throws Unavailable. */
export abstract class RequestEvents {
  /** Oldest first, 100 at most. */
  abstract ofRequest(tenantId: TenantId, requestId: string): Promise<readonly RequestEvent[]>;
}
