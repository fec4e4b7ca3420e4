import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ListenerOptions, webhookListener } from '@kyc/webhook-receiver/webhook-listener';

export interface LocalReceiver {
  readonly url: string;
  /** From now on deliveries must be signed with this secret. */
  trust(secret: string): void;
  close(): void;
}

/** Receives webhooks on 127.0.0.1. Until a secret is trusted every delivery is refused. `port` 0: any that is free. */
export const startLocalReceiver = async (
  port: number,
  options: Omit<ListenerOptions, 'secret'>,
): Promise<LocalReceiver> => {
  // No one knows this secret: an endpoint is made, with its own, once the address to register is known.
  const secrets = [randomBytes(32).toString('base64')];
  const server = createServer(webhookListener({ ...options, secret: secrets }));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    trust: (secret) => void (secrets[0] = secret),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
