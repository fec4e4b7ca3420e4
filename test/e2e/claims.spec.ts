import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../support/checks/conventions.js';
import { found, needlesOf } from '../support/checks/needles.js';
import { endsOf, openOf, stated } from '../support/checks/statement.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Answer, type Json } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

const INSTANCES = 2;

let deployment: Deployment;
let asker: Tenant;
let holder: Tenant;
let other: Tenant;

const send = ({ apiKey }: Tenant, path: string, body?: object): Promise<Answer> =>
  deployment.http.send({ path: `/api/v1/claims${path}`, apiKey, ...(body === undefined ? {} : { body }) });

const expectJson = async (status: number, sent: Promise<Answer>): Promise<Json> => {
  const answer = await sent;
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return answer.json;
};

const ask = (tenant: Tenant, who: Person): Promise<Answer> =>
  send(tenant, '', { ...enquiry(who), purpose: 'onboarding' });

/** Asks at once, in turn at each instance. */
const askAtOnce = (tenant: Tenant, people: readonly Person[]): Promise<Answer[]> =>
  Promise.all(
    people.map((who, number) =>
      deployment.instance(number % INSTANCES).http.send({
        path: '/api/v1/claims',
        apiKey: tenant.apiKey,
        body: { ...enquiry(who), purpose: 'onboarding' },
      }),
    ),
  );

/** Whoever is told hears within moments. */
const heard = (tenant: Tenant, claimId: string): Promise<Json> =>
  eventually('a claim at its holder', async () => {
    const answer = await send(tenant, `/${claimId}`);
    return answer.status === 200 && answer.json;
  });

const readable = (tenant: Tenant, claimId: string): Promise<Json> =>
  eventually('an approval at the asker', async () => {
    const answer = await send(tenant, `/${claimId}/record`);
    return answer.status === 200 && answer.json;
  });

const logOf = async ({ apiKey }: Tenant): Promise<Json[]> => {
  const path = '/api/v1/compliance/audit-log?limit=1000';
  return (await deployment.http.expect(200, { path, apiKey })).json['logs'] as Json[];
};

const actionsOf = async (tenant: Tenant, prefix = 'claim_'): Promise<unknown[]> =>
  (await logOf(tenant))
    .map(({ action }) => String(action))
    .filter((action) => action.startsWith(prefix))
    .reverse();

const tenantNamed = (name: string): Promise<Tenant> => deployment.operator.tenant({ credits: 100, name });

beforeAll(async () => {
  deployment = await Deployment.start({ instances: INSTANCES, env: { ...LONG_STORE_BUDGET_MS, LOG_LEVEL: 'trace' } });
}, 60_000);

afterAll(() => deployment.stop());

beforeEach(async () => {
  [asker, holder, other] = [
    await tenantNamed('Asking Bank'),
    await tenantNamed('Attesting Bank'),
    await tenantNamed('Bystander'),
  ];
});

describe('a claim that is approved', () => {
  const who = person(30_001);
  let claimId: string;

  beforeEach(async () => {
    await ingestAll(deployment.http, holder, [who]);
    claimId = String((await expectJson(202, ask(asker, who)))['claim_id']);
  });

  it('shows the holder its own identity, the purpose and who asks', async () => {
    expect(await heard(holder, claimId)).toMatchObject({
      role: 'holder',
      status: 'requested',
      purpose: 'onboarding',
      requested_by: 'Asking Bank',
      identity_id: expect.stringMatching(/^idn_[0-9a-f]{32}$/) as string,
    });
  });

  it('lets the asker read the approved fields alone, of the record as it is then', async () => {
    await heard(holder, claimId);
    const fields = ['full_name', 'date_of_birth', 'tier', 'kyc_status'];
    expect(await expectJson(200, send(holder, `/${claimId}/approve`, { fields }))).toMatchObject({
      status: 'approved',
      fields,
    });
    const { records } = await readable(asker, claimId);
    const { full_name, date_of_birth } = who;
    expect(records).toEqual([
      expect.objectContaining({
        attested_by: 'Attesting Bank',
        fields,
        record: { full_name, date_of_birth, tier: 'Tier2', kyc_status: 'APPROVED' },
      }),
    ]);
    await ingestAll(deployment.http, holder, [{ ...who, full_name: 'Another Name' }], 'Tier3');
    const later = (await readable(asker, claimId))['records'] as { record: Json }[];
    expect(later[0]?.record).toMatchObject({ full_name: 'Another Name', tier: 'Tier3' });
    expect(await expectJson(200, send(asker, `/${claimId}`))).toMatchObject({
      role: 'asker',
      status: 'approved',
      approvals: [{ attested_by: 'Attesting Bank', fields }],
    });
  });

  it('can be read while the identity lives', async () => {
    const { identity_id: id } = await heard(holder, claimId);
    await send(holder, `/${claimId}/approve`, { fields: ['tier'] });
    await readable(asker, claimId);
    const path = `/api/v1/identity/${String(id)}`;
    await deployment.http.expect(202, { method: 'DELETE', path, apiKey: holder.apiKey });
    expectRefusal(await send(asker, `/${claimId}/record`), 404, 'NOT_FOUND');
    await deployment.http.expect(200, { method: 'POST', path: `${path}/restore`, apiKey: holder.apiKey });
    expect((await send(asker, `/${claimId}/record`)).status).toBe(200);
  });

  it('is audited on both sides, each read too, and neither learns the address of the other', async () => {
    await heard(holder, claimId);
    await send(holder, `/${claimId}/approve`, { fields: ['tier'] });
    await readable(asker, claimId);
    await send(asker, `/${claimId}/record`);
    // An entry of the request at its holders would tell the asker their number by the order of the log.
    const steps = ['claim_approved', 'claim_record_read', 'claim_record_read'];
    // What the other side did is noted a moment later, perhaps after a step of one's own.
    for (const [side, all] of [
      [asker, [...steps, 'claim_requested']],
      [holder, steps],
    ] as const) {
      await eventually('the audit entries', async () => (await actionsOf(side)).length === all.length);
      expect((await actionsOf(side)).sort()).toEqual(all);
    }
    const [askerLog, attested] = [await logOf(asker), await logOf(holder)];
    const hashes = [...askerLog, ...attested].filter(({ action }) => /^claim_/.test(String(action)));
    expect(new Set(hashes.map(({ identity_hash }) => identity_hash)).size).toBe(1);
    const learnt = (log: Json[], action: string): Json[] => log.filter((entry) => entry['action'] === action);
    const foreign = [...learnt(attested, 'claim_record_read'), ...learnt(askerLog, 'claim_approved')];
    expect(foreign).toHaveLength(3);
    for (const entry of foreign) expect(entry).toMatchObject({ ip_address: '', user_agent: '', request_id: claimId });
  });

  it('is nothing to anybody else, and each side can do its own part only', async () => {
    await heard(holder, claimId);
    for (const path of ['', '/record']) expectRefusal(await send(other, `/${claimId}${path}`), 404, 'NOT_FOUND');
    for (const tenant of [other, asker]) {
      expectRefusal(await send(tenant, `/${claimId}/approve`, { fields: ['tier'] }), 404, 'NOT_FOUND');
      expectRefusal(await send(tenant, `/${claimId}/reject`, {}), 404, 'NOT_FOUND');
    }
    expectRefusal(await send(holder, `/${claimId}/record`), 404, 'NOT_FOUND');
    expectRefusal(await send(asker, `/${claimId}/record`), 409, 'CONFLICT');
  });

  it('does not tell one holder of the other', async () => {
    await ingestAll(deployment.http, other, [who]);
    const second = String((await expectJson(202, ask(await tenantNamed('Third Bank'), who)))['claim_id']);
    const views = [await heard(holder, second), await heard(other, second)];
    await expectJson(200, send(other, `/${second}/approve`, { fields: ['tier'] }));
    expect(views.map((view) => Object.keys(view))).toEqual([Object.keys(views[0] ?? {}), Object.keys(views[0] ?? {})]);
    expect(await expectJson(200, send(holder, `/${second}`))).toEqual(views[0]);
    expect(JSON.stringify(views[0])).not.toContain('Bystander');
    await expectJson(200, send(holder, `/${second}/approve`, { fields: ['full_name'] }));
  });
});

describe('a claim that is rejected', () => {
  it('stays open for the asker until its end, as if nobody had been asked', async () => {
    const [attested, unknown] = [person(30_011), person(30_012)];
    await ingestAll(deployment.http, holder, [attested]);
    const claims = await Promise.all([ask(asker, attested), ask(asker, unknown)]);
    const [rejectedId = '', nobody = ''] = claims.map(({ json }) => String(json['claim_id']));
    await heard(holder, rejectedId);
    expect(await expectJson(200, send(holder, `/${rejectedId}/reject`, {}))).toMatchObject({ status: 'rejected' });
    const alike = (json: Json) => ({ ...json, claim_id: '', requested_at: '', expires_at: '' });
    expect(alike(await expectJson(200, send(asker, `/${rejectedId}`)))).toEqual(
      alike(await expectJson(200, send(asker, `/${nobody}`))),
    );
    for (const id of [rejectedId, nobody]) expectRefusal(await send(asker, `/${id}/record`), 409, 'CONFLICT');
    expectRefusal(await send(holder, `/${rejectedId}/approve`, { fields: ['tier'] }), 409, 'CONFLICT');
    expect((await send(holder, `/${rejectedId}/reject`, {})).status).toBe(200);
    expect(await actionsOf(asker)).toEqual(['claim_requested', 'claim_requested']);
  });
});

describe('whether anybody attests the person', () => {
  const NAMES = [30_021, 30_022];

  it('shows in no answer, header, charge, ledger event or audit entry of the asker', async () => {
    const [attested, unknown] = NAMES.map(person) as [Person, Person];
    await ingestAll(deployment.http, holder, [attested]);
    const answers = [await ask(asker, attested), await ask(asker, unknown)];
    const ends = await eventually('the settlements', async () => {
      const statement = stated(await deployment.log.credits(asker.tenantId));
      return openOf(statement).length === 0 && endsOf(statement);
    });
    expect(ends).toEqual({ settled: 2 });
    await eventually('the holder', async () => {
      const held = (await expectJson(200, send(holder, '?role=holder')))['claims'] as Json[];
      return held.length === 1;
    });
    const shape = ({ status, headers, json }: Answer) => ({
      status,
      headers: Object.keys(headers).sort(),
      charged: headers['x-credits-charged'],
      body: { ...json, claim_id: '', expires_at: '' },
    });
    const [one, two] = answers.map(shape);
    expect(one).toEqual(two);
    expect(answers.map((answer) => Number(answer.header('x-credits-balance')))).toEqual([99, 98]);
    expect(await balanceOf(deployment.http, asker)).toBe(98);
    const entries = (await logOf(asker)).map(({ action, result, ip_address, user_agent }) => [
      action,
      result,
      ip_address,
      user_agent,
    ]);
    expect(entries[0]).toEqual(entries[1]);
    expect(entries).toHaveLength(2);
    const own: string[] = [];
    for await (const { stream, type } of deployment.log.everything())
      if (stream.endsWith(asker.tenantId)) own.push(`${stream.split('-')[0] ?? ''} ${type}`);
    const counts = new Map<string, number>();
    for (const event of own) counts.set(event, (counts.get(event) ?? 0) + 1);
    expect([counts.get('claims ClaimRequested.v1'), counts.get('credits DeductionSettled.v1')]).toEqual([2, 2]);
    expect(own.filter((event) => event.startsWith('claims '))).toHaveLength(2);
  });

  it('changes nothing of the work before the answer: the log is written first, and others are asked after it', async () => {
    const who = person(30_023);
    await ingestAll(deployment.http, holder, [who]);
    await expectJson(202, ask(asker, who));
    const order: string[] = [];
    await eventually('the holder', async () => {
      const held = (await expectJson(200, send(holder, '?role=holder')))['claims'] as Json[];
      return held.length === 1;
    });
    for await (const { stream, type, text } of deployment.log.everything())
      if (`${stream} ${text}`.includes(asker.tenantId)) order.push(type);
    const [requested, posted] = [order.indexOf('ClaimRequested.v1'), order.indexOf('ClaimPosted.v1')];
    expect(requested).toBeGreaterThan(-1);
    expect(posted).toBeGreaterThan(requested);
  });

  it('is asked of nobody whose identity is deleted, rejected or expired, and not of the asker itself', async () => {
    const [gone, refused, mine] = [30_024, 30_025, 30_026].map(person) as [Person, Person, Person];
    await ingestAll(deployment.http, holder, [gone, mine]);
    await ingestAll(deployment.http, asker, [mine]);
    const path = `/api/v1/identities?${new URLSearchParams(enquiry(gone)).toString()}`;
    const [{ identity_id: id }] = (await deployment.http.expect(200, { path, apiKey: holder.apiKey })).json[
      'identities'
    ] as [Json];
    await deployment.http.expect(202, {
      method: 'DELETE',
      path: `/api/v1/identity/${String(id)}`,
      apiKey: holder.apiKey,
    });
    await deployment.http.expect(202, {
      path: '/api/v1/ingest',
      apiKey: holder.apiKey,
      body: { ...refused, kyc_status: 'REJECTED' },
    });
    for (const who of [gone, refused]) await expectJson(202, ask(asker, who));
    const last = String((await expectJson(202, ask(asker, mine)))['claim_id']);
    await heard(holder, last);
    const held = (await expectJson(200, send(holder, '?role=holder')))['claims'] as Json[];
    expect(held.map(({ claim_id }) => claim_id)).toEqual([last]);
    expect((await expectJson(200, send(asker, '?role=holder')))['claims']).toEqual([]);
  });
});

describe('the limits of claims', () => {
  it('allow one claim on a person in 30 days, however many ask at once', async () => {
    const who = person(30_031);
    const answers = await askAtOnce(asker, Array<Person>(8).fill(who));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array<number>(7).fill(409)]);
    expect((await ask(other, who)).status).toBe(202);
  });

  it('allow 20 open claims, however many are made at once', async () => {
    const people = Array.from({ length: 26 }, (_, number) => person(30_100 + number));
    const answers = await askAtOnce(asker, people);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
    for (const answer of answers.filter(({ status }) => status !== 202)) expectRefusal(answer, 409, 'CONFLICT');
    const listed = await eventually('every claim in the list', async () => {
      const list = await expectJson(200, send(asker, '?limit=15&offset=10'));
      return (list['claims'] as Json[]).length === 10 && list;
    });
    expect(listed['claims']).toHaveLength(10);
    expect(listed['pagination']).toEqual({ total: 20, limit: 15, offset: 10, has_more: false });
  });

  it('do not let one Idempotency-Key make two claims, nor charge twice', async () => {
    const call = {
      path: '/api/v1/claims',
      apiKey: asker.apiKey,
      body: { ...enquiry(person(30_041)), purpose: 'reverification' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const answers = await Promise.all(Array.from({ length: 6 }, () => deployment.http.send(call)));
    const again = await deployment.http.expect(202, call);
    for (const { status, text } of answers) expect(status === 409 || text === again.text).toBe(true);
    expect(await balanceOf(deployment.http, asker)).toBe(99);
  });
});

describe('a service that is killed right after an answer', () => {
  it('brings the claim to its holder, and the approval back, once it runs again', async () => {
    const who = person(30_061);
    await ingestAll(deployment.http, holder, [who]);
    const restart = async (): Promise<void> => {
      const all = Array.from({ length: INSTANCES }, (_, number) => number);
      await Promise.all(all.map((number) => deployment.instance(number).service.kill9()));
      await Promise.all(all.map((number) => deployment.restart(number)));
    };
    const claimId = String((await expectJson(202, ask(asker, who)))['claim_id']);
    await restart();
    await heard(holder, claimId);
    await expectJson(200, send(holder, `/${claimId}/approve`, { fields: ['tier'] }));
    await restart();
    expect((await readable(asker, claimId))['records']).toMatchObject([{ record: { tier: 'Tier2' } }]);
    await eventually('the audit entries', async () => (await actionsOf(asker)).includes('claim_approved'));
    expect((await actionsOf(asker)).filter((action) => action !== 'claim_record_read')).toEqual([
      'claim_requested',
      'claim_approved',
    ]);
  }, 90_000);
});

it('leaves no personal data in the log of events nor in that of the service', async () => {
  const who = person(30_051);
  await ingestAll(deployment.http, holder, [who]);
  const claimId = String((await expectJson(202, ask(asker, who)))['claim_id']);
  await heard(holder, claimId);
  await send(holder, `/${claimId}/approve`, { fields: ['full_name', 'email', 'phone_number'] });
  expect((await readable(asker, claimId))['records']).toMatchObject([{ record: { email: who.email } }]);
  const needles = needlesOf([...Object.values(who)]);
  const parts: string[] = [];
  for await (const { stream, type, text } of deployment.log.everything()) parts.push(`${stream} ${type} ${text}\n`);
  expect(parts.join('')).toContain(claimId);
  expect(found(needles, Buffer.from(parts.join('')), 'the event log')).toEqual([]);
  for (let number = 0; number < INSTANCES; number += 1) {
    const output = Buffer.from(deployment.instance(number).service.output());
    expect(found(needles, output, 'the log of the service')).toEqual([]);
  }
});
