import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { type Arrival, webhookListener } from '@kyc/webhook-receiver/webhook-listener';
import { type Target } from '../target.js';
import { type Endpoint, registerEndpoint } from './endpoint.js';

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

const listenOn = async (server: Server, port: number): Promise<string> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
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
  // Nobody knows this secret: the endpoint is made, with its own, once the address to register is known.
  const secrets = [secret ?? randomBytes(32).toString('base64')];
  const server = createServer(
    webhookListener({
      secret: secrets,
      onEvent: (arrival) => print(shown(arrival)),
      onDuplicate: ({ event, attempt }) => print(stamped(`${event.id}  received before, attempt ${attempt}`)),
      onRefused: ({ status, reason }) => print(stamped(`refused with ${status}: ${reason}`)),
    }),
  );
  const url = await listenOn(server, port);
  try {
    const endpoint = target === undefined ? undefined : await registerEndpoint(target, url, events);
    if (endpoint !== undefined) {
      secrets[0] = endpoint.secret;
      print(`endpoint ${endpoint.id} gets ${endpoint.events.length} event types; it is removed at Ctrl+C`);
    }
    print(`listening on ${url}`);
    if (!signal.aborted) await once(signal, 'abort');
    if (endpoint !== undefined) await removed(endpoint, print);
  } finally {
    server.closeAllConnections();
    server.close();
  }
};
