import { randomBytes, randomUUID } from 'node:crypto';
import { traceIdsOf } from '../../src/boot/telemetry/trace-ids.js';
import { built } from '../support/built.js';
import { found, needlesOf } from '../support/checks/needles.js';
import { LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Call, Http } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { ingestAll, Operator, type Tenant } from '../support/load/tenants.js';
import { OtlpCollector, type SentSpan } from '../support/otlp-collector.js';
import { TestReceiver } from '../support/receiver.js';
import { eventually, type Service, startService } from '../support/stack.js';

const CHECK = '/api/v1/check-eligibility';
const MARKED: Person = {
  ...person(4_711),
  full_name: 'Wilhelmina Murray-Harker-4711',
  email: 'wilhelmina.4711@example.org',
};
const USER_AGENT = 'Carfax-Abbey/1.897 (Whitby)';
const HOOK_PATH = 'hook-of-Dr-Seward-4711';
/** Has a series only while a request of the process is open. */
const MOMENTARY = new Set(['nodejs_active_requests']);
const SECRET_HEADER = 'of-the-collector-5b1e';

/** The program whose modules are loaded one by one, so that it can tell which. */
const MODULE_BY_MODULE = 'src/main.entry.js';

/** Prints at its end which packages of OpenTelemetry the process has loaded. */
const TELLS_LOADED = `--import=data:text/javascript,${encodeURIComponent(`
  import { Module } from 'node:module';
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const packages = Object.keys(Module._cache).map((path) => /@opentelemetry.([a-z-]+)/.exec(path)?.[1]);
    writeSync(2, 'LOADED ' + JSON.stringify([...new Set(packages)].filter(Boolean).sort()) + '\\n');
  });`)}`;

const loadedBy = (service: Service): string[][] =>
  [...service.output().matchAll(/^LOADED (.*)$/gm)].map(([, names = '']) => JSON.parse(names) as string[]);

describe('a service with a collector', () => {
  let collector: OtlpCollector;
  let receiver: TestReceiver;
  let service: Service;
  let http: Http;
  let operator: Operator;
  let tenant: Tenant;

  const send = (call: Call): Promise<Answer> =>
    http.send({ ...call, headers: { 'user-agent': USER_AGENT, ...call.headers } });
  const check = (who: Person, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    send({ path: CHECK, apiKey: tenant.apiKey, body: enquiry(who), headers });
  const spanOf = async (name: string, matches: (span: SentSpan) => boolean): Promise<SentSpan> => {
    const find = (): SentSpan | undefined => collector.named(name).find(matches);
    await eventually(`a span ${name}`, () => find() !== undefined);
    return find() as SentSpan;
  };
  const requestSpan = (answer: Answer, route = `POST ${CHECK}`): Promise<SentSpan> =>
    spanOf(route, ({ attributes }) => attributes['kyc.request_id'] === answer.header('x-request-id'));
  const isLinkedTo =
    (traceId: string, spanId: string) =>
    ({ links }: SentSpan): boolean =>
      links.some((link) => link.traceId === traceId && link.spanId === spanId);

  beforeAll(async () => {
    collector = await OtlpCollector.start();
    receiver = await TestReceiver.start();
    service = await startService({
      program: built(MODULE_BY_MODULE),
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: `x-secret=${SECRET_HEADER}`,
        OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=tests',
        OTEL_BSP_SCHEDULE_DELAY: '50',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
        NODE_OPTIONS: TELLS_LOADED,
        LOG_LEVEL: 'warn',
        ...LONG_STORE_BUDGET_MS,
      },
    });
    http = new Http(service.baseUrl, 64, service.devSecret());
    operator = await Operator.admin(http);
    tenant = await operator.tenant({ credits: 1_000 });
    const url = receiver.url(`/${HOOK_PATH}`);
    await send({
      path: '/api/v1/webhooks/endpoints',
      apiKey: tenant.apiKey,
      body: { url, events: ['identity.created'] },
    });
    await ingestAll(http, tenant, [MARKED]);
  }, 120_000);

  afterAll(async () => {
    http.close();
    await service.stop();
    service.remove();
    await receiver.stop();
    await collector.stop();
  }, 60_000);

  it('shows a request from HTTP through the append to the rows, with links', async () => {
    const answer = await check(MARKED);
    expect(answer.status).toBe(200);
    const request = await requestSpan(answer);
    const ids = traceIdsOf(answer.header('x-request-id') ?? '');
    expect({ ...ids, parentId: '' }).toEqual({
      traceId: request.traceId,
      spanId: request.spanId,
      parentId: request.parentId,
    });
    expect(request).toMatchObject({
      kind: 2,
      isError: false,
      resource: { 'service.name': 'kyc-attestation-network', 'service.namespace': 'tests' },
      attributes: {
        'http.request.method': 'POST',
        'http.route': CHECK,
        'http.response.status_code': 200,
        'kyc.account': tenant.tenantId,
      },
    });
    const inTrace = ({ traceId }: SentSpan): boolean => traceId === request.traceId;
    const command = await spanOf('command ChargeLookUp', inTrace);
    expect(command.parentId).toBe(request.spanId);
    const append = await spanOf('append credits', inTrace);
    expect(append.attributes).toMatchObject({ 'db.collection.name': 'credits', 'db.operation.batch.size': 1 });
    expect(append.parentId).toBe(command.spanId);
    const statement = await spanOf('postgres attestations', inTrace);
    expect(statement.parentId).toBe(request.spanId);
    const projected = await spanOf('project', isLinkedTo(request.traceId, request.spanId));
    expect(projected.traceId).not.toBe(request.traceId);
    expect(projected).toMatchObject({ parentId: '', kind: 5 });
    expect(projected.attributes['kyc.events']).toBeGreaterThan(0);
    expect(projected.attributes['kyc.projections']).toContain('ledger');
  });

  it("goes on in its caller's trace, and is found there from the log", async () => {
    const caller = { traceId: randomBytes(16).toString('hex'), spanId: randomBytes(8).toString('hex') };
    const answer = await check(MARKED, {
      traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
      tracestate: `vendor=${MARKED.email}`,
    });
    const request = await requestSpan(answer);
    expect(request).toMatchObject({ traceId: caller.traceId, parentId: caller.spanId });
    await spanOf('append credits', ({ traceId }) => traceId === caller.traceId);
    await spanOf('project', isLinkedTo(request.traceId, request.spanId));
    // Another process knows only the id of the request.
    const ids = traceIdsOf(answer.header('x-request-id') ?? '');
    const found = await spanOf('request in the trace of its caller', ({ spanId }) => spanId === ids.spanId);
    expect(found.traceId).toBe(ids.traceId);
    expect(isLinkedTo(request.traceId, request.spanId)(found)).toBe(true);
  });

  it('gives each span an id of its own where a request id comes again', async () => {
    const headers = { 'x-request-id': randomUUID() };
    await check(MARKED, headers);
    await check(MARKED, headers);
    const sent = (): SentSpan[] =>
      collector.spans.filter(({ attributes }) => attributes['kyc.request_id'] === headers['x-request-id']);
    await eventually('both spans', () => sent().length === 2);
    expect(new Set(sent().map(({ spanId }) => spanId)).size).toBe(2);
    expect(new Set(sent().map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('shows an append that requests shared once, with a link to each', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => check(MARKED)));
    const requests = await Promise.all(answers.map((answer) => requestSpan(answer)));
    const wanted = new Set(requests.map(({ spanId }) => spanId));
    const shared = (): SentSpan[] =>
      collector.named('append credits').filter(({ links }) => links.some(({ spanId }) => wanted.has(spanId)));
    await eventually('a shared append', () => shared().some(({ links }) => links.length > 1));
    for (const { parentId, links, attributes } of shared()) {
      expect(parentId).toBe('');
      expect(attributes['db.operation.batch.size']).toBe(links.length);
      expect(links.every(({ spanId }) => wanted.has(spanId))).toBe(true);
    }
  });

  it('shows what follows: the job, the reaction and the delivery, which tells the receiver nothing of it', async () => {
    const body = { ...person(4_712), kyc_status: 'APPROVED' };
    const answer = await send({ path: '/api/v1/ingest', apiKey: tenant.apiKey, body });
    expect(answer.status).toBe(202);
    const { traceId, spanId } = await requestSpan(answer, 'POST /api/v1/ingest');
    const isCaused = isLinkedTo(traceId, spanId);
    await spanOf('job ingestion', isCaused);
    await spanOf('react announcements', isCaused);
    const delivery = await spanOf('webhook POST', () => true);
    expect(delivery).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': 200 } });
    await eventually('the webhook', () => receiver.at(`/${HOOK_PATH}`).length > 0);
    for (const { headers } of receiver.at(`/${HOOK_PATH}`)) expect(headers).not.toHaveProperty('traceparent');
  });

  it('names the error of a refused request, and its command', async () => {
    const poor = await operator.tenant();
    const refused = await send({ path: CHECK, apiKey: poor.apiKey, body: enquiry(MARKED) });
    expect(refused.status).toBe(402);
    const request = await requestSpan(refused);
    expect(request).toMatchObject({ isError: false, attributes: { 'kyc.error_code': refused.code } });
    const command = await spanOf('command ConfirmFunds', ({ traceId }) => traceId === request.traceId);
    expect(command).toMatchObject({ isError: false, attributes: { 'kyc.refusal': 'credits_depleted' } });
  });

  it('has no span for health and metrics', async () => {
    await send({ path: '/health/ready' });
    await requestSpan(await check(MARKED));
    expect(collector.spans.filter(({ name }) => /health|metrics/.test(name))).toEqual([]);
  });

  it('sends the figures of /metrics under the same names', async () => {
    const { text } = await http.expect(200, { path: '/metrics', token: operator.token });
    const counted =
      /^http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/ingest",status="202"\} (\d+)$/m;
    const shown = Number(counted.exec(text)?.[1]);
    const sent = () =>
      collector.metrics
        .get('http_request_duration_seconds')
        ?.points.find(({ attributes }) => attributes['route'] === '/api/v1/ingest' && attributes['status'] === '202');
    await eventually('the newest figures', () => sent()?.count === shown);
    expect(sent()?.counts?.reduce((one, other) => one + other)).toBe(shown);
    const shownWithSeries = [...text.matchAll(/^# TYPE (\S+) \S+\n(?!\n|$)/gm)].map(([, name = '']) => name);
    expect(shownWithSeries.length).toBeGreaterThan(30);
    await eventually('all of them', () =>
      shownWithSeries.every((name) => collector.metrics.has(name) || MOMENTARY.has(name)),
    );
  });

  it('sends the headers that were set', () => {
    expect(collector.headers[0]).toMatchObject({ 'x-secret': SECRET_HEADER, 'content-type': 'application/x-protobuf' });
  });

  it('sends nothing of a person', async () => {
    const asTenant = { apiKey: tenant.apiKey };
    const search = new URLSearchParams(enquiry(MARKED)).toString();
    const listed = await send({ path: `/api/v1/identities?${search}`, ...asTenant });
    const [{ identity_id: identityId }] = listed.json['identities'] as [{ readonly identity_id: string }];
    const answers = await Promise.all([
      send({ path: `/api/v1/identity/${identityId}`, ...asTenant }),
      send({ path: CHECK, ...asTenant, body: { email: MARKED.email } }),
      send({ path: CHECK, ...asTenant, raw: `{"email": "${MARKED.email}"` }),
      send({ path: `/nowhere/${encodeURIComponent(MARKED.email)}` }),
      send({ path: '/api/v1/compliance/sanctions', ...asTenant, body: { full_name: MARKED.full_name } }),
      check(MARKED, { 'x-request-id': MARKED.email, baggage: `who=${MARKED.email}`, 'idempotency-key': MARKED.email }),
      send({ path: `/api/v1/identity/${identityId}`, method: 'DELETE', ...asTenant }),
    ]);
    const ids = answers.map((answer) => answer.header('x-request-id'));
    await eventually('the spans of all', () =>
      ids.every((id) => collector.spans.some(({ attributes }) => attributes['kyc.request_id'] === id)),
    );
    const { email, phone_number, full_name, date_of_birth } = MARKED;
    const secret = tenant.apiKey.split('_').at(-1) as string;
    const needles = needlesOf([
      ...[email, phone_number, phone_number.slice(1), full_name, date_of_birth, secret],
      ...[identityId, identityId.replace('idn_', ''), USER_AGENT, HOOK_PATH, SECRET_HEADER],
    ]);
    const sent = Buffer.concat(collector.bodies);
    expect(sent.includes(CHECK)).toBe(true);
    expect(found(needles, sent, 'what the collector got')).toEqual([]);
    // A keyed hash of a person, or an envelope, is longer than any id of a trace.
    const values = collector.spans.flatMap(({ attributes }) => Object.values(attributes));
    expect(values.filter((value) => /[0-9a-f]{40}/.test(String(value)))).toEqual([]);
  });

  it('serves as ever while the collector refuses, warns sparingly, and stops', async () => {
    collector.manner = 'refuses';
    const warnings = (): string[] => service.output().match(/telemetry did not reach the collector/g) ?? [];
    const began = performance.now();
    await eventually('a warning', async () => {
      expect((await check(person(4_712))).status).toBe(200);
      return warnings().length > 0;
    });
    const refused = collector.headers.length;
    await eventually(
      'more refusals',
      async () => (await check(person(4_712))) && collector.headers.length > refused + 5,
    );
    expect(warnings().length).toBeLessThanOrEqual(1 + (performance.now() - began) / 60_000);
    collector.manner = 'is silent';
    await check(person(4_712));
    expect(await service.stop()).toBe(0);
    expect(loadedBy(service).flat()).toEqual(expect.arrayContaining(['sdk-trace', 'exporter-trace-otlp-proto']));
  });
});

describe('a service without a collector', () => {
  it('loads no package of OpenTelemetry, but for the one that prom-client loads', async () => {
    const service = await startService({
      program: built(MODULE_BY_MODULE),
      env: { NODE_OPTIONS: TELLS_LOADED, OTEL_SERVICE_NAME: 'named' },
    });
    expect(await service.stop()).toBe(0);
    const loaded = loadedBy(service);
    expect(loaded.length).toBeGreaterThan(0);
    expect([...new Set(loaded.flat())]).toEqual(['api']);
    service.remove();
  }, 90_000);
});
