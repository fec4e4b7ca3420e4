import { EventStream } from '../support/load/event-stream.js';
import { Http, type Json } from '../support/load/http.js';
import { Operator, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';
import { runningService } from '../support/running-service.js';

/** Milliseconds in which a revoked key, a suspended account and a session that was signed out end everywhere. */
const PROMISED = 1_000;

describe('a stream of events', () => {
  const service = runningService();
  let http: Http;
  let operator: Operator;

  beforeAll(async () => {
    http = new Http(service.baseUrl, 16, service.devSecret());
    operator = await Operator.admin(http);
  }, 60_000);
  afterAll(() => http.close());

  const judge = ({ tenantId }: Tenant, verdict: 'distrust' | 'trust' | 'suspend'): Promise<unknown> =>
    http.expect(200, {
      path: `/admin/accounts/${tenantId}/${verdict}`,
      token: operator.token,
      body: { reason: 'For a test' },
    });

  /** Two events that the account is told of, whatever became of its keys. */
  const happen = async (tenant: Tenant): Promise<void> => {
    await judge(tenant, 'distrust');
    await judge(tenant, 'trust');
  };

  const OWN = { 'x-console': '1' };

  const signedIn = async (body: object): Promise<string> => {
    const answer = await http.expect(200, { path: '/console/session', headers: OWN, body });
    return (answer.header('set-cookie') ?? '').split(';')[0] ?? '';
  };

  const signOut = (cookie: string): Promise<unknown> =>
    http.expect(204, { method: 'DELETE', path: '/console/session', headers: { ...OWN, cookie } });

  interface Reading {
    readonly stream: EventStream;
    readonly end: () => Promise<unknown>;
  }

  const byKey = async ({ apiKey }: Tenant, end: (keyId: string) => Promise<unknown>): Promise<Reading> => {
    const body = { name: 'A stream', scopes: ['webhooks'] };
    const { json } = await http.expect(201, { path: '/api/v1/keys', apiKey, body });
    const headers = { 'X-API-Key': String(json['api_key']) };
    const stream = await EventStream.open(http, '/api/v1/events/stream', headers);
    return { stream, end: () => end(String(json['id'])) };
  };

  it.each([
    [
      'a revoked key',
      (tenant: Tenant) =>
        byKey(tenant, (id) =>
          http.expect(204, { method: 'DELETE', path: `/api/v1/keys/${id}`, apiKey: tenant.apiKey }),
        ),
    ],
    ['a suspended account', (tenant: Tenant) => byKey(tenant, () => judge(tenant, 'suspend'))],
    [
      'a session that was signed out',
      async ({ apiKey }: Tenant): Promise<Reading> => {
        const cookie = await signedIn({ api_key: apiKey });
        const stream = await EventStream.open(http, '/console/api/api/v1/events/stream', { ...OWN, cookie });
        return { stream, end: () => signOut(cookie) };
      },
    ],
  ])(
    'tells %s of nothing that happens more than a second later',
    async (_who, begin) => {
      const tenant = await operator.tenant();
      const { stream, end } = await begin(tenant);
      expect(stream.status).toBe(200);
      await happen(tenant);
      await eventually('what happens before', () => stream.types().includes('account.trusted'));
      await end();
      const ended = Date.now();
      await eventually('its end', async () => {
        await happen(tenant);
        return stream.isEnded;
      });
      const late = stream.told.filter(({ data }) => Date.parse(String(data['created_at'])) > ended + PROMISED);
      expect(late.map(({ data }) => data['created_at'])).toEqual([]);
    },
    60_000,
  );

  it('of read models tells an operator who has signed out of nothing that happens more than a second later', async () => {
    const link = new URL(service.demo().console_url).hash.slice('#k='.length);
    const demo = await signedIn({ link });
    const role = { path: '/console/session/role', headers: { ...OWN, cookie: demo }, body: { role: 'operator' } };
    const cookie = ((await http.expect(200, role)).header('set-cookie') ?? '').split(';')[0] ?? '';
    const stream = await EventStream.open(http, '/console/api/admin/stream', { ...OWN, cookie });
    expect(stream.status).toBe(200);
    const tenant = await operator.tenant();
    await eventually('where they stand', () => stream.told.some(({ event }) => event === 'projections'));
    await signOut(cookie);
    const ended = performance.now();
    const head = async (): Promise<bigint> =>
      BigInt(String((await http.expect(200, { path: '/admin/projections', token: operator.token })).json['head']));
    let last: bigint | undefined;
    await eventually('its end', async () => {
      await happen(tenant);
      if (performance.now() - ended > PROMISED) last ??= await head();
      return stream.isEnded;
    });
    const places = stream.told.filter(({ event }) => event === 'projections').map(({ data }: { data: Json }) => data);
    expect(places.filter(({ head: told }) => last !== undefined && BigInt(String(told)) > last)).toEqual([]);
  }, 60_000);
});
