import '../../src/platform/least-tls.js';
import { jest } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { FilteredHttp, type FilteredHttpOptions } from '../../src/platform/outbound/filtered-http.js';
import { nameServers } from '../../src/platform/outbound/filtered-look-up.js';
import { outboundHttp } from '../../src/boot/outbound.module.js';
import { isLoopbackAddress, isPublicAddress } from '../../src/platform/outbound/public-addresses.js';
import { localCertificateFolder } from '../support/certificate.js';
import { startNameServer } from '../support/faults/name-server.js';
import { REFUSED_ADDRESSES } from '../support/refused-hosts.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const clientOf = (options: Partial<FilteredHttpOptions> = {}): FilteredHttp => {
  const client = new FilteredHttp({
    plainHttp: true,
    resolve: nameServers(),
    isAllowed: isLoopbackAddress,
    ...options,
  });
  closing.push(() => client.onApplicationShutdown());
  return client;
};

const portOf = async (server: Pick<Server, 'listen' | 'address' | 'once'>, host = '127.0.0.1'): Promise<number> => {
  server.listen(0, host);
  await once(server as Server, 'listening');
  return (server.address() as AddressInfo).port;
};

const receiver = async (listener: RequestListener, host?: string): Promise<number> => {
  const server = createServer(listener);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server, host);
};

/** A receiver that writes bytes of its own choice as soon as somebody connects. */
const rawReceiver = async (serve: (socket: Socket) => void): Promise<number> => {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    serve(socket);
  });
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server as unknown as Server);
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const to = (url: string, timeoutMs = 5_000) => ({ url, headers: { 'X-Test': 'yes' }, body: '{"é":1}', timeoutMs });

describe('a call to an allowed address', () => {
  it('does not wait for the slow answers of others on the same host', async () => {
    const port = await receiver((request, response) => {
      if (request.url === '/quick') response.end();
    });
    const client = clientOf();
    for (let slow = 0; slow < 40; slow += 1) void client.post(to(`http://127.0.0.1:${port}/slow`));
    expect(await client.post(to(`http://127.0.0.1:${port}/quick`))).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('sends body and headers, and tells status and the beginning of the answer', async () => {
    const seen: (string | undefined)[] = [];
    const port = await receiver((request, response) => {
      void textOf(request).then((body) => {
        seen.push(request.method, request.headers['x-test'] as string, request.headers['content-length'], body);
        response.writeHead(201).end(`\0${'ä'.repeat(2_000)}`);
      });
    });
    const result = await clientOf().post(to(`http://127.0.0.1:${port}/hook`));
    expect(seen).toEqual(['POST', 'yes', '8', '{"é":1}']);
    expect(result).toMatchObject({ kind: 'answered', status: 201, excerpt: `\uFFFD${'ä'.repeat(511)}` });
  });

  it('fails at once where the receiver wants another protocol', async () => {
    const port = await receiver((request) =>
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
    );
    const result = await clientOf().post(to(`http://127.0.0.1:${port}/hook`));
    expect(result).toMatchObject({ kind: 'failed', reason: 'it wanted another protocol (101)' });
  });

  it('finds localhost without a name server', async () => {
    const port = await receiver((_, response) => response.end('fine'));
    expect(await clientOf().post(to(`http://localhost:${port}/`))).toMatchObject({ kind: 'answered', excerpt: 'fine' });
  });

  it('uses a connection again, and a new one where the receiver has closed it', async () => {
    const sockets = new Set<unknown>();
    const port = await receiver((request, response) => {
      sockets.add(request.socket);
      request.resume();
      response.end(() => {
        if (sockets.size === 1 && request.headers['x-last'] !== undefined) request.socket.resetAndDestroy();
      });
    });
    const client = clientOf();
    const last = { ...to(`http://127.0.0.1:${port}/`), headers: { 'X-Last': 'yes' } };
    for (const request of [to(`http://127.0.0.1:${port}/`), last, to(`http://127.0.0.1:${port}/`)])
      expect(await client.post(request)).toMatchObject({ kind: 'answered', status: 200 });
    expect(sockets.size).toBe(2);
  });

  it('takes no proxy from the environment', async () => {
    let requestCount = 0;
    const proxy = await receiver((_, response) => {
      requestCount += 1;
      response.end();
    });
    const port = await receiver((_, response) => response.end('itself'));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'];
    const proxied = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${proxy}`]));
    const environment = jest.replaceProperty(process, 'env', { ...process.env, ...proxied, NODE_USE_ENV_PROXY: '1' });
    closing.push(() => environment.restore());
    expect(await clientOf().post(to(`http://127.0.0.1:${port}/`))).toMatchObject({ excerpt: 'itself' });
    expect(requestCount).toBe(0);
  });
});

describe('a name', () => {
  it('whose answer changes is called only at an address that was allowed', async () => {
    const called: (string | undefined)[] = [];
    const port = await receiver((request, response) => {
      called.push(request.socket.localAddress);
      request.resume();
      response.writeHead(200, { Connection: 'close' }).end();
    }, '0.0.0.0');
    // 127.0.0.2 stands for a public address, since no test reaches another.
    const server = await startNameServer((lookUp) => [lookUp % 2 === 0 ? '127.0.0.2' : '127.0.0.1']);
    closing.push(() => server.close());
    const client = clientOf({
      resolve: nameServers([server.address]),
      isAllowed: (address) => address === '127.0.0.2',
    });
    const kinds: string[] = [];
    for (let call = 0; call < 6; call += 1)
      kinds.push((await client.post(to(`http://receiver.example:${port}/`))).kind);
    expect(kinds).toEqual(['answered', 'refused', 'answered', 'refused', 'answered', 'refused']);
    expect(called).toEqual(['127.0.0.2', '127.0.0.2', '127.0.0.2']);
    expect(server.lookUps()).toBe(6);
  });

  it.each([[['127.0.0.1']], [['10.0.0.5']], [['169.254.169.254']], [['0.0.0.0']], [['192.168.0.1', '127.0.0.1']]])(
    'that stands for %j is refused, and the answer does not tell the address',
    async (addresses) => {
      let called = 0;
      const port = await receiver(() => (called += 1), '0.0.0.0');
      const server = await startNameServer(() => addresses);
      closing.push(() => server.close());
      const client = clientOf({ resolve: nameServers([server.address]), isAllowed: isPublicAddress });
      const result = await client.post(to(`http://receiver.example:${port}/`));
      expect(result).toMatchObject({ kind: 'refused', reason: 'the address is not publicly reachable' });
      expect(called).toBe(0);
    },
  );

  it('that turns, after an allowed address, into any of those that must be refused is called no more', async () => {
    let called = 0;
    const port = await receiver((request, response) => {
      called += 1;
      request.resume();
      response.writeHead(200, { Connection: 'close' }).end();
    }, '0.0.0.0');
    // Each look-up of an allowed address is followed by one of a refused address.
    const addresses = REFUSED_ADDRESSES.flatMap((refused) => ['127.0.0.2', refused]);
    const server = await startNameServer((lookUp) => addresses.slice(lookUp, lookUp + 1));
    closing.push(() => server.close());
    const isAllowed = (address: string): boolean => address === '127.0.0.2' || isPublicAddress(address);
    const client = clientOf({ resolve: nameServers([server.address]), isAllowed });
    const kinds: (readonly [string | undefined, string])[] = [];
    for (const address of addresses)
      kinds.push([address, (await client.post(to(`http://receiver.example:${port}/`))).kind]);
    expect(REFUSED_ADDRESSES.length).toBeGreaterThanOrEqual(40);
    expect(kinds).toEqual(
      REFUSED_ADDRESSES.flatMap((refused) => [
        ['127.0.0.2', 'answered'],
        [refused, 'refused'],
      ]),
    );
    expect(called).toBe(REFUSED_ADDRESSES.length);
  });

  it('that nobody knows is a failed call', async () => {
    const server = await startNameServer(() => []);
    closing.push(() => server.close());
    const client = clientOf({ resolve: nameServers([server.address]) });
    expect(await client.post(to('http://receiver.example/'))).toMatchObject({
      kind: 'failed',
      reason: 'its name has no address',
    });
  });

  it('localhost is refused where loopback is not allowed', async () => {
    const result = await clientOf({ isAllowed: isPublicAddress }).post(to('http://a.localhost:4000/'));
    expect(result).toMatchObject({ kind: 'refused' });
  });
});

describe('a receiver', () => {
  it.each([301, 302, 307, 308])('that redirects (%i) is not followed', async (status) => {
    let followed = 0;
    const target = await receiver((_, response) => {
      followed += 1;
      response.end();
    });
    const port = await receiver((_, response) =>
      response.writeHead(status, { Location: `http://127.0.0.1:${target}/` }).end(),
    );
    expect(await clientOf().post(to(`http://127.0.0.1:${port}/`))).toMatchObject({ kind: 'answered', status });
    expect(followed).toBe(0);
  });

  it('that never ends its answer is left after 64 KiB', async () => {
    let written = 0;
    const port = await receiver((request, response) => {
      request.resume();
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 'x'))) written += 16_384;
      };
      response.on('drain', write).writeHead(200);
      write();
    });
    const result = await clientOf().post(to(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'answered', status: 200, excerpt: 'x'.repeat(1_024) });
    expect(written).toBeLessThan(32 * 1_024 * 1_024);
  });

  it.each([
    ['64 KiB', 65_536, 10_000, { kind: 'answered', status: 200 }],
    ['a byte less than 64 KiB', 65_535, 400, { kind: 'failed', reason: 'it gave no whole answer within 400 ms' }],
  ])(
    'that sends %s and falls silent has answered if that is all that is read',
    async (_, bytes, timeoutMs, outcome) => {
      const port = await receiver((request, response) => {
        request.resume();
        response.writeHead(200).write(Buffer.alloc(bytes, 'x'));
      });
      expect(await clientOf().post(to(`http://127.0.0.1:${port}/`, timeoutMs))).toMatchObject(outcome);
    },
  );

  it.each([
    ['nothing', () => undefined],
    ['a byte of the head now and then', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: ')],
    [
      'a byte of the body now and then',
      (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n'),
    ],
    ['interim answers without end', (socket: Socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('that sends %s is cut off when its time is up', async (_, serve) => {
    const port = await rawReceiver(serve);
    const result = await clientOf().post(to(`http://127.0.0.1:${port}/`, 400));
    expect(result).toMatchObject({ kind: 'failed', reason: 'it gave no whole answer within 400 ms' });
  });

  it.each([
    ['an oversized header', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /header is longer than 16 KiB/],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', /is not HTTP/],
  ])('that answers with %s has failed', async (_, answer, reason) => {
    const port = await rawReceiver((socket) => socket.end(answer));
    const result = await clientOf().post(to(`http://127.0.0.1:${port}/`));
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringMatching(reason) as string });
  });

  it('that cuts the connection has failed', async () => {
    const port = await rawReceiver((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await clientOf().post(to(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'failed',
      reason: 'it cut the connection',
    });
  });

  it('that cuts the connection in its answer has failed, and is not called again by itself', async () => {
    let calls = 0;
    const port = await receiver((request, response) => {
      calls += 1;
      request.resume();
      if (calls === 1) return response.end();
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
      return setImmediate(() => request.socket.resetAndDestroy());
    });
    const client = clientOf();
    await client.post(to(`http://127.0.0.1:${port}/`));
    expect(await client.post(to(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'failed',
      reason: 'it cut the connection',
    });
    expect(calls).toBe(2);
  });

  it('that is not there has failed', async () => {
    const port = await receiver(() => undefined);
    for (const close of closing.splice(0)) close();
    expect(await clientOf().post(to(`http://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'failed',
      reason: 'it refused the connection',
    });
  });

  it('that takes long does not keep the caller from giving up', async () => {
    const port = await rawReceiver(() => undefined);
    const stop = new AbortController();
    const result = clientOf().post({ ...to(`http://127.0.0.1:${port}/`), signal: stop.signal });
    stop.abort();
    expect(await result).toMatchObject({ kind: 'failed', reason: 'the request was given up' });
  });

  it('never makes a call reject', async () => {
    const headers = { 'X-Broken': 'line\r\nbreak' };
    const result = await clientOf().post({ ...to('http://127.0.0.1:1024/'), headers });
    expect(result).toMatchObject({ kind: 'failed', reason: 'the connection failed (ERR_INVALID_CHAR)' });
    expect(await clientOf().post(to('nonsense'))).toMatchObject({ kind: 'refused' });
  });
});

describe('a deployment', () => {
  const refusalOf = (environment: 'sandbox' | 'production', allowLoopback: boolean, url: string) =>
    outboundHttp({ environment, allowLoopback }).refusalOf(url);

  it('calls its own machine only if it is configured so', () => {
    for (const url of ['https://127.0.0.1:4000/', 'https://[::1]:4000/']) {
      expect(refusalOf('sandbox', true, url)).toBeUndefined();
      expect(refusalOf('sandbox', false, url)).toBe('the address is not publicly reachable');
    }
    for (const host of ['10.0.0.1', '[::ffff:127.0.0.1]', '[::7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'])
      expect(refusalOf('sandbox', true, `https://${host}/`)).toBe('the address is not publicly reachable');
  });

  it('calls http:// in the sandbox only', () => {
    expect(refusalOf('sandbox', false, 'http://receiver.example/')).toBeUndefined();
    expect(refusalOf('production', false, 'http://receiver.example/')).toBe('the URL must begin with https://');
  });
});

describe('a receiver with TLS', () => {
  const { folder, certFile, keyFile } = localCertificateFolder();
  const [cert, key] = [readFileSync(certFile, 'utf8'), readFileSync(keyFile, 'utf8')];
  afterAll(() => rmSync(folder, { recursive: true }));

  const secureReceiver = async (maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string> => {
    const server = createTlsServer({ cert, key, maxVersion }, (_, response) => response.end('secure'));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `https://localhost:${await portOf(server)}/`;
  };

  it('is called if its certificate is valid', async () => {
    const result = await clientOf({ authorities: cert }).post(to(await secureReceiver('TLSv1.3')));
    expect(result).toMatchObject({ kind: 'answered', excerpt: 'secure' });
  });

  it('has failed if its certificate is not', async () => {
    const result = await clientOf().post(to(await secureReceiver('TLSv1.3')));
    expect(result).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/^its certificate is not accepted/) as string,
    });
  });

  it('that speaks at most TLS 1.2 is refused with the reason', async () => {
    const url = await secureReceiver('TLSv1.2');
    expect(await clientOf({ authorities: cert }).post(to(url))).toMatchObject({
      kind: 'failed',
      reason: 'it does not speak TLS 1.3, which is needed',
    });
  });

  it('that does not shake hands is cut off after the time for connections', async () => {
    const port = await rawReceiver(() => undefined);
    const result = await clientOf({ connectMs: 300 }).post(to(`https://localhost:${port}/`));
    expect(result).toMatchObject({ kind: 'failed', reason: 'it accepted no connection within 300 ms' });
  });
});

/** Sends the beginning, and then a little every 20 ms. */
const drip = (socket: Socket, beginning: string, little = 'x'): void => {
  socket.write(beginning);
  const timer = setInterval(() => socket.write(little), 20);
  socket.on('close', () => clearInterval(timer));
};
