import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fastify } from 'fastify';
import { Drain } from './drain.js';

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield 'line\n'.repeat(1_000);
    await pause(1);
  }
}

describe('a server that closes', () => {
  const listening = async () => {
    const server = fastify({ forceCloseConnections: false });
    const drain = new Drain(server);
    let finish: () => void = () => undefined;
    server.get('/stream', (_, reply) => reply.send(Readable.from(endless(), { objectMode: false })));
    server.get('/work', async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return 'done';
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    return { drain, url: `http://127.0.0.1:${port}`, finish: () => finish() };
  };

  it('does not wait for a stream whose caller has left', async () => {
    const { drain, url } = await listening();
    const [answer] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage];
    await once(answer, 'data');
    answer.destroy();
    expect(await drain.close(5_000)).toBe(true);
  });

  it('waits for work whose caller has left', async () => {
    const { drain, url, finish } = await listening();
    const request = get(`${url}/work`).on('error', () => undefined);
    await pause(100);
    request.destroy();
    await pause(100);
    let isClosed = false;
    const closed = drain.close(20_000).finally(() => (isClosed = true));
    await pause(500);
    expect(isClosed).toBe(false);
    finish();
    expect(await closed).toBe(true);
  });
});
