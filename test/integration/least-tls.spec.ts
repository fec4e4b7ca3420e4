import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import tls, { TLSSocket } from 'node:tls';
import { join } from 'node:path';
import pg from 'pg';
import '../../src/platform/least-tls.js';
import { RemoteKeySet } from '../../src/accounts/tokens/key-set.js';
import { PaymentConnection } from '../../src/billing/stripe/connection.js';
import { systemClock } from '../../src/kernel/clock.js';
import { newTenantId } from '../../src/kernel/ids.js';
import { Metrics } from '../../src/observability/metrics.js';
import { OtlpTelemetry } from '../../src/boot/telemetry/otlp-telemetry.js';
import { type EventStoreClient } from '../../src/platform/config/config.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { GrpcEventStore } from '../../src/platform/eventstore/grpc-event-store.js';
import { deliveryOf } from '../../src/platform/mail/transport.js';
import { FilteredHttp } from '../../src/platform/outbound/filtered-http.js';
import { RedisRateLimiter } from '../../src/platform/rate-limit/redis-rate-limiter.js';
import { download } from '../../src/screening/lists/download.js';
import { projectRoot } from '../support/built.js';
import { localCertificateFolder } from '../support/certificate.js';
import { eventually } from '../support/stack.js';

const { folder, certFile, keyFile } = localCertificateFolder();
const [cert, key] = [readFileSync(certFile), readFileSync(keyFile)];
const PINNED = tls.DEFAULT_MIN_VERSION;

/** A server that speaks TLS 1.2 at most, from the first byte or after Postgres' question whether it has TLS. */
class OldServer {
  /** How each handshake ended: an error's code, or `done`. */
  readonly handshakes: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(asks: boolean): Promise<OldServer> {
    const server = createServer();
    const old = new OldServer(server);
    server.on('connection', (socket) => old.meet(socket, asks));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return old;
  }

  get port(): number {
    return (this.server.address() as { port: number }).port;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private meet(socket: Socket, asks: boolean): void {
    this.sockets.add(socket.on('error', () => undefined));
    if (!asks) return this.shakeHands(socket);
    socket.once('data', () => {
      socket.write('S');
      this.shakeHands(socket);
    });
  }

  private shakeHands(socket: Socket): void {
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: tls.createSecureContext({ cert, key, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }),
    });
    secure.on('secure', () => this.handshakes.push('done'));
    secure.on('error', ({ code }: NodeJS.ErrnoException) => this.handshakes.push(code ?? 'error'));
  }
}

const lookup: LookupFunction = (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);

const store = (client: EventStoreClient) => async (port: number) => {
  const connectionString = `esdb://admin:changeit@localhost:${port}?tls=true&tlsCAFile=${certFile}`;
  const adapter = new GrpcEventStore({ connectionString, client, budgetMs: 1_000 });
  await adapter.read('a-1').finally(() => adapter.close());
};

const payments = async (port: number) => {
  const config = loadConfig({
    STRIPE_SECRET_KEY: 'sk_test_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_x',
    STRIPE_API_URL: `https://localhost:${port}`,
  });
  const connection = await PaymentConnection.open(config, systemClock);
  await connection.payments.createCustomer(newTenantId());
};

const mail = (port: number) =>
  deliveryOf({
    smtpUrl: `smtps://localhost:${port}`,
    environment: 'sandbox',
    mailFrom: 'a@b.example',
    dataDir: folder,
  })({ id: '1', to: 'c@d.example', subject: 's', text: 't' });

const receiver = (port: number) => {
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const http = new FilteredHttp({ plainHttp: false, isAllowed: () => true, resolve, authorities: cert.toString() });
  return http
    .post({ url: `https://localhost:${port}/`, headers: {}, body: '{}', timeoutMs: 2_000 })
    .finally(() => http.onApplicationShutdown());
};

const redis = async (port: number) => {
  const limiter = new RedisRateLimiter(`rediss://localhost:${port}`, systemClock, { actor: () => 'a' } as never);
  // It connects by itself.
  await setTimeout(500);
  await limiter.close();
};

const telemetry = async (port: number) => {
  const settings = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `https://localhost:${port}` }).telemetry;
  if (settings === undefined) throw new Error('an endpoint is set');
  const ignored = () => undefined;
  const sender = new OtlpTelemetry(settings, 'sandbox', { warn: ignored, info: ignored } as never);
  const metrics = new Metrics();
  sender.sendMetrics(metrics);
  await sender.beforeApplicationShutdown();
  await sender.close();
};

const list = (port: number) => {
  const publisher = { url: 'https://lists.example/a', hosts: [/^lists\.example$/], file: 'a' };
  return download(publisher, undefined, { port, lookup });
};

const postgres = (port: number) =>
  new pg.Client({ connectionString: `postgresql://k:p@localhost:${port}/k?sslmode=verify-full` }).connect();

const provider = (port: number) => new RemoteKeySet(`https://localhost:${port}/keys`, systemClock).load();

/** By what is reached, a call that opens a connection. */
const CONNECTIONS: readonly (readonly [what: string, call: (port: number) => Promise<unknown>])[] = [
  ['Postgres', postgres],
  ['the event store', store('direct')],
  ['the event store, by the official client', store('official')],
  ['Redis', redis],
  ['a mail server', mail],
  ['the payment provider', payments],
  ['the publisher of a list', list],
  ['a receiver of webhooks', receiver],
  ['the identity provider', provider],
  ['a collector of telemetry', telemetry],
];

/** How the handshakes of a call end. */
const handshakesOf = async (what: string, call: (port: number) => Promise<unknown>): Promise<ReadonlySet<string>> => {
  const server = await OldServer.start(what === 'Postgres');
  try {
    await Promise.all([
      eventually('a handshake', () => server.handshakes.length > 0),
      call(server.port).catch(() => undefined),
    ]);
    return new Set(server.handshakes);
  } finally {
    server.stop();
  }
};

const TOO_OLD = 'ERR_SSL_UNSUPPORTED_PROTOCOL';

afterEach(() => {
  tls.DEFAULT_MIN_VERSION = PINNED;
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(['src/main.ts', 'src/cli.ts', 'src/health-check.ts'])('is what %s begins with', (program) => {
  expect(readFileSync(join(projectRoot, program), 'utf8')).toMatch(/^import '\.\/platform\/least-tls\.js';/);
});

describe.each(CONNECTIONS)('a connection to %s', (what, call) => {
  it('is not made by TLS 1.2', async () => {
    expect(await handshakesOf(what, call)).toEqual(new Set([TOO_OLD]));
  });

  it('would be made by it, but for the version', async () => {
    tls.DEFAULT_MIN_VERSION = 'TLSv1.2';
    expect(await handshakesOf(what, call)).not.toContain(TOO_OLD);
  });
});
