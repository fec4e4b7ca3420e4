import '../../src/platform/least-tls.js';
import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Hold } from '../support/hold.js';
import { ownPort } from '../support/ports.js';
import { eventually } from '../support/stack.js';
import { PERSON, startTestApp, type TestApp } from './http-test-app.js';

const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgUoxQtSMSRDNGuyk5
BQl3iXR1TU3ldk6GI957X9E/yHGhRANCAATF7ciXMjj3jhpHvQPJhmirk7k/ltus
+XmfPHDsvZs312dFuo03dKetVUzMyldHA7sQDxYjcVuMe/MVXQRyIjxC
-----END PRIVATE KEY-----
`;
const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUJqdMkvC1vHrhLk3MRgYiY1zQSIwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTExMzcyMFoYDzIxMjYxMDI4
MTEzNzIwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATF7ciXMjj3jhpHvQPJhmirk7k/ltus+XmfPHDsvZs312dFuo03dKet
VUzMyldHA7sQDxYjcVuMe/MVXQRyIjxCo28wbTAdBgNVHQ4EFgQUhCjgIlKea2qv
8h3+wHM6FOKM1ucwHwYDVR0jBBgwFoAUhCjgIlKea2qv8h3+wHM6FOKM1ucwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAMBS6u7D5LRFxyUMeSil1RGVu72AW5yPMPNtM9YypMj2AiEA
o0yut53nWDt8y1I0Yju6DuVniG/4xxtEdEhkO8DSeFg=
-----END CERTIFICATE-----
`;

const folder = mkdtempSync(join(tmpdir(), 'kyc-tls-'));
const tls = { certFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') };
writeFileSync(tls.certFile, TEST_CERTIFICATE);
writeFileSync(tls.keyFile, TEST_KEY);
afterAll(() => rmSync(folder, { recursive: true }));

const portOf = (url: string): number => Number(new URL(url).port);

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
  });

describe('TLS', () => {
  const protocolWith = (port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string | null> =>
    new Promise((resolve, reject) => {
      const socket: TLSSocket = connectTls(
        { host: '127.0.0.1', port, minVersion: 'TLSv1.2', maxVersion, ca: TEST_CERTIFICATE },
        () => {
          resolve(socket.getProtocol());
          socket.destroy();
        },
      );
      socket.on('error', reject);
    });

  it('is spoken from version 1.3 on where a certificate is given', async () => {
    const app = await startTestApp({ config: { tls } });
    expect(app.url).toMatch(/^https:/);
    const port = portOf(app.url);
    expect(await protocolWith(port, 'TLSv1.3')).toBe('TLSv1.3');
    await expect(protocolWith(port, 'TLSv1.2')).rejects.toThrow(/protocol version/);
    await app.close();
  });
});

/** Sends bytes as they are and reads until the connection closes. */
const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(text, 'utf8')));
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

describe('requests that Node itself would refuse', () => {
  it.each([
    ['without Host', 'Connection: close\r\n'],
    ['with an unknown Expect', 'Host: x\r\nExpect: miracles\r\nConnection: close\r\n'],
  ])('are answered by the service, with its headers: %s', async (_case, headers) => {
    const app = await startTestApp();
    const answer = await exchange(portOf(app.url), `GET /nowhere HTTP/1.1\r\n${headers}\r\n`);
    await app.close();
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    for (const part of [/x-ratelimit-limit: /i, /x-request-id: /i, /"error_code":"NOT_FOUND"/])
      expect(answer).toMatch(part);
  });
});

describe('a request with two headers Host', () => {
  it.each([
    ['alike', 'Host: x\r\nHost: x\r\n'],
    ['of which one is another', 'Host: x\r\nHost: y\r\n'],
  ])('is refused, as RFC 9112 asks: %s', async (_case, headers) => {
    const app = await startTestApp();
    const answer = await exchange(portOf(app.url), `GET /open HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);
    await app.close();
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    for (const part of [/x-ratelimit-limit: /i, /x-request-id: /i, /"error_code":"BAD_REQUEST"/])
      expect(answer).toMatch(part);
  });
});

describe('a caller that waits to be asked for the body', () => {
  const EXPECTING = 'Host: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nConnection: close\r\n';

  it.each([
    ['whose key is none', 'X-API-Key: junk\r\nContent-Length: 100\r\n', 403],
    ['without a key', 'Content-Length: 100\r\n', 403],
    ['whose body is larger than the path takes', 'X-API-Key: good\r\nContent-Length: 99999999\r\n', 413],
  ])('is refused at once, without being asked: %s', async (_case, headers, status) => {
    const app = await startTestApp();
    const answer = await exchange(portOf(app.url), `POST /things HTTP/1.1\r\n${EXPECTING}${headers}\r\n`);
    await app.close();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('is asked where the headers alone decide nothing', async () => {
    const app = await startTestApp();
    const body = JSON.stringify(PERSON);
    const caller = await connected(portOf(app.url));
    let answer = '';
    caller.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    caller.write(
      `POST /things HTTP/1.1\r\n${EXPECTING}X-API-Key: good\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    );
    await eventually('the question', () => answer.startsWith('HTTP/1.1 100 Continue'));
    caller.write(body);
    await eventually('the answer', () => /HTTP\/1.1 202 /.test(answer));
    await app.close();
  });
});

describe('answers on one connection', () => {
  const body = JSON.stringify(PERSON);
  const post = `POST /things HTTP/1.1\r\nHost: x\r\nX-API-Key: good\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

  const chunked =
    'POST /things HTTP/1.1\r\nHost: x\r\nX-API-Key: good\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

  it.each([
    ['a CONNECT', 'CONNECT /things HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['bytes that are not HTTP', '\x16\x03\x01 nonsense\r\n\r\n', 400],
    ['a body that is at fault', `${chunked}not a size\r\n`, 400],
  ])('come in the order of the requests, also before that to %s', async (_case, bytes, status) => {
    const app = await startTestApp();
    app.scenario.operation = () => sleep(200, { done: true });
    const answers = await exchange(portOf(app.url), post + post + bytes);
    expect([...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))).toEqual([202, 202, status]);
    expect(app.scenario.calls).toBe(2);
    await app.close();
  });

  it('are one a request, also where a body that nobody waits for turns out to be at fault', async () => {
    const app = await startTestApp();
    const refused = chunked.replace('good', 'junk');
    const caller = await connected(portOf(app.url));
    let answer = '';
    caller.on('data', (bytes: Buffer) => (answer += bytes.toString())).write(refused);
    await eventually('the refusal', () => answer.includes('INVALID_API_KEY'));
    caller.write('not a size\r\n');
    await new Promise((resolve) => caller.once('close', resolve));
    expect(answer.match(/HTTP\/1\.1 \d{3} /g)).toHaveLength(1);
    await app.close();
  });

  it('end with that to a CONNECT, whose caller may be gone or go on sending', async () => {
    const app = await startTestApp();
    for (const delayMs of [0, 1, 5]) {
      const caller = await connected(portOf(app.url));
      caller.on('error', () => undefined).write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
      caller.write(Buffer.alloc(1_048_576));
      await sleep(delayMs);
      caller.resetAndDestroy();
    }
    expect((await app.call('GET', '/open')).status).toBe(200);
    await app.close();
    expect(app.logs.filter((line) => line.includes('cut off'))).toEqual([]);
  });
});

/** The next operation is under way until it is released. */
const held = (app: TestApp): Hold => {
  const hold = new Hold();
  app.scenario.operation = () => hold.pass().then(() => ({ done: true }));
  return hold;
};

describe('closing', () => {
  it('lets requests in flight finish, takes no new connections, and does not wait for idle ones', async () => {
    const app = await startTestApp();
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) =>
      get(`${app.url}/open`, { agent }, (response) => response.resume().on('end', resolve)),
    );
    const operation = held(app);
    const inFlight = app.call('POST', '/things', { key: 'good', body: PERSON });
    await operation.reached;
    const closing = app.close();
    await eventually('the end of listening', () =>
      connected(portOf(app.url)).then(
        (socket) => void socket.destroy(),
        (error: { code?: string }) => error.code === 'ECONNREFUSED',
      ),
    );
    operation.release();
    expect(await inFlight).toMatchObject({ status: 202, json: { done: true } });
    await closing;
    expect(app.logs.filter((line) => line.includes('cut off'))).toEqual([]);
    agent.destroy();
  });

  it.each([
    ['nothing, over TCP', undefined, ''],
    ['half a header, over TCP', undefined, 'GET /open HTTP/1.1\r\nHost: x\r\nX-'],
    ['nothing, where TLS is spoken', tls, ''],
  ])('does not wait for a connection that has sent %s', async (_case, spoken, bytes) => {
    const managementPort = await ownPort();
    const app = await startTestApp({ config: { tls: spoken, managementPort } });
    const sockets = await Promise.all([portOf(app.url), managementPort].map(connected));
    for (const socket of sockets) socket.on('error', () => undefined).write(bytes);
    await sleep(50);
    await app.close();
    expect(app.logs.filter((line) => line.includes('cut off'))).toEqual([]);
    for (const socket of sockets) socket.destroy();
  });

  it('answers what was asked on one connection while another is silent', async () => {
    const app = await startTestApp();
    const idleSocket = await connected(portOf(app.url));
    idleSocket.on('error', () => undefined);
    const operation = held(app);
    const inFlight = app.call('POST', '/things', { key: 'good', body: PERSON });
    await operation.reached;
    const closing = app.close();
    operation.release();
    expect(await inFlight).toMatchObject({ status: 202, json: { done: true } });
    await closing;
  });

  const body = JSON.stringify(PERSON);
  const head = `Host: x\r\nX-API-Key: good\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  const post = `POST /things HTTP/1.1\r\n${head}\r\n\r\n${body}`;

  it.each([
    ['two requests at once', post + post],
    ['one request and half of another', post + post.slice(0, -5)],
    ['half a request', post.slice(0, -5)],
    ['what cannot be routed', 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['one that is refused', 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
  ])('does not count a caller for ever that went away behind %s', async (_case, bytes) => {
    const app = await startTestApp();
    const lookUp = app.authenticator.byApiKey.bind(app.authenticator);
    app.authenticator.recognise = () => undefined;
    app.authenticator.byApiKey = (...args) => sleep(20).then(() => lookUp(...args));
    for (const delayMs of [0, 1, 5, 25, 50]) {
      // Of two on one connection the second is done first.
      let operations = 0;
      app.scenario.operation = () => sleep((operations += 1) % 2 === 1 ? 200 : 0, { done: true });
      const caller = await connected(portOf(app.url));
      caller.on('error', () => undefined).write(bytes);
      await sleep(delayMs);
      caller.resetAndDestroy();
    }
    await app.close();
    expect(app.logs.filter((line) => line.includes('cut off'))).toEqual([]);
  });

  it('does not wait for a body that stopped arriving', async () => {
    const app = await startTestApp();
    const caller = await connected(portOf(app.url));
    caller.on('error', () => undefined).write(post.slice(0, -5));
    await sleep(50);
    await app.close();
    expect(app.logs.filter((line) => line.includes('cut off'))).toEqual([]);
  });

  it('waits for an operation whose caller went away', async () => {
    const app = await startTestApp();
    const operation = held(app);
    const caller = await connected(portOf(app.url));
    caller.write(post);
    await operation.reached;
    caller.destroy();
    let closed = false;
    const closing = app.close().then(() => (closed = true));
    // Time enough to end without it.
    await sleep(200);
    expect(closed).toBe(false);
    operation.release();
    await closing;
    expect(app.logs.filter((line) => line.includes('cut off'))).toEqual([]);
  });
});

describe('the management port', () => {
  it('serves health and metrics in place of the public one', async () => {
    const managementPort = await ownPort();
    const app = await startTestApp({ config: { managementPort } });
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      const response = await fetch(`http://127.0.0.1:${managementPort}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect((await app.call('GET', path)).status).toBe(404);
    }
    const ready = await fetch(`http://127.0.0.1:${managementPort}/health/ready`);
    expect(await ready.json()).toEqual({ status: 'up', parts: {} });
    await app.close();
    await expect(fetch(`http://127.0.0.1:${managementPort}/health/live`)).rejects.toThrow();
  });

  it.each(['/health/live', '/metrics', '/things', '/%zz'])(
    'sends the headers of the public one at %s',
    async (path) => {
      const managementPort = await ownPort();
      const app = await startTestApp({ config: { managementPort } });
      const theirs = (await fetch(`http://127.0.0.1:${managementPort}${path}`)).headers;
      const elsewhere = (await app.call('GET', '/open')).headers;
      await app.close();
      const ofEveryAnswer = Object.keys(elsewhere).filter((name) => !/^(content-|connection|keep-alive)/.test(name));
      expect(ofEveryAnswer).toEqual(expect.arrayContaining(['x-request-id', 'x-ratelimit-limit', 'cache-control']));
      for (const name of ofEveryAnswer) expect([name, theirs.get(name)]).toEqual([name, expect.any(String)]);
    },
  );

  it('speaks TLS where the public one does', async () => {
    const managementPort = await ownPort();
    const app = await startTestApp({ config: { tls, managementPort } });
    const status = await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: managementPort, path: '/health/live', ca: TEST_CERTIFICATE };
      getSecurely(options, (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    expect(status).toBe(200);
    await app.close();
  });

  it.each([
    ['POST', '/health/live', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/things', 404, 'NOT_FOUND'],
    ['GET', '/%zz', 404, 'NOT_FOUND'],
  ])('answers %s %s with the error body', async (method, path, status, code) => {
    const managementPort = await ownPort();
    const app = await startTestApp({ config: { managementPort } });
    const response = await fetch(`http://127.0.0.1:${managementPort}${path}`, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      detail: expect.any(String) as string,
      error_code: code,
      doc_url: expect.stringContaining('/docs#errors-') as string,
      request_id: expect.any(String) as string,
    });
    await app.close();
  });
});

describe('the proxy in front', () => {
  it('is not believed unless the configuration says so', async () => {
    const app = await startTestApp({ config: { trustProxy: { hops: 0, ranges: [] } } });
    const { json } = await app.call('GET', '/things', { key: 'good', headers: { 'X-Forwarded-For': '198.51.100.7' } });
    expect(json['ip']).toBe('127.0.0.1');
    await app.close();
  });
});
