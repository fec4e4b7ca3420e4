import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { FilteredHttp } from '../../src/platform/outbound/filtered-http.js';
import { nameServers } from '../../src/platform/outbound/filtered-look-up.js';
import { isLoopbackAddress, isPublicAddress } from '../../src/platform/outbound/public-addresses.js';

const LENGTH = 100_000;

const server = createServer((request, response) => {
  if (request.method === 'GET' && request.url === '/list') response.end('x'.repeat(LENGTH));
  else response.writeHead(302, { Location: '/list' }).end();
});

const clients: FilteredHttp[] = [];

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  for (const client of clients) client.onApplicationShutdown();
  server.close();
});

const read = (path: string, bytes: number, isAllowed = isLoopbackAddress) => {
  const client = new FilteredHttp({ plainHttp: true, resolve: nameServers(), isAllowed });
  clients.push(client);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return client.read({ url, headers: {}, timeoutMs: 5_000 }, bytes);
};

describe('a document of an address that others chose', () => {
  it('is read whole, or as far as is asked for', async () => {
    expect(await read('/list', LENGTH)).toMatchObject({ kind: 'answered', status: 200, excerpt: 'x'.repeat(LENGTH) });
    expect(await read('/list', 1_000)).toMatchObject({ kind: 'answered', excerpt: 'x'.repeat(1_000) });
  });

  it('is not looked for elsewhere', async () => {
    expect(await read('/moved', LENGTH)).toMatchObject({ kind: 'answered', status: 302, excerpt: '' });
  });

  it('is not read from an address that is not public', async () => {
    expect((await read('/list', LENGTH, isPublicAddress)).kind).toBe('refused');
  });
});
