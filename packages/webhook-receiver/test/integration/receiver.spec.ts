import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { checkReceiver } from '../../src/check-receiver.js';
import { signWebhook } from '../../src/sign-webhook.js';
import { webhookListener } from '../../src/webhook-listener.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const delivery = (id = 'evt_1'): { headers: Record<string, string>; body: string; method: string } => {
  const body = JSON.stringify({ id, event_type: 'claim.requested', created_at: '', event_data: {} });
  const timestamp = Math.floor(Date.now() / 1_000);
  return { method: 'POST', body, headers: signWebhook({ id, body, secret: SECRET, timestamp }) };
};

describe('the listener', () => {
  it('keeps every rule of a receiver', async () => {
    const handled = new Map<string, number>();
    const onEvent = ({ event }: { event: { id: string } }): void => {
      handled.set(event.id, (handled.get(event.id) ?? 0) + 1);
    };
    const url = await serve(webhookListener({ secret: SECRET, onEvent }));
    const checks = await checkReceiver({ url, secret: SECRET, handled: (id) => handled.get(id) ?? 0 });
    expect(checks.length).toBeGreaterThan(6);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  });

  it('answers 500 where the work failed, and does it at the next delivery', async () => {
    let tries = 0;
    const onEvent = (): void => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
    };
    const url = await serve(webhookListener({ secret: SECRET, onEvent }));
    expect((await fetch(url, delivery())).status).toBe(500);
    expect((await fetch(url, delivery())).status).toBe(200);
    expect((await fetch(url, delivery())).status).toBe(200);
    expect(tries).toBe(2);
  });

  it('reads no more than 64 KiB', async () => {
    const url = await serve(webhookListener({ secret: SECRET, onEvent: () => undefined }));
    const { headers, method } = delivery();
    const answer = fetch(url, { method, headers, body: 'x'.repeat(100_000) });
    await expect(answer.then(({ status }) => status)).resolves.toBe(413);
  });
});

describe('the check of a receiver', () => {
  it('finds the faults of one that takes everything', async () => {
    const url = await serve((_, response) => response.end());
    const failed = (await checkReceiver({ url, secret: SECRET })).filter(({ passed }) => !passed);
    expect(failed.map(({ found }) => found)).toEqual([
      'answered 200 without the HMAC of the challenge',
      ...Array<string>(5).fill('answered 200'),
    ]);
  });

  it('finds a duplicate that is handled twice', async () => {
    const url = await serve((request, response) => response.writeHead(request.method === 'POST' ? 200 : 405).end());
    const checks = await checkReceiver({ url, secret: SECRET, handled: () => 2 });
    expect(checks.at(-1)).toMatchObject({ passed: false, found: 'answered 200 and 200, handled 2 times' });
  });
});
