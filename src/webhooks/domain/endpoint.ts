import { type StreamDecider } from '../../kernel/category.js';
import { type Envelope } from '../../kernel/envelope.js';
import { refuse } from '../../kernel/rejection.js';
import { type Change, type EndpointCommand, type Rotate } from './endpoint.commands.js';
import { type WebhookEvent } from './endpoint.events.js';

/** A text, and the event that it is sealed for. */
export interface SealedText {
  readonly envelope: Envelope;
  readonly eventId: string;
}

export interface Endpoint {
  readonly phase: 'none' | 'live' | 'deleted';
  readonly url: SealedText | null;
  readonly description: SealedText | null;
  readonly secret: SealedText | null;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly registeredAt: string;
  /** The last change of the secret. */
  readonly rotation: { readonly rotatedAt: string; readonly overlapEndsAt: string | null } | null;
  /** Changes and rotations so far. */
  readonly changes: number;
}

/** Every change reads all that were before it. */
const MAX_CHANGES = 1_000;

const initialState = (): Endpoint => ({
  phase: 'none',
  url: null,
  description: null,
  secret: null,
  events: [],
  active: false,
  registeredAt: '',
  rotation: null,
  changes: 0,
});

const change = (command: Change, { active }: Endpoint): WebhookEvent[] => {
  const { endpointId, url, description, events, now } = command;
  const data = {
    endpointId,
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined ? {} : { events }),
    ...(command.active === undefined || command.active === active ? {} : { active: command.active }),
    changedAt: now.toISOString(),
  };
  return Object.keys(data).length === 2 ? [] : [{ type: 'WebhookEndpointChanged.v1', data }];
};

const rotate = ({ endpointId, secret, overlapSeconds, now }: Rotate): WebhookEvent[] => {
  const overlapEndsAt = overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
  const data = { endpointId, secret, overlapEndsAt, rotatedAt: now.toISOString() };
  return [{ type: 'WebhookSecretRotated.v1', data }];
};

const decide = (command: EndpointCommand, endpoint: Endpoint): readonly WebhookEvent[] => {
  const { endpointId } = command;
  if (command.kind === 'register') {
    if (endpoint.phase !== 'none') return [];
    const { url, description, secret, events, now } = command;
    const data = { endpointId, url, description, secret, events, registeredAt: now.toISOString() };
    return [{ type: 'WebhookEndpointRegistered.v1', data }];
  }
  if (endpoint.phase !== 'live') throw refuse('not_found');
  const isEdit = command.kind === 'change' || command.kind === 'rotate';
  if (isEdit && endpoint.changes >= MAX_CHANGES) throw refuse('webhook_endpoint_changed_too_often');
  switch (command.kind) {
    case 'change':
      return change(command, endpoint);
    case 'rotate':
      return rotate(command);
    case 'disable': {
      if (!endpoint.active) return [];
      const data = { endpointId, reason: command.reason, disabledAt: command.now.toISOString() };
      return [{ type: 'WebhookEndpointDisabled.v1', data }];
    }
    case 'delete': {
      const data = { endpointId, dataKeyIds: command.dataKeyIds, deletedAt: command.now.toISOString() };
      return [{ type: 'WebhookEndpointDeleted.v1', data }];
    }
  }
};

const sealed = (envelope: Envelope | null | undefined, eventId: string): SealedText | null =>
  envelope ? { envelope, eventId } : null;

const evolve = (endpoint: Endpoint, event: WebhookEvent & { readonly id: string }): Endpoint => {
  switch (event.type) {
    case 'WebhookEndpointRegistered.v1': {
      const { url, description, secret, events, registeredAt } = event.data;
      return {
        phase: 'live',
        url: sealed(url, event.id),
        description: sealed(description, event.id),
        secret: sealed(secret, event.id),
        events,
        active: true,
        registeredAt,
        rotation: null,
        changes: 0,
      };
    }
    case 'WebhookEndpointChanged.v1': {
      const { url, description, events = endpoint.events, active = endpoint.active } = event.data;
      return {
        ...endpoint,
        url: url === undefined ? endpoint.url : sealed(url, event.id),
        description: description === undefined ? endpoint.description : sealed(description, event.id),
        events,
        active,
        changes: endpoint.changes + 1,
      };
    }
    case 'WebhookSecretRotated.v1': {
      const { secret, rotatedAt, overlapEndsAt } = event.data;
      const rotation = { rotatedAt, overlapEndsAt };
      return { ...endpoint, secret: sealed(secret, event.id), rotation, changes: endpoint.changes + 1 };
    }
    case 'WebhookEndpointDisabled.v1':
      return { ...endpoint, active: false };
    case 'WebhookEndpointDeleted.v1':
      return { ...initialState(), phase: 'deleted' };
  }
};

export const endpointDecider: StreamDecider<Endpoint, EndpointCommand, WebhookEvent> = { initialState, decide, evolve };
