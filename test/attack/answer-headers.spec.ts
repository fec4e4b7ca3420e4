import { RawConnection } from '../support/attack/raw.js';
import { startTestApp } from '../integration/http-test-app.js';
import { DOCUMENTATION, ENDPOINTS, goodCall, titleOf } from '../support/endpoints/endpoints.js';
import { type World, worldOf } from '../support/endpoints/world.js';
import { type Answer, type Call, freshAddress } from '../support/load/http.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ownPort } from '../support/ports.js';

let deployment: SharedDeployment;
let world: World;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  world = await worldOf(deployment);
}, 120_000);
afterAll(() => deployment.leave());

const send = (call: Call): Promise<Answer> => deployment.http.send({ from: freshAddress(), ...call });

const expectNoSniffing = (answer: Answer): void =>
  expect([answer.status, answer.header('x-content-type-options')]).toEqual([answer.status, 'nosniff']);

describe('a browser is told not to guess what an answer is', () => {
  it.each(ENDPOINTS.map((endpoint) => [titleOf(endpoint), endpoint] as const))('%s', async (_title, endpoint) => {
    const answer = await send(await goodCall(endpoint, world));
    expect(answer.status).toBe(endpoint.success);
    expectNoSniffing(answer);
  });

  it.each(DOCUMENTATION.map((path) => [path]))('GET %s', async (path) => expectNoSniffing(await send({ path })));

  it.each<[string, Call]>([
    ['without a key', { path: '/billing/credits' }],
    ['of an unknown path', { path: '/nothing' }],
    ['of a path that cannot be routed', { path: '/%zz' }],
    ['of another method', { method: 'PUT', path: '/billing/credits' }],
    ['of a body that is no JSON', { path: '/dev/token', raw: '{' }],
    ['without a signature', { path: '/webhooks/payments', raw: '{}' }],
    ['of a HEAD', { method: 'HEAD', path: '/billing/pricing' }],
    ['of more than 16 KiB of headers', { path: '/', headers: { 'x-long': 'x'.repeat(20_000) } }],
  ])('and in the refusal %s', async (_case, call) => expectNoSniffing(await send(call)));

  it('and where the document is the one that the caller has', async () => {
    const path = '/credentials/status/revocation/1';
    const tag = (await send({ path })).header('etag') ?? '';
    const answer = await send({ path, headers: { 'if-none-match': tag } });
    expect(answer.status).toBe(304);
    expectNoSniffing(answer);
  });

  it('and where the bytes are no HTTP', async () => {
    const connection = await RawConnection.open(deployment.http.baseUrl, freshAddress());
    connection.write('nonsense\r\n\r\n');
    expectNoSniffing((await connection.whole()) as Answer);
  });

  it('and on the management port', async () => {
    const managementPort = await ownPort();
    const app = await startTestApp({ config: { managementPort } });
    const answers = await Promise.all(
      ['/health/live', '/metrics', '/nothing'].map((path) => fetch(`http://127.0.0.1:${managementPort}${path}`)),
    );
    await app.close();
    expect(answers.map(({ headers }) => headers.get('x-content-type-options'))).toEqual(Array(3).fill('nosniff'));
  });
});

describe('a file that is downloaded', () => {
  const downloads = ENDPOINTS.filter(({ path }) => path.endsWith('/download'));

  it.each(downloads.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
    '%s is kept as a file, and as a page it may do nothing',
    async (_title, endpoint) => {
      const answer = await send(await goodCall(endpoint, world));
      expect(answer.status).toBe(200);
      expect(answer.header('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/);
      const policy = (answer.header('content-security-policy') ?? '').split(';').map((part) => part.trim());
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", 'sandbox']));
    },
  );
});
