import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Module } from '@nestjs/common';
import { type Clock, systemClock } from '../../src/kernel/clock.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import { HealthChecks } from '../../src/observability/health.js';
import { createHttpApplication, type HttpApplication, type HttpConfig } from '../../src/http/http-application.js';
import { Idempotency } from '../../src/idempotency/idempotency.js';
import { createLogger } from '../../src/observability/logging.js';
import { Metrics } from '../../src/observability/metrics.js';
import { OperatorTrail } from '../../src/http/operator-trail.js';
import { RequestTrail } from '../../src/http/request-trail.js';
import { Authenticator } from '../../src/http/request-context.js';
import { type Queryable } from '../../src/platform/postgres/database.js';
import { MemoryRateLimiter } from '../../src/platform/rate-limit/memory-rate-limiter.js';
import { RateLimiter } from '../../src/platform/rate-limit/rate-limiter.js';
import { RequestTracing } from '../../src/http/request-tracing.js';
import { CLOCK } from '../../src/platform/tokens.js';

import { OtherController, Scenario, ThingsController, TwiceController } from './http-test-controllers.js';
import { TestAuthenticator, TestDeductions, TestHashes, TestOperatorTrail, TestVault } from './http-test-parts.js';
@Module({})
class TestModule {}

const NO_DATABASE: Queryable = { query: () => Promise.reject(new Unavailable('postgres')) };

export interface TestAppOptions {
  readonly database?: Queryable;
  readonly config?: Partial<HttpConfig>;
  readonly limiter?: RateLimiter;
  readonly clock?: Clock;
  readonly deadAfter?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface TestApp {
  readonly url: string;
  readonly http: HttpApplication;
  readonly scenario: Scenario;
  readonly authenticator: TestAuthenticator;
  readonly deductions: TestDeductions;
  readonly vault: TestVault;
  readonly operators: TestOperatorTrail;
  readonly health: HealthChecks;
  readonly logs: string[];
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly key?: string;
  /** A list is sent as so many lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string | Buffer;
}

const parsed = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};

const send = (base: string, method: string, path: string, { key, headers = {}, body }: CallOptions): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const payload =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const url = new URL(base);
    const request = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        path,
        method,
        headers: {
          ...(payload === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
          ...(key === undefined ? {} : { 'X-API-Key': key }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });

export const startTestApp = async (options: TestAppOptions = {}): Promise<TestApp> => {
  const { database = NO_DATABASE, clock = systemClock, deadAfter = 45_000 } = options;
  const scenario = new Scenario();
  const authenticator = new TestAuthenticator();
  const deductions = new TestDeductions();
  const vault = new TestVault();
  const operators = new TestOperatorTrail();
  const health = new HealthChecks();
  const idempotency = new Idempotency(database, new TestHashes(), vault, deductions, deadAfter);
  const provide = [
    { provide: Scenario, useValue: scenario },
    { provide: Authenticator, useValue: authenticator },
    { provide: OperatorTrail, useValue: operators },
    { provide: RequestTrail, useValue: { note: () => undefined } },
    { provide: RateLimiter, useValue: options.limiter ?? new MemoryRateLimiter(clock) },
    { provide: Idempotency, useValue: idempotency },
    { provide: HealthChecks, useValue: health },
    { provide: Metrics, useClass: Metrics },
    { provide: RequestTracing, useValue: { requests: () => undefined } },
    { provide: CLOCK, useValue: clock },
  ];
  const module = {
    module: TestModule,
    controllers: [ThingsController, TwiceController, OtherController],
    providers: provide,
  };
  const logs: string[] = [];
  const logger = createLogger('info', { write: (line) => void logs.push(line) });
  const config: HttpConfig = {
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
    managementPort: undefined,
    shutdownDelay: 0,
    keepAlive: 72,
    tls: undefined,
    trustProxy: { hops: 1, ranges: [] },
    environment: 'sandbox',
    roles: new Set(['api']),
    ...options.config,
  };
  const http = await createHttpApplication(module, config, logger);
  const url = await http.listen();
  return {
    url,
    http,
    scenario,
    authenticator,
    deductions,
    vault,
    operators,
    health,
    logs,
    call: (method, path, call = {}) => send(url, method, path, call),
    close: () => http.close(),
  };
};

let address = 0;

/** Headers that make a request come from an address of its own, so that limits of other tests do not matter. */
export const fromNewAddress = (): Record<string, string> => {
  address += 1;
  return { 'X-Forwarded-For': `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}` };
};

export const PERSON = { email: ' Maria@Example.org ', phone_number: '+12025550123', full_name: 'María Núñez' };
