import { Deployment } from '../support/load/deployment.js';
import { type Answer, type Json } from '../support/load/http.js';
import { runCommand } from '../support/service-command.js';
import { balanceOf, type Tenant, tokenFor } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

let deployment: Deployment;
let tenant: Tenant;
let ann: string;
let bob: string;

const act = (token: string, path: string, body?: object): Promise<Answer> =>
  deployment.http.send({
    method: 'POST',
    path: `/admin/accounts/${tenant.tenantId}/${path}`,
    token,
    ...(body && { body }),
  });

const proposals = async (): Promise<readonly Json[]> => {
  const call = { path: `/admin/accounts/${tenant.tenantId}/proposals`, token: ann };
  return (await deployment.http.expect(200, call)).json['proposals'] as Json[];
};

beforeAll(async () => {
  deployment = await Deployment.start({ env: { FOUR_EYES_CREDITS: '100' } });
  tenant = await deployment.operator.tenant({ credits: 50 });
  // The development provider names an operator by its roles.
  const tokenOf = (...roles: string[]): Promise<string> => tokenFor(deployment.http, { roles });
  [ann, bob] = [await tokenOf('admin'), await tokenOf('admin', 'support')];
}, 90_000);
afterAll(() => deployment.stop());

describe('where the deployment asks for two operators', () => {
  it('one adjusts few credits alone, and many by the word of a second one, once', async () => {
    expect((await act(ann, 'credits', { amount: 100, reason: 'Goodwill' })).json).toMatchObject({ status: 'done' });
    const { json } = await act(ann, 'credits', { amount: -120, reason: 'Paid twice' });
    expect(json).toMatchObject({ status: 'proposed', balance: 150 });
    const path = `proposals/${String(json['reference'])}`;
    expect((await act(ann, `${path}/approve`)).code).toBe('FORBIDDEN');
    expect(await balanceOf(deployment.http, tenant)).toBe(150);
    const answers = await Promise.all([1, 2, 3].map(() => act(bob, `${path}/approve`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await eventually('the adjustment', async () => (await balanceOf(deployment.http, tenant)) === 30);
    expect((await act(ann, `${path}/reject`)).code).toBe('CONFLICT');
    const [shown] = await proposals();
    expect(shown).toMatchObject({ act: 'adjust_credits', amount: -120, reason: 'Paid twice', status: 'approved' });
    expect(shown?.['proposed_by']).not.toBe(shown?.['answered_by']);
    await deployment.instance(0).service.kill9();
    await deployment.restart(0);
    await act(bob, `${path}/approve`);
    expect(await balanceOf(deployment.http, tenant)).toBe(30);
  }, 90_000);

  it('a debit that the balance no longer covers fails, and later mail and adjustments go on', async () => {
    const debit = { amount: -140, reason: 'Refunded by card' };
    await act(ann, 'credits', { amount: 120, reason: 'Goodwill' });
    const [credit] = await proposals();
    await act(bob, `proposals/${String(credit?.['proposal_id'])}/approve`);
    await eventually('the credits', async () => (await balanceOf(deployment.http, tenant)) === 150);
    const { json } = await act(ann, 'credits', debit);
    await act(ann, 'credits', { amount: -100, reason: 'Spent meanwhile' });
    await act(bob, `proposals/${String(json['reference'])}/approve`);
    await eventually('the failure', async () => (await proposals())[0]?.['status'] === 'failed');
    expect((await act(bob, `proposals/${String(json['reference'])}/approve`)).json).toMatchObject({ status: 'failed' });
    expect(await balanceOf(deployment.http, tenant)).toBe(50);
    await act(ann, 'credits', { amount: 101, reason: 'Goodwill' });
    await act(bob, `proposals/${String((await proposals())[0]?.['proposal_id'])}/approve`);
    await eventually('a later adjustment', async () => (await balanceOf(deployment.http, tenant)) === 151);
  }, 60_000);

  it('the command line, where a name proves no one, neither adjusts many credits nor distrusts', async () => {
    const refused = async (...words: string[]): Promise<void> => {
      const ran = await runCommand(['accounts', ...words, '--operator', 'Someone else'], deployment.env);
      expect([ran.status, ran.output]).toEqual([1, expect.stringContaining('Propose it over HTTP')]);
    };
    await refused('adjust', tenant.tenantId, '--amount', '101', '--reason', 'Goodwill', '--reference', 'r1');
    await refused('distrust', tenant.tenantId, '--reason', 'Forged records');
    expect(await balanceOf(deployment.http, tenant)).toBe(151);
  });

  it('distrust needs a second one, and a rejected proposal does nothing', async () => {
    const distrust = async (): Promise<string> => {
      expect((await act(ann, 'distrust', { reason: 'Forged records' })).json).toMatchObject({ distrusted: false });
      return String((await proposals())[0]?.['proposal_id']);
    };
    const rejected = await distrust();
    expect((await act(bob, `proposals/${rejected}/reject`)).json).toMatchObject({ status: 'rejected' });
    expect((await act(bob, `proposals/${rejected}/approve`)).code).toBe('CONFLICT');
    const approved = await distrust();
    expect((await act(bob, `proposals/${approved}/approve`)).json).toMatchObject({
      act: 'distrust',
      status: 'approved',
    });
    const account = { path: `/admin/accounts/${tenant.tenantId}`, token: ann };
    expect((await deployment.http.expect(200, account)).json).toMatchObject({ distrusted: true });
    expect((await act(ann, 'trust', { reason: 'They were right' })).json).toMatchObject({ distrusted: false });
  }, 60_000);
});
