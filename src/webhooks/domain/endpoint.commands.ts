import { type Envelope } from '../../kernel/envelope.js';
import { type WebhookEndpointDisabled } from './endpoint.events.js';

export interface Register {
  readonly kind: 'register';
  readonly endpointId: string;
  readonly url: Envelope;
  readonly description: Envelope | null;
  readonly secret: Envelope;
  readonly events: readonly string[];
  readonly now: Date;
}

/** An absent member stays as it is. */
export interface Change {
  readonly kind: 'change';
  readonly endpointId: string;
  readonly url?: Envelope;
  readonly description?: Envelope | null;
  readonly events?: readonly string[];
  readonly active?: boolean;
  readonly now: Date;
}

export interface Rotate {
  readonly kind: 'rotate';
  readonly endpointId: string;
  readonly secret: Envelope;
  readonly overlapSeconds: number;
  readonly now: Date;
}

export interface Disable {
  readonly kind: 'disable';
  readonly endpointId: string;
  readonly reason: WebhookEndpointDisabled['data']['reason'];
  readonly now: Date;
}

export interface Remove {
  readonly kind: 'delete';
  readonly endpointId: string;
  readonly dataKeyIds: readonly string[];
  readonly now: Date;
}

export type EndpointCommand = Register | Change | Rotate | Disable | Remove;
