import { SharedDeployment } from '../support/load/shared-deployment.js';
import { type Tenant } from '../support/load/tenants.js';
import { runCommand } from '../support/service-command.js';

const WHO = 'Josephine Operator';
const WHY = 'Ticket 4711, asked by Mr Quarrel';
const SIGNED = ['--operator', WHO, '--justification', WHY];
const IDENTITY = `idn_${'0'.repeat(32)}`;

let deployment: SharedDeployment;
let tenant: Tenant;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  tenant = await deployment.operator.tenant();
}, 90_000);

afterAll(() => deployment.leave());

const logged = async (query: Readonly<Record<string, string>>): Promise<readonly Record<string, unknown>[]> => {
  const path = `/admin/audit-log?${new URLSearchParams(query).toString()}`;
  const { json } = await deployment.http.expect(200, { path, token: deployment.operator.token });
  return json['logs'] as Record<string, unknown>[];
};

const ACTS: readonly (readonly [string, readonly string[], object, string])[] = [
  ['keys -- rotate-issuer', [], {}, 'done'],
  ['keys -- reapply-erasures', [], {}, 'done'],
  ['projections -- rebuild', ['accounts'], { projections: 'accounts' }, 'done'],
  ['reactors -- retry', ['payments'], { reactor: 'payments' }, 'refused'],
  [
    'reactors -- discard',
    ['payments', '3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a'],
    { reactor: 'payments', event: '3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a' },
    'refused',
  ],
  ['screening -- import', ['UN_SECURITY_COUNCIL', '/dev/null'], { list: 'UN_SECURITY_COUNCIL' }, 'refused'],
  ['audit -- replay', ['--reveal', '--identity', IDENTITY], { identity: IDENTITY }, 'done'],
];

it.each(ACTS)(
  'npm run %s is recorded with who, on what, why and what became of it',
  async (name, words, target, outcome) => {
    const [command = '', sub = ''] = name.split(' -- ');
    const { status } = await runCommand([command, sub, ...words, ...SIGNED], deployment.env);
    expect(status === 0 ? 'done' : 'refused').toBe(outcome);
    const action = `npm run ${name}${words.includes('--reveal') ? ' --reveal' : ''}`;
    const [entry] = await logged({ operator: WHO, action });
    expect(entry).toMatchObject({ operator_name: WHO, target, justification: WHY, outcome });
  },
);

it('takes the operator from the environment otherwise, and says so', async () => {
  const words = ['audit', 'as-of', '2026-01-01', 'balance', tenant.tenantId];
  const { output } = await runCommand(words, { ...deployment.env, OPERATOR: 'the night shift' });
  expect(output).toContain('Recorded in the operators’ log as the night shift.');
  const [entry] = await logged({ operator: 'the night shift' });
  expect(entry).toMatchObject({ tenant_id: tenant.tenantId, target: { balance: tenant.tenantId } });
});

it('names who did it over HTTP, and the reason that the request gave', async () => {
  const path = `/admin/accounts/${tenant.tenantId}/distrust`;
  const { token } = deployment.operator;
  await deployment.http.expect(200, { path, token, body: { reason: WHY } });
  const [entry] = await logged({ action: 'POST /admin/accounts/{id}/distrust' });
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  expect(entry).toMatchObject({ operator_name: sub, target: { id: tenant.tenantId }, justification: WHY });
  expect((await logged({ operator: sub })).map(({ id }) => id)).toContain(entry?.['id']);
});

it('keeps names and reasons sealed in the log', async () => {
  const texts: string[] = [];
  for await (const { stream, text } of deployment.log.everything()) {
    if (stream === 'audit-operators') texts.push(text);
  }
  expect(texts.length).toBeGreaterThan(ACTS.length);
  expect(texts.filter((text) => text.includes(WHO) || text.includes('Quarrel'))).toEqual([]);
});
