import { once } from 'node:events';
import { inspect } from 'node:util';
import { type Arrival } from '@kyc/webhook-receiver/webhook-listener';
import { type Target } from '../target.js';
import { type Endpoint, registerEndpoint } from './endpoint.js';
import { startLocalReceiver } from './local-receiver.js';

export interface ListenOptions {
  /** 0: any that is free. */
  readonly port: number;
  readonly secret?: string;
  /** Where an endpoint is made for as long as this program listens. */
  readonly target?: Target;
  readonly events?: readonly string[];
  readonly print: (line: string) => void;
  /** Ends the listening. */
  readonly signal: AbortSignal;
}

const stamped = (text: string): string => `${new Date().toISOString().slice(11, 23)}  ${text}`;

const shown = ({ event, attempt }: Arrival): string => {
  const again = attempt === 1 ? '' : `  attempt ${attempt}`;
  const data = inspect(event.event_data, { depth: null, breakLength: 100 });
  return `${stamped(`${event.event_type}  ${event.id}  signature fine${again}`)}\n${data.replace(/^/gm, '    ')}`;
};

const removed = async (endpoint: Endpoint, print: (line: string) => void): Promise<void> => {
  try {
    await endpoint.remove();
    print(`removed endpoint ${endpoint.id}`);
  } catch (error) {
    print(`endpoint ${endpoint.id} could not be removed (${(error as Error).message}): delete it yourself`);
  }
};

/** Receives webhooks and prints each as a person would want it, until the signal aborts. */
export const listen = async ({ port, secret, target, events, print, signal }: ListenOptions): Promise<void> => {
  const receiver = await startLocalReceiver(port, {
    onEvent: (arrival) => print(shown(arrival)),
    onDuplicate: ({ event, attempt }) => print(stamped(`${event.id}  received before, attempt ${attempt}`)),
    onRefused: ({ status, reason }) => print(stamped(`refused with ${status}: ${reason}`)),
  });
  if (secret !== undefined) receiver.trust(secret);
  const order = { events, description: 'npm run webhooks -- listen' };
  try {
    const endpoint = target === undefined ? undefined : await registerEndpoint(target, receiver.url, order);
    if (endpoint !== undefined) {
      receiver.trust(endpoint.secret);
      print(`endpoint ${endpoint.id} gets ${endpoint.events.length} event types; it is removed at Ctrl+C`);
    }
    print(`listening on ${receiver.url}`);
    if (!signal.aborted) await once(signal, 'abort');
    if (endpoint !== undefined) await removed(endpoint, print);
  } finally {
    receiver.close();
  }
};
