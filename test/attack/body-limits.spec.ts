import { headOf, RawConnection, type RawRequest, sendRaw } from '../support/attack/raw.js';
import { expectRefusal } from '../support/checks/conventions.js';
import { callToNothing, type Endpoint, ENDPOINTS, titleOf } from '../support/endpoints/endpoints.js';
import { type World, worldOf } from '../support/endpoints/world.js';
import { type Answer, freshAddress } from '../support/load/http.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { signed } from '../support/payments/signature.js';
import { eventually } from '../support/stack.js';

const KIB = 1_024;
/** Of a body that holds a few fields. */
const USUAL = 16 * KIB;
const LIMITS: Readonly<Record<string, number>> = {
  '/api/v1/ingest': 32 * KIB,
  '/api/v1/ingest/batch': 1_024 * KIB,
  '/api/v1/compliance/sanctions/batch': 1_024 * KIB,
  '/api/v1/views': 64 * KIB,
  '/openid4vp/responses/{presentation_id}': 64 * KIB,
};

let deployment: SharedDeployment;
let world: World;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  world = await worldOf(deployment);
}, 120_000);
afterAll(() => deployment.leave());

const limitOf = ({ path }: Endpoint): number => LIMITS[path] ?? USUAL;
const named = (bytes: number): string => (bytes < KIB * KIB ? `${bytes / KIB} KiB` : '1 MiB');

/** An object of this many bytes. Its one member is unknown everywhere. */
const bodyOf = (bytes: number): string => JSON.stringify({ padding: 'x'.repeat(bytes - 14) });

const call = (endpoint: Endpoint, raw: string) => ({
  ...callToNothing(endpoint, world),
  body: undefined,
  raw,
  from: freshAddress(),
});

const expectTooLarge = (answer: Answer, endpoint: Endpoint): void => {
  expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
  expect(answer.json['detail']).toContain(named(limitOf(endpoint)));
};

const taking = ENDPOINTS.filter(({ method, access }) => method !== 'GET' && access !== 'signed').map(
  (endpoint) => [titleOf(endpoint), endpoint] as const,
);

describe('a path takes a body of its own limit and no byte more', () => {
  it.each(taking)('%s', async (_title, endpoint) => {
    const limit = limitOf(endpoint);
    expect((await deployment.http.send(call(endpoint, bodyOf(limit)))).status).not.toBe(413);
    expectTooLarge(await deployment.http.send(call(endpoint, bodyOf(limit + 1))), endpoint);
  });

  it('also where the length is not said before', async () => {
    const endpoint = ENDPOINTS.find(({ path }) => path === '/api/v1/check-eligibility') as Endpoint;
    const body = bodyOf(USUAL + 1);
    const answer = await sendRaw(deployment.http.baseUrl, {
      method: 'POST',
      path: endpoint.path,
      headers: [
        ['Host', 'localhost'],
        ['X-API-Key', world.owner.apiKey],
        ['Content-Type', 'application/json'],
        ['Transfer-Encoding', 'chunked'],
      ],
      body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    });
    expectTooLarge(answer, endpoint);
  });

  it("also the payment provider's, whose events are larger than our callers' bodies", async () => {
    const raw = bodyOf(512 * KIB);
    const headers = { 'stripe-signature': signed(raw) };
    const answer = await deployment.http.send({ path: '/webhooks/payments', raw, headers, from: freshAddress() });
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
  });
});

/** The answer to a request whose body never comes. */
const answerBeforeBody = async (request: RawRequest & { readonly length: number }): Promise<Answer> => {
  const { method = 'POST', headers = [], length, ...rest } = request;
  const connection = await RawConnection.open(deployment.http.baseUrl, request.from);
  connection.write(
    headOf({
      ...rest,
      method,
      headers: [
        ['Host', 'localhost'],
        ['Content-Type', 'application/json'],
        ['Content-Length', String(length)],
        ...headers,
      ],
    }),
  );
  try {
    return await eventually('an answer before the body', () => connection.answer, 5_000);
  } finally {
    connection.destroy();
  }
};

const PAYMENTS = '/webhooks/payments';
const EVENT = '{"id":"evt_2","object":"event","type":"customer.created","livemode":false,"data":{"object":{}}}';

const sendEvent = (from: string, raw: string, signature: string): Promise<Answer> =>
  deployment.http.send({ path: PAYMENTS, raw, headers: { 'stripe-signature': signature }, from });

/** Uses up what an address without an account may send in a minute. */
const useUp = async (from: string): Promise<void> => {
  await eventually('the limit', async () => (await sendEvent(from, EVENT, signed('{}'))).code === 'RATE_LIMITED');
};

describe('nothing of a body is waited for', () => {
  it.each<[string, Omit<RawRequest, 'from'>, number, string]>([
    ['without an API key', { path: '/api/v1/ingest' }, 403, 'MISSING_API_KEY'],
    ['with a wrong API key', { path: '/api/v1/ingest', headers: [['X-API-Key', 'x']] }, 403, 'INVALID_API_KEY'],
    ['without a token', { path: '/api/v1/issue' }, 401, 'INVALID_TOKEN'],
    ['at a path that does not exist', { path: '/nothing' }, 404, 'NOT_FOUND'],
    ['where the method does not exist', { method: 'PUT', path: '/api/v1/ingest' }, 405, 'METHOD_NOT_ALLOWED'],
    ["without the payment provider's signature", { path: PAYMENTS }, 400, 'BAD_REQUEST'],
    [
      'under a signature of another time',
      { path: PAYMENTS, headers: [['Stripe-Signature', `t=1,v1=${'0'.repeat(64)}`]] },
      400,
      'BAD_REQUEST',
    ],
    [
      'under a signature that none can be',
      { path: PAYMENTS, headers: [['Stripe-Signature', signed('{}').slice(0, -1)]] },
      400,
      'BAD_REQUEST',
    ],
  ])('%s', async (_case, request, status, code) => {
    expectRefusal(await answerBeforeBody({ ...request, from: freshAddress(), length: 4_096 }), status, code);
  });

  it.each<[string, string, number]>([
    ['of 17 KiB where 16 are taken', '/api/v1/check-eligibility', 17 * KIB],
    ['of 33 KiB where 32 are taken', '/api/v1/ingest', 33 * KIB],
    ['of more than 1 MiB', '/api/v1/ingest/batch', 1_025 * KIB],
  ])('%s', async (_case, path, length) => {
    const answer = await answerBeforeBody({ path, length, headers: [['X-API-Key', world.owner.apiKey]] });
    expectRefusal(answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('from an address that has used up its limit, under a signature that none can be', async () => {
    const from = freshAddress();
    await useUp(from);
    const answer = await answerBeforeBody({ path: PAYMENTS, from, length: 4_096 });
    expectRefusal(answer, 429, 'RATE_LIMITED');
  });
});

it('an event with a good signature is taken from an address that has used up its limit', async () => {
  const from = freshAddress();
  await useUp(from);
  expect((await sendEvent(from, EVENT, signed(EVENT))).status).toBe(200);
});
