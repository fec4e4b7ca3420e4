import { Database } from '../../src/platform/postgres/database.js';
import { applicationOf, issuerTokenFor, toIssued, verdictOf } from '../support/credentials.js';
import { Deployment, SCALED_ERASURE } from '../support/load/deployment.js';
import { type Answer, type Call, type Json } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually, eventuallyNone } from '../support/stack.js';

/** Whatever came with the old life has come by then. */
const SETTLED_WITHIN = 4_000;

let deployment: Deployment;
let asker: Tenant;
let holder: Tenant;
let people = 63_000;
let who: Person;

const send = ({ apiKey }: Tenant, path: string, call: Omit<Call, 'path'> = {}): Promise<Answer> =>
  deployment.http.send({ path: `/api/v1${path}`, apiKey, ...call });

const expectJson = async (status: number, sent: Promise<Answer>): Promise<Json> => {
  const answer = await sent;
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return answer.json;
};

/** The same e-mail and phone number, another name and birth date. */
const another = ({ email, phone_number }: Person): Person => ({
  email,
  phone_number,
  full_name: 'Somebody Else Entirely',
  date_of_birth: '1999-09-09',
});

const idOf = async (tenant: Tenant, { email, phone_number }: Person): Promise<string> => {
  const path = `/identities?${new URLSearchParams(enquiry({ email, phone_number } as Person)).toString()}`;
  const [found] = (await expectJson(200, send(tenant, path)))['identities'] as { identity_id: string }[];
  return found?.identity_id ?? '';
};

/** Deletes the identity for good. */
const erase = async (tenant: Tenant, identityId: string): Promise<void> => {
  await expectJson(202, send(tenant, `/identity/${identityId}`, { method: 'DELETE' }));
  await eventually('the erasure', async () => {
    const { status } = await send(tenant, `/identity/${identityId}/erasure-certificate`);
    return status === 200;
  });
};

beforeAll(async () => {
  deployment = await Deployment.start({ env: { ...SCALED_ERASURE, LOG_LEVEL: 'warn' } });
}, 90_000);
afterAll(() => deployment.stop(), 60_000);

beforeEach(async () => {
  [asker, holder] = [
    await deployment.operator.tenant({ credits: 100, name: 'Asking Bank' }),
    await deployment.operator.tenant({ credits: 100, name: 'Attesting Bank' }),
  ];
  who = person((people += 1));
});

describe('an approval of a claim', () => {
  const FIELDS = ['full_name', 'date_of_birth', 'kyc_status', 'tier'];

  const approved = async (): Promise<string> => {
    await ingestAll(deployment.http, holder, [who]);
    const body = { ...enquiry(who), purpose: 'onboarding' };
    const claimId = String((await expectJson(202, send(asker, '/claims', { body })))['claim_id']);
    await eventually('the claim at its holder', async () => (await send(holder, `/claims/${claimId}`)).status === 200);
    await expectJson(200, send(holder, `/claims/${claimId}/approve`, { body: { fields: FIELDS } }));
    await eventually('the approval', async () => (await send(asker, `/claims/${claimId}/record`)).status === 200);
    return claimId;
  };

  it('does not open the record of whoever has the same e-mail and phone number after an erasure', async () => {
    const claimId = await approved();
    await erase(holder, await idOf(holder, who));
    expect((await send(asker, `/claims/${claimId}/record`)).status).toBe(404);
    await ingestAll(deployment.http, holder, [another(who)]);
    const { status, text } = await send(asker, `/claims/${claimId}/record`);
    expect([status, text.includes('Somebody Else Entirely')]).toEqual([404, false]);
  }, 60_000);

  it('opens the new life once that was approved itself, and then that alone', async () => {
    await approved();
    await erase(holder, await idOf(holder, who));
    await ingestAll(deployment.http, holder, [another(who)]);
    const second = await deployment.operator.tenant({ credits: 100, name: 'Second Asker' });
    const body = { ...enquiry(who), purpose: 'onboarding' };
    const claimId = String((await expectJson(202, send(second, '/claims', { body })))['claim_id']);
    await eventually('the claim at its holder', async () => (await send(holder, `/claims/${claimId}`)).status === 200);
    await expectJson(200, send(holder, `/claims/${claimId}/approve`, { body: { fields: FIELDS } }));
    const read = await eventually('the approval', async () => {
      const answer = await send(second, `/claims/${claimId}/record`);
      return answer.status === 200 && answer.json;
    });
    expect(read['records']).toEqual([expect.objectContaining({ attested_by: 'Attesting Bank' })]);
    const listed = (await expectJson(200, send(asker, '/claims?role=asker')))['claims'] as { claim_id: string }[];
    const opened = await Promise.all(listed.map(({ claim_id }) => send(asker, `/claims/${claim_id}/record`)));
    expect(opened.map(({ status }) => status)).toEqual([404]);
  }, 60_000);
});

describe('a credential of a new life', () => {
  it('stays valid where the deletion of the life before is handled once more', async () => {
    await ingestAll(deployment.http, holder, [who]);
    const identityId = await idOf(holder, who);
    await erase(holder, identityId);
    const next = another(who);
    await ingestAll(deployment.http, holder, [next]);
    const token = await issuerTokenFor(deployment.http, holder);
    const issued = toIssued(
      await deployment.http.expect(200, { path: '/api/v1/issue', token, body: applicationOf(next) }),
    );
    expect(await verdictOf(deployment.http, holder, issued)).toBe('valid');
    // A reactor may be called again for an event, and reacts again from the beginning under a new version.
    await deployment.instance(0).service.stop();
    const database = new Database({ connectionString: deployment.databaseUrl });
    await database.query(`UPDATE reactor_checkpoints SET position = NULL WHERE reactor = 'identity-credentials'`);
    await deployment.restart(0);
    await eventually('the reactor at its place again', async () => {
      const [row] = await database.query<{ position: string | null }>(
        `SELECT position FROM reactor_checkpoints WHERE reactor = 'identity-credentials'`,
      );
      const [other] = await database.query<{ position: string | null }>(
        `SELECT max(position) AS position FROM reactor_checkpoints`,
      );
      return row?.position !== null && BigInt(row?.position ?? -1) >= BigInt(other?.position ?? 0) - 10_000n;
    });
    await database.close();
    const search = async (): Promise<unknown[]> => {
      const verdict = await verdictOf(deployment.http, holder, issued);
      return verdict === 'valid' ? [] : [verdict];
    };
    expect(await eventuallyNone(search, SETTLED_WITHIN)).toEqual([]);
  }, 120_000);
});

describe('what screening knew of a life', () => {
  const listed = (): Person => ({ ...who, full_name: 'Potential Testmatch' });

  const hitsOf = async (tenant: Tenant): Promise<number> => {
    const logs = (await expectJson(200, send(tenant, '/compliance/audit-log?action=sanctions_check&limit=100')))[
      'logs'
    ];
    return (logs as { result: string }[]).filter(({ result }) => result === 'potential_match').length;
  };

  const announced = async (tenant: Tenant): Promise<number> => {
    const events = (await expectJson(200, send(tenant, '/events?limit=100')))['events'] as { type: string }[];
    return events.filter(({ type }) => type === 'sanctions.match').length;
  };

  it('does not keep the hit of the next one out of the audit log', async () => {
    await ingestAll(deployment.http, holder, [listed()]);
    await eventually('the first hit', async () => (await hitsOf(holder)) > 0 && (await announced(holder)) > 0);
    const first = await hitsOf(holder);
    await erase(holder, await idOf(holder, who));
    expect(await announced(holder)).toBe(0);
    await ingestAll(deployment.http, holder, [listed()]);
    await eventually('the announcement of the second hit', async () => (await announced(holder)) > 0);
    await eventually('its audit entry', async () => (await hitsOf(holder)) === 2 * first, SETTLED_WITHIN);
  }, 60_000);

  it('and was dismissed of it does not silence the hits of the next one', async () => {
    const { full_name, date_of_birth } = listed();
    const check = await expectJson(200, send(holder, '/compliance/sanctions', { body: { full_name, date_of_birth } }));
    for (const { match_id } of check['matches'] as { match_id: string }[])
      await deployment.http.expect(200, {
        path: `/api/v1/compliance/matches/${match_id}/dismiss`,
        apiKey: holder.apiKey,
        body: { reason: 'Another person' },
      });
    await ingestAll(deployment.http, holder, [listed()]);
    await erase(holder, await idOf(holder, who));
    await ingestAll(deployment.http, holder, [listed()]);
    await eventually('the announcement of the hit', async () => (await announced(holder)) > 1, SETTLED_WITHIN);
  }, 60_000);
});
