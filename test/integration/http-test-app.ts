import { createHmac } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Body, Controller, Delete, Get, Module, Param, Post, Query } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { type Receipt } from '../../src/kernel/charging.js';
import { type Clock, systemClock } from '../../src/kernel/clock.js';
import { type DeductionState, Deductions } from '../../src/kernel/charging.js';
import { type TenantId } from '../../src/kernel/ids.js';
import { InvariantViolation } from '../../src/kernel/invariant.js';
import { refuse, type RejectionCode } from '../../src/kernel/rejection.js';
import { Unavailable } from '../../src/kernel/unavailable.js';
import {
  type DataKey,
  type Envelope,
  ERASED,
  KeyedHashes,
  type Place,
  Vault,
} from '../../src/platform/crypto/vault.js';
import { Context, Public, RequiresKey, RequiresRole, RequiresToken } from '../../src/platform/http/access.js';
import { Answers, charged } from '../../src/platform/http/answers.js';
import {
  BooleanField,
  DateField,
  EmailField,
  EnumField,
  IntegerField,
  ListField,
  ObjectField,
  PhoneField,
  RangeEdgeField,
  TextField,
  TimestampField,
  UrlField,
} from '../../src/platform/http/fields.js';
import { HealthChecks } from '../../src/platform/http/health.js';
import {
  createHttpApplication,
  type HttpApplication,
  type HttpConfig,
} from '../../src/platform/http/http-application.js';
import { Idempotency } from '../../src/platform/http/idempotency/idempotency.js';
import { createLogger } from '../../src/platform/http/logging.js';
import { Metrics } from '../../src/platform/http/metrics.js';
import {
  Authenticator,
  type BearerPrincipal,
  type OperatorPrincipal,
  type RequestContext,
  type TenantPrincipal,
} from '../../src/platform/http/request-context.js';
import { type Queryable } from '../../src/platform/postgres/database.js';
import { MemoryRateLimiter } from '../../src/platform/rate-limit/memory-rate-limiter.js';
import { limitsOf, RateLimiter } from '../../src/platform/rate-limit/rate-limiter.js';
import { CLOCK } from '../../src/platform/tokens.js';

export const TENANT = 't01arz3ndektsv4rrffq69g5fav' as TenantId;
export const OTHER_TENANT = 't01arz3ndektsv4rrffq69g5faw' as TenantId;

const tenant = (tenantId: TenantId, scopes: TenantPrincipal['scopes'], perMinute = 1_000_000): TenantPrincipal => ({
  kind: 'tenant',
  tenantId,
  keyId: `key-of-${tenantId}`,
  scopes,
  limits: limitsOf(perMinute),
});

const KEYS: Readonly<Record<string, TenantPrincipal>> = {
  good: tenant(TENANT, new Set(['ingest', 'eligibility', 'billing'])),
  other: tenant(OTHER_TENANT, new Set(['ingest', 'eligibility'])),
  narrow: tenant(TENANT, new Set(['webhooks'])),
  slow: tenant('t01arz3ndektsv4rrffq69g5fax' as TenantId, new Set(['ingest']), 75),
};
const KEY_REFUSALS: Readonly<Record<string, RejectionCode>> = {
  expired: 'expired_api_key',
  suspended: 'account_disabled',
};

export class TestAuthenticator extends Authenticator {
  override byApiKey(apiKey: string): Promise<TenantPrincipal> {
    if (apiKey === 'store-down') return Promise.reject(new Unavailable('event_store'));
    const principal = KEYS[apiKey];
    return principal === undefined
      ? Promise.reject(refuse(KEY_REFUSALS[apiKey] ?? 'invalid_api_key'))
      : Promise.resolve(principal);
  }

  override byToken(token: string, wanted: 'token' | 'role'): Promise<BearerPrincipal | OperatorPrincipal> {
    if (token.startsWith('bad')) return Promise.reject(refuse('invalid_token'));
    if (wanted === 'role')
      return Promise.resolve({ kind: 'operator', subjectHash: token, roles: new Set([token as 'admin']) });
    const tokenScopes = new Set(token === 'issuer' ? ['credentials:issue'] : []);
    return Promise.resolve({
      kind: 'bearer',
      tenantId: TENANT,
      subjectHash: 'subject',
      tokenScopes,
      limits: limitsOf(10_000),
    });
  }
}

export class PersonBody {
  @EmailField() email!: string;
  @PhoneField() phone_number!: string;
  @TextField() full_name!: string;
  @DateField({ optional: true }) date_of_birth?: string;
  @EnumField(['Tier1', 'Tier2', 'Tier3'], { default: 'Tier1' }) tier = 'Tier1';
  @TimestampField({ optional: true }) kyc_expires_at?: Date;
  @ObjectField({ maxBytes: 16_384, maxDepth: 10 }, { optional: true }) extra_data?: Record<string, unknown>;
  @UrlField({ optional: true }) url?: string;
  @ListField({ of: ['a', 'b'], optional: true }) events?: string[];
  @BooleanField({ optional: true }) enabled?: boolean;
  @IntegerField({ min: 1, max: 10, optional: true }) threshold?: number;
}

class PageQuery {
  @IntegerField({ min: 1, max: 1_000, default: 100 }) limit = 100;
  @RangeEdgeField('end', { optional: true }) end_date?: Date;
}

class PersonAnswer {
  @ApiProperty() email!: string;
}

/** What a test makes the operation do, and what it saw. */
export class Scenario {
  operation: (context: RequestContext, body: PersonBody) => unknown = () => ({ ok: true });
  calls = 0;

  run(context: RequestContext, body: PersonBody): unknown {
    this.calls += 1;
    return this.operation(context, body);
  }
}

const RECEIPT: Receipt = { charged: 1, balance: 41, revision: 7n };

@Controller('things')
class ThingsController {
  constructor(private readonly scenario: Scenario) {}

  @Post()
  @RequiresKey('ingest')
  @Answers(202, { summary: 'Take a thing', type: PersonAnswer })
  take(@Context() context: RequestContext<TenantPrincipal>, @Body() body: PersonBody): unknown {
    return this.scenario.run(context, body);
  }

  @Post('charged')
  @RequiresKey('eligibility')
  @Answers(200, { summary: 'Look a thing up', type: PersonAnswer, charged: 'check_eligibility' })
  async charged(@Context() context: RequestContext<TenantPrincipal>, @Body() body: PersonBody): Promise<unknown> {
    const answer = JSON.stringify(await this.scenario.run(context, body));
    return charged({ status: 200, body: answer, receipt: RECEIPT });
  }

  @Get()
  @RequiresKey('ingest')
  @Answers(200, { summary: 'List things' })
  list(@Query() query: PageQuery, @Context() context: RequestContext<TenantPrincipal>): unknown {
    return {
      limit: query.limit,
      end_date: query.end_date,
      tenant_id: context.principal.tenantId,
      ip: context.ipAddress,
    };
  }

  @Get(':id')
  @RequiresKey('ingest')
  @Answers(200, { summary: 'Read a thing' })
  read(@Param('id') id: string): unknown {
    if (id !== 'known') throw refuse('not_found');
    return { id };
  }

  @Delete(':id')
  @RequiresKey('ingest')
  @Answers(204, { summary: 'Delete a thing' })
  remove(): void {}

  @Get('failing/:with')
  @Public({ perMinute: 1_000_000 })
  @Answers(200, { summary: 'Fail' })
  fail(@Param('with') code: string): unknown {
    if (code === 'unavailable-part') throw new Unavailable('postgres', { cause: new Error('maria@example.org') });
    if (code === 'invariant') throw new InvariantViolation('maria@example.org is secret');
    if (code === 'surprise') throw new Error('maria@example.org is secret');
    throw refuse(code as RejectionCode);
  }
}

@Controller()
class OtherController {
  constructor(private readonly scenario: Scenario) {}

  @Post('issue')
  @RequiresToken('credentials:issue')
  @Answers(200, { summary: 'Issue' })
  issue(@Context() context: RequestContext<BearerPrincipal>): unknown {
    return { tenant_id: context.principal.tenantId };
  }

  @Post('admin/things')
  @RequiresRole('admin')
  @Answers(201, { summary: 'Administer' })
  administer(@Context() context: RequestContext): unknown {
    return this.scenario.run(context, new PersonBody());
  }

  @Get('open')
  @Public()
  @Answers(200, { summary: 'Open to all' })
  open(): unknown {
    return { open: true };
  }

  @Post('dev/token')
  @Public({ perMinute: 6_000 })
  @Answers(200, { summary: 'Token' })
  token(): unknown {
    return { access_token: 'x' };
  }
}

/** Answers what tests say of deductions; unknown where they say nothing. */
export class TestDeductions extends Deductions {
  readonly states = new Map<string, DeductionState>();
  default: DeductionState = 'unknown';

  override stateOf(_tenantId: TenantId, deductionId: string): Promise<DeductionState> {
    return Promise.resolve(this.states.get(deductionId) ?? this.default);
  }
}

const hmac = (label: string, text: string): Buffer => createHmac('sha256', label).update(text).digest();

class TestHashes extends KeyedHashes {
  override identityHash = (email: string, phone: string): string =>
    hmac('identity', `${email}\0${phone}`).toString('hex');
  override identityId = (tenantId: string, email: string): string =>
    `idn_${hmac(tenantId, email).toString('hex', 0, 16)}`;
  override apiKeySecret = (secret: string): Buffer => hmac('pepper', secret);
  override actor = (name: string): string => hmac('actor', name).toString('hex', 0, 16);
  override idempotency = (text: string): string => hmac('idempotency', text).toString('hex');
  override blindIndex = (field: string, value: string): string => hmac(field, value).toString('hex');
}

/** Seals reversibly, but bound to the place as the real one is; keys can be destroyed. */
export class TestVault extends Vault {
  readonly destroyed = new Set<string>();

  override tenantKey = (tenantId: TenantId): Promise<DataKey> => Promise.resolve({ id: `tenant-${tenantId}` });
  override subjectKey = (tenantId: TenantId, email: string): Promise<DataKey> =>
    Promise.resolve({ id: `subject-${tenantId}-${email}` });
  override seal = (key: DataKey, place: Place, value: unknown): Envelope => ({
    v: 1,
    alg: 'A256GCM',
    key: key.id,
    iv: '',
    ct: Buffer.from(JSON.stringify([place, value])).toString('base64url'),
  });
  override open = (place: Place, envelope: Envelope): Promise<unknown> => {
    if (this.destroyed.has(envelope.key)) return Promise.resolve(ERASED);
    const [sealedPlace, value] = JSON.parse(Buffer.from(envelope.ct, 'base64url').toString()) as [Place, unknown];
    expect(sealedPlace).toEqual(place);
    return Promise.resolve(value);
  };
}

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
  readonly deductions: TestDeductions;
  readonly vault: TestVault;
  readonly health: HealthChecks;
  readonly logs: string[];
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
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
  const deductions = new TestDeductions();
  const vault = new TestVault();
  const health = new HealthChecks();
  const idempotency = new Idempotency(database, new TestHashes(), vault, deductions, deadAfter);
  const provide = [
    { provide: Scenario, useValue: scenario },
    { provide: Authenticator, useClass: TestAuthenticator },
    { provide: RateLimiter, useValue: options.limiter ?? new MemoryRateLimiter(clock) },
    { provide: Idempotency, useValue: idempotency },
    { provide: HealthChecks, useValue: health },
    { provide: Metrics, useClass: Metrics },
    { provide: CLOCK, useValue: clock },
  ];
  const module = { module: TestModule, controllers: [ThingsController, OtherController], providers: provide };
  const logs: string[] = [];
  const logger = createLogger('info', { write: (line) => void logs.push(line) });
  const config: HttpConfig = {
    host: '127.0.0.1',
    port: 0,
    managementPort: undefined,
    tls: undefined,
    trustProxy: true,
    environment: 'sandbox',
    ...options.config,
  };
  const http = await createHttpApplication(module, config, logger);
  const url = await http.listen();
  return {
    url,
    http,
    scenario,
    deductions,
    vault,
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
