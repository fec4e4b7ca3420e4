import { type Envelope } from '../../kernel/envelope.js';
import { isRejection } from '../../kernel/rejection.js';
import { type EndpointCommand } from './endpoint.commands.js';
import { type WebhookEvent } from './endpoint.events.js';
import { type Endpoint, endpointDecider } from './endpoint.js';

const sealed = (text: string): Envelope => ({ v: 1, alg: 'A256GCM', key: 'k', iv: 'i', ct: text });
const now = new Date('2026-03-01T12:00:00.000Z');
const endpointId = 'e';

const register: EndpointCommand = {
  kind: 'register',
  endpointId,
  url: sealed('url'),
  description: null,
  secret: sealed('secret'),
  events: ['identity.created'],
  now,
};
const disable: EndpointCommand = { kind: 'disable', endpointId, reason: 'gone', now };
const remove: EndpointCommand = { kind: 'delete', endpointId, dataKeyIds: ['k'], now };

/** Carries the commands out one after the other. */
const after = (...commands: EndpointCommand[]): { state: Endpoint; events: readonly WebhookEvent[] } => {
  let state = endpointDecider.initialState('');
  let events: readonly WebhookEvent[] = [];
  for (const command of commands) {
    events = endpointDecider.decide(command, state);
    for (const [index, event] of events.entries())
      state = endpointDecider.evolve(state, { ...event, id: `${command.kind}${index}` } as never);
  }
  return { state, events };
};

const refused = (...commands: EndpointCommand[]): unknown => {
  try {
    after(...commands);
    return undefined;
  } catch (error) {
    return isRejection(error) ? error.code : error;
  }
};

describe('a webhook endpoint', () => {
  it('is registered once', () => {
    expect(after(register).state).toMatchObject({ phase: 'live', active: true, events: ['identity.created'] });
    expect(after(register, register).events).toEqual([]);
  });

  it('changes what is named, and remembers for which event each text is sealed', () => {
    const change: EndpointCommand = { kind: 'change', endpointId, url: sealed('other'), now };
    const { state } = after(register, change);
    expect(state.url).toEqual({ envelope: sealed('other'), eventId: 'change0' });
    expect(state.secret?.eventId).toBe('register0');
    expect(state.events).toEqual(['identity.created']);
  });

  it('has no event for a change of nothing', () => {
    expect(after(register, { kind: 'change', endpointId, active: true, now }).events).toEqual([]);
    expect(after(register, { kind: 'change', endpointId, description: null, now }).events).toHaveLength(1);
  });

  it('rotates at once or with an overlap', () => {
    const rotate = (overlapSeconds: number) =>
      after(register, { kind: 'rotate', endpointId, secret: sealed('new'), overlapSeconds, now }).events;
    expect(rotate(0)).toMatchObject([{ data: { overlapEndsAt: null } }]);
    expect(rotate(60)).toMatchObject([{ data: { overlapEndsAt: '2026-03-01T12:01:00.000Z' } }]);
  });

  it('is disabled once, and can be activated again', () => {
    expect(after(register, disable, disable).events).toEqual([]);
    expect(after(register, disable, { kind: 'change', endpointId, active: true, now }).state.active).toBe(true);
  });

  it('changes a thousand times at most, and can be disabled and deleted even then', () => {
    const toggles = Array.from({ length: 1_000 }, (_, index): EndpointCommand => {
      return { kind: 'change', endpointId, active: index % 2 === 1, now } as EndpointCommand;
    });
    const rotate = { kind: 'rotate', endpointId, secret: sealed('s'), overlapSeconds: 0, now } as EndpointCommand;
    for (const late of [{ ...toggles[0] } as EndpointCommand, rotate])
      expect(refused(register, ...toggles, late)).toBe('webhook_endpoint_changed_too_often');
    expect(after(register, ...toggles, disable, remove).state.phase).toBe('deleted');
  });

  it('is gone for every command once it is deleted', () => {
    expect(refused(remove)).toBe('not_found');
    for (const command of [disable, remove, { kind: 'change', endpointId, now } as const])
      expect(refused(register, remove, command)).toBe('not_found');
    expect(after(register, remove, register).events).toEqual([]);
  });
});
