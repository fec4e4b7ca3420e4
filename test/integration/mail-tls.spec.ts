import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { type SecureVersion } from 'node:tls';
import { promisify } from 'node:util';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { type Config } from '../../src/platform/config/config.js';
import { bareEnvironment, built } from '../support/built.js';
import { localCertificateFolder } from '../support/certificate.js';

/** This machine by an address that production does not exempt: its mail server is treated like any other. */
const HOST = '0.0.0.0';
const { folder, certFile, keyFile } = localCertificateFolder();

interface Offered {
  /** `implicit`: TLS from the first byte. `starttls`: offered in clear. `none`: never. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly maxVersion?: SecureVersion;
}

interface Received {
  readonly version: string | undefined;
  readonly text: string;
}

const servers: SMTPServer[] = [];

/** A mail server, its address, and what it took, with the TLS version of each letter. */
const startServer = async ({ tls, maxVersion = 'TLSv1.3' }: Offered) => {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    secure: tls === 'implicit',
    disabledCommands: tls === 'starttls' ? [] : ['STARTTLS'],
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    minVersion: 'TLSv1.2',
    maxVersion,
    onData: (stream, { tlsOptions }: SMTPServerSession, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const version = typeof tlsOptions === 'object' ? (tlsOptions as { version?: string }).version : undefined;
        received.push({ version, text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  // A client that goes away in the handshake is what these tests are about.
  server.on('error', () => undefined);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { url: `${tls === 'implicit' ? 'smtps' : 'smtp'}://${HOST}:${port}`, received };
};

const SEND = `
  await import(process.env.LEAST_TLS);
  const { deliveryOf } = await import(process.env.TRANSPORT);
  const letter = { id: 'one', to: 'maria@example.org', subject: 'Low', text: '5 left.' };
  await deliveryOf(JSON.parse(process.env.CONFIG))(letter).then(
    () => console.log('sent'),
    ({ code }) => console.log('failed', code),
  );`;

/** Sends a letter from a process of its own, which knows the server's certificate or does not. */
const send = async (smtpUrl: string, environment: Config['environment'], known = true): Promise<string> => {
  const config = { smtpUrl, environment, mailFrom: 'no-reply@kyc.example.org', dataDir: folder };
  const env = {
    ...bareEnvironment(),
    ...(known ? { NODE_EXTRA_CA_CERTS: certFile } : {}),
    LEAST_TLS: built('src/platform/least-tls.js'),
    TRANSPORT: built('src/platform/mail/transport.js'),
    CONFIG: JSON.stringify(config),
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', SEND], { env });
  return stdout.trim();
};

afterAll(async () => {
  for (const server of servers) await new Promise<void>((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

describe('mail in production', () => {
  it.each(['implicit', 'starttls'] as const)('goes out by TLS 1.3, %s', async (tls) => {
    const { url, received } = await startServer({ tls });
    expect(await send(url, 'production')).toBe('sent');
    expect(received).toEqual([{ version: 'TLSv1.3', text: expect.stringContaining('5 left.') }]);
  });

  it.each([
    ['has TLS 1.2 only', { tls: 'implicit', maxVersion: 'TLSv1.2' }, 'ESOCKET'],
    ['has TLS 1.2 only, by STARTTLS', { tls: 'starttls', maxVersion: 'TLSv1.2' }, 'ESOCKET'],
    ['has no TLS', { tls: 'none' }, 'ETLS'],
  ] satisfies [string, Offered, string][])('is a failed attempt where the server %s', async (_title, offered, code) => {
    const { url, received } = await startServer(offered);
    expect(await send(url, 'production')).toBe(`failed ${code}`);
    expect(received).toEqual([]);
  });

  it('is a failed attempt where nobody vouches for the certificate', async () => {
    const { url, received } = await startServer({ tls: 'starttls' });
    expect(await send(url, 'production', false)).toBe('failed ESOCKET');
    expect(received).toEqual([]);
  });
});

describe('mail in a sandbox', () => {
  it.each([
    ['by STARTTLS where it is offered', { tls: 'starttls' }, 'TLSv1.3'],
    ['in clear where nothing is offered', { tls: 'none' }, undefined],
  ] satisfies [string, Offered, string | undefined][])('goes out %s', async (_title, offered, version) => {
    const { url, received } = await startServer(offered);
    expect(await send(url, 'sandbox')).toBe('sent');
    expect(received).toMatchObject([{ version }]);
  });
});
