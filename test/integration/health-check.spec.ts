import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { problemAt, readinessUrl } from '../../src/cli/health-check.js';
import { certificateFolder } from '../support/certificate.js';
import { ownPort } from '../support/ports.js';
import { eventually } from '../support/stack.js';
import { startTestApp } from './http-test-app.js';

describe('the health check of a container', () => {
  const { folder, certFile, keyFile } = certificateFolder();
  afterAll(() => rmSync(folder, { recursive: true }));

  const closing: (() => unknown)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  it.each([
    ['plain HTTP', false, false],
    ['TLS whose certificate names another host', true, false],
    ['a management port', false, true],
    ['a management port and TLS', true, true],
  ])('finds the service ready that is configured with %s', async (_, withTls, withManagement) => {
    const port = await ownPort();
    const managementPort = withManagement ? await ownPort() : undefined;
    const tls = withTls ? { certFile, keyFile } : undefined;
    const app = await startTestApp({ config: { port, managementPort, tls } });
    closing.push(() => app.close());
    const url = readinessUrl({
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort ?? ''),
      TLS_CERT_FILE: withTls ? certFile : '',
    });
    expect(await problemAt(url)).toBeUndefined();
    app.health.register('eventstore', true, () => 'down');
    expect(await problemAt(url)).toBe(`${url}: status 503`);
  });

  it('says that nothing listens where nothing does', async () => {
    const url = readinessUrl({ PORT: String(await ownPort()) });
    expect(await problemAt(url)).toContain('ECONNREFUSED');
  });

  it('does not wait for a service that accepts and says nothing', async () => {
    const unresponsive = createServer((socket) => void closing.push(() => socket.destroy())).listen(0, '127.0.0.1');
    closing.push(() => unresponsive.close());
    await eventually('the silent server', () => unresponsive.listening);
    const { port } = unresponsive.address() as { port: number };
    const url = readinessUrl({ PORT: String(port) });
    expect(await problemAt(url, 200)).toBe(`${url}: no answer within 200 ms`);
  });
});
