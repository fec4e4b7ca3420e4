import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { freePort } from '../../src/platform/embedded/ports.js';
import { PERSON, startTestApp } from './http-test-app.js';

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

describe('TLS', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kyc-tls-'));
    await writeFile(join(folder, 'key.pem'), TEST_KEY);
    await writeFile(join(folder, 'certificate.pem'), TEST_CERTIFICATE);
  });

  afterAll(() => rm(folder, { recursive: true }));

  const protocolWith = (port: number, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<string | null> =>
    new Promise((resolve, reject) => {
      const socket: TLSSocket = connectTls({ host: '127.0.0.1', port, maxVersion, ca: TEST_CERTIFICATE }, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.on('error', reject);
    });

  it('is spoken from version 1.3 on where a certificate is given', async () => {
    const tls = { certFile: join(folder, 'certificate.pem'), keyFile: join(folder, 'key.pem') };
    const app = await startTestApp({ config: { tls } });
    expect(app.url).toMatch(/^https:/);
    const port = Number(new URL(app.url).port);
    expect(await protocolWith(port, 'TLSv1.3')).toBe('TLSv1.3');
    await expect(protocolWith(port, 'TLSv1.2')).rejects.toThrow(/protocol version/);
    await app.close();
  });
});

describe('requests that Node itself would refuse', () => {
  const exchange = (port: number, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it.each([
    ['without Host', 'Connection: close\r\n'],
    ['with an unknown Expect', 'Host: x\r\nExpect: miracles\r\nConnection: close\r\n'],
  ])('are answered by the service, with its headers: %s', async (_case, headers) => {
    const app = await startTestApp();
    const answer = await exchange(Number(new URL(app.url).port), `GET /nowhere HTTP/1.1\r\n${headers}\r\n`);
    await app.close();
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    for (const part of [/x-ratelimit-limit: /i, /x-request-id: /i, /"error_code":"NOT_FOUND"/])
      expect(answer).toMatch(part);
  });
});

describe('closing', () => {
  it('lets requests in flight finish, takes no new connections, and does not wait for idle ones', async () => {
    const app = await startTestApp();
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) =>
      get(`${app.url}/open`, { agent }, (response) => response.resume().on('end', resolve)),
    );
    app.scenario.operation = () => sleep(300, { done: true });
    const inFlight = app.call('POST', '/things', { key: 'good', body: PERSON });
    await sleep(50);
    const began = performance.now();
    const closing = app.close();
    await sleep(50);
    const refused = await new Promise((resolve) => {
      connect(Number(new URL(app.url).port), '127.0.0.1')
        .once('error', resolve)
        .once('connect', resolve);
    });
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
    expect(await inFlight).toMatchObject({ status: 202, json: { done: true } });
    await closing;
    expect(performance.now() - began).toBeLessThan(3_000);
    agent.destroy();
  });
});

describe('the management port', () => {
  it('serves health and metrics in place of the public one', async () => {
    const managementPort = await freePort();
    const app = await startTestApp({ config: { managementPort } });
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      const response = await fetch(`http://127.0.0.1:${managementPort}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-request-id')).toBeTruthy();
      expect((await app.call('GET', path)).status).toBe(404);
    }
    await app.close();
    await expect(fetch(`http://127.0.0.1:${managementPort}/health/live`)).rejects.toThrow();
  });
});

describe('the proxy in front', () => {
  it('is not believed unless the configuration says so', async () => {
    const app = await startTestApp({ config: { trustProxy: false } });
    const { json } = await app.call('GET', '/things', { key: 'good', headers: { 'X-Forwarded-For': '198.51.100.7' } });
    expect(json['ip']).toBe('127.0.0.1');
    await app.close();
  });
});
