import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { runExport } from '../support/audit-command.js';
import { missingTools, outputOf } from '../support/document-tools.js';
import { type Answer, type Call, freshAddress } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';
import { unzip } from '../support/unzip.js';

const ANN = person(8_101);
const BOB = person(8_102);
const CREDITS = 200;
const FORMULA = '=cmd|"/C calc"!A0';

let deployment: SharedDeployment;
let tenant: Tenant;
let other: Tenant;
const folder = mkdtempSync(join(tmpdir(), 'kyc-exports-'));

const send = (call: Call): Promise<Answer> => deployment.http.send({ apiKey: tenant.apiKey, ...call });

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  tenant = await deployment.operator.tenant({ credits: CREDITS });
  other = await deployment.operator.tenant({ credits: CREDITS });
  await ingestAll(deployment.http, tenant, [ANN, BOB]);
  for (const who of [ANN, BOB, person(8_103)]) {
    await send({ path: '/api/v1/check-eligibility', body: enquiry(who), headers: { 'user-agent': FORMULA } });
  }
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true });
  return deployment.leave();
});

const PERIOD = { start_date: '2020-01-01', end_date: '2020-12-31' };
const today = (): object => {
  const now = Date.now();
  const day = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
  return { start_date: day(now - 86_400_000), end_date: day(now + 86_400_000) };
};

const ended = async (path: string): Promise<Answer> => {
  await eventually('the document is made', async () => (await send({ path })).json['status'] !== 'generating');
  return send({ path });
};

const report = async (body: object): Promise<Answer> => {
  const { json } = await deployment.http.expect(202, {
    path: '/api/v1/compliance/report',
    apiKey: tenant.apiKey,
    body: { ...today(), ...body },
  });
  return ended(`/api/v1/compliance/report/${String(json['report_id'])}`);
};

const exported = async (body: object = {}): Promise<Answer> => {
  const { json } = await deployment.http.expect(202, { path: '/api/v1/data-export', apiKey: tenant.apiKey, body });
  return ended(`/api/v1/data-export/${String(json['export_id'])}`);
};

const idOf = async (who: Person): Promise<string> => {
  const path = `/api/v1/identities?${new URLSearchParams(enquiry(who)).toString()}`;
  const [found] = (await send({ path })).json['identities'] as { identity_id: string }[];
  return found?.identity_id ?? '';
};

interface Visit {
  readonly status: number;
  readonly caching: string | undefined;
  readonly file: Buffer;
}

/** Callers without a key are counted by their address. */
const visit = (url: string): Promise<Visit> =>
  new Promise((resolve, reject) => {
    get(url, { localAddress: freshAddress() }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          caching: response.headers['cache-control'],
          file: Buffer.concat(parts),
        }),
      );
    }).on('error', reject);
  });

const download = async ({ json }: Answer): Promise<Buffer> => {
  const { status, caching, file } = await visit(String(json['download_url']));
  expect([status, caching]).toEqual([200, 'no-store']);
  expect(createHash('sha256').update(file).digest('hex')).toBe(json['sha256']);
  return file;
};

const loggedBefore = async (moment: unknown): Promise<Record<string, unknown>[]> => {
  const { json } = await send({ path: '/api/v1/compliance/audit-log?limit=1000' });
  return (json['logs'] as Record<string, unknown>[]).filter(({ timestamp }) => String(timestamp) < String(moment));
};

describe('a report', () => {
  it('costs 5 credits and lists what the audit log lists, in JSON', async () => {
    const before = await balanceOf(deployment.http, tenant);
    const made = await report({});
    expect(await balanceOf(deployment.http, tenant)).toBe(before - 5);
    expect(made.json).toMatchObject({ status: 'completed', format: 'json', error: null });
    const file = JSON.parse((await download(made)).toString('utf8')) as Record<string, unknown>;
    const logged = await loggedBefore(made.json['created_at']);
    expect(file['audit_log']).toEqual([...logged].reverse());
    expect(file['summary']).toMatchObject({ entries: logged.length });
    expect(file).toMatchObject({ tenant_id: tenant.tenantId, sanctions_checks: [], pep_checks: [] });
  });

  it('gives the same entries in CSV, where no text is a formula', async () => {
    const made = await report({ format: 'csv', include: ['audit_log', 'summary'] });
    const files = await unzip(await download(made));
    expect([...files.keys()]).toEqual(['report.csv', 'summary.csv', 'audit_log.csv']);
    const rows = parse<Record<string, string>>(files.get('audit_log.csv') ?? '', { columns: true });
    const logged = (await loggedBefore(made.json['created_at'])).reverse();
    expect(rows.map(({ id, action, result }) => [id, action, result])).toEqual(
      logged.map(({ id, action, result }) => [id, action, result]),
    );
    expect(rows.filter(({ user_agent: agent }) => agent === `'${FORMULA}`)).toHaveLength(3);
    const counts = parse<Record<string, string>>(files.get('summary.csv') ?? '', { columns: true });
    expect(counts.reduce((sum, { entries }) => sum + Number(entries), 0)).toBe(logged.length);
  });

  it('can be printed', async () => {
    const file = await download(await report({ format: 'pdf' }));
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.length).toBeGreaterThan(2_000);
  });

  it('takes a period of 366 days at most, which ends after it begins', async () => {
    for (const period of [
      { start_date: '2025-01-01', end_date: '2026-01-02' },
      { start_date: '2025-01-02T00:00:00Z', end_date: '2025-01-02T00:00:00Z' },
    ]) {
      const answer = await send({ path: '/api/v1/compliance/report', body: period });
      expect([answer.status, answer.json['error_code']]).toEqual([422, 'INVALID_FIELD']);
    }
    expect((await send({ path: '/api/v1/compliance/report', body: PERIOD })).status).toBe(202);
  });

  it('is made once for an Idempotency-Key', async () => {
    const keyed = {
      path: '/api/v1/compliance/report',
      body: today(),
      headers: { 'idempotency-key': randomUUID() },
    };
    const before = await balanceOf(deployment.http, tenant);
    const first = await send(keyed);
    await eventually('the answer is repeated', async () => (await send(keyed)).text === first.text);
    expect(await balanceOf(deployment.http, tenant)).toBe(before - 5);
  });
});

const opened = missingTools.length === 0 ? it : it.skip;
const without = missingTools.length === 0 ? '' : ` (needs ${missingTools.join(', ')})`;

/** Number of entries by action and result, as "action result". */
const counted = (entries: readonly Record<'action' | 'result', unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { action, result } of entries) {
    const name = `${String(action)} ${String(result)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

describe('the files of a report', () => {
  opened(`open with tools of others, their figures those of the API and of a fold of the log${without}`, async () => {
    const folded = (await deployment.log.audit(tenant.tenantId)).map(({ data }) => data);
    const figures = counted(folded);
    const period = { ...today(), end_date: new Date().toISOString() };
    const query = new URLSearchParams({ ...period, limit: '1000' }).toString();
    const file = async (format: string): Promise<string> => {
      const path = join(folder, `opened.${format}`);
      writeFileSync(path, await download(await report({ ...period, format })));
      return path;
    };
    const [json, csv, pdf] = [await file('json'), await file('csv'), await file('pdf')];

    const { logs } = (await send({ path: `/api/v1/compliance/audit-log?${query}` })).json;
    expect(counted(logs as { action: string; result: string }[])).toEqual(figures);

    const { audit_log, summary, checkpoint } = JSON.parse(readFileSync(json, 'utf8')) as Record<string, never[]>;
    expect([counted(audit_log ?? []), summary]).toEqual([figures, expect.objectContaining({ entries: folded.length })]);

    outputOf('unzip', '-tqq', csv);
    const options = { columns: true } as const;
    const rowsOf = (name: string) => parse<Record<string, string>>(outputOf('unzip', '-p', csv, name), options);
    expect(counted(rowsOf('audit_log.csv') as never[])).toEqual(figures);
    const summed = rowsOf('summary.csv').map(({ action, result, entries }) => [`${action} ${result}`, Number(entries)]);
    expect(Object.fromEntries(summed)).toEqual(figures);

    const text = outputOf('pdftotext', '-layout', pdf, '-');
    expect(text).toMatch(new RegExp(`Entries in the period:\\s+${folded.length}\\b`));
    const digest = createHash('sha256')
      .update(outputOf('unzip', '-p', csv, 'audit_log.csv'))
      .digest('hex');
    expect(text.replaceAll(/\s/g, '')).toContain(digest);
    for (const [name, entries] of Object.entries(figures))
      expect(text).toMatch(new RegExp(`${name.replaceAll(/[ _]/g, '\\s+')}\\s+${entries}\\b`));
    expect(checkpoint).toEqual(expect.stringMatching(/\/log\/1\n\d+\n.{44}\n\n— /));
    const copied = text.split('\n').map((line) => line.trim());
    for (const line of String(checkpoint).trimEnd().split('\n')) expect(copied).toContain(line);
    expect(outputOf('pdfinfo', pdf)).toMatch(/Tagged:\s+yes/);
    outputOf('pdfdetach', '-saveall', '-o', folder, pdf);
    expect(readFileSync(join(folder, 'audit_log.csv'), 'utf8')).toBe(outputOf('unzip', '-p', csv, 'audit_log.csv'));
    outputOf('pdftoppm', '-png', '-r', '40', pdf, join(folder, 'page'));
    expect(readdirSync(folder).filter((name) => name.endsWith('.png')).length).toBeGreaterThan(2);
  });
});

describe('a link to a file', () => {
  it('is refused where it is altered, of another document, or of a suspended account', async () => {
    const url = String((await report({})).json['download_url']);
    const later = url.replace(/expires=(\d+)/, (_, expires: string) => `expires=${Number(expires) + 1}`);
    const flipped = url.replace(/sig=(.)/, (_, first: string) => `sig=${first === 'A' ? 'B' : 'A'}`);
    const elsewhere = url.replace(/report\/[0-9a-f-]+/, `report/${randomUUID()}`);
    for (const bad of [later, flipped, elsewhere, url.split('?')[0] ?? '']) {
      expect([bad, (await visit(bad)).status]).toEqual([bad, 404]);
    }
    const account = `/admin/accounts/${tenant.tenantId}`;
    const token = deployment.operator.token;
    await deployment.http.expect(200, { path: `${account}/suspend`, token, body: { reason: 'For a test' } });
    expect((await visit(url)).status).toBe(403);
    await deployment.http.expect(200, { path: `${account}/reinstate`, token, body: { reason: 'For a test' } });
    expect((await visit(url)).status).toBe(200);
  });

  it('leads nowhere after the account removed the file, and each download is audited', async () => {
    const made = await report({});
    await download(made);
    const path = `/api/v1/compliance/report/${String(made.json['report_id'])}`;
    await deployment.http.expect(204, { method: 'DELETE', path, apiKey: tenant.apiKey });
    expect((await send({ path })).json).toMatchObject({ status: 'expired', download_url: null });
    expect((await visit(String(made.json['download_url']))).status).toBe(404);
    const { json } = await send({ path: '/api/v1/compliance/audit-log?action=report_downloaded' });
    expect(json['logs']).not.toEqual([]);
  });
});

/** The records of a file of the archive. */
const recordsOf = (files: ReadonlyMap<string, string>, name: string): Record<string, unknown>[] =>
  JSON.parse(files.get(`${name}.json`) ?? '') as Record<string, unknown>[];

const get200 = async (path: string): Promise<Record<string, unknown>> =>
  (await deployment.http.expect(200, { path, apiKey: tenant.apiKey })).json;

/** What else the service keeps of a person: a check, an assessment, a claim of each side. */
const leaveTraces = async (): Promise<void> => {
  const post = (status: number, path: string, body: object, { apiKey } = tenant): Promise<Answer> =>
    deployment.http.expect(status, { path, apiKey, body });
  for (const who of [ANN, BOB]) {
    const { full_name, date_of_birth } = who;
    await post(200, '/api/v1/compliance/sanctions', { full_name, date_of_birth });
    await post(200, '/api/v1/assess-risk', enquiry(who));
    await post(202, '/api/v1/claims', { ...enquiry(who), purpose: 'onboarding' }, other);
  }
  // Her name alone may be another person's.
  await post(200, '/api/v1/compliance/sanctions', { full_name: ANN.full_name });
  await post(202, '/api/v1/claims', { ...enquiry(ANN), purpose: 'reverification' });
  await post(201, '/api/v1/webhooks/endpoints', { url: 'http://127.0.0.1:4009/hook', events: ['report.completed'] });
  await eventually('both sides have their claims', async () => {
    const { claims } = await get200('/api/v1/claims?role=holder');
    return (claims as unknown[]).length === 2;
  });
};

describe('an export', () => {
  beforeAll(leaveTraces, 60_000);

  it('holds the records of the account, each file under its digest', async () => {
    const files = await unzip(await download(await exported()));
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as { files: { name: string; sha256: string }[] };
    expect(manifest.files.map(({ name }) => name)).toEqual(
      [...files.keys()].filter((name) => name !== 'manifest.json'),
    );
    for (const { name, sha256 } of manifest.files) {
      expect(
        createHash('sha256')
          .update(files.get(name) ?? '')
          .digest('hex'),
      ).toBe(sha256);
    }
    const identities = JSON.parse(files.get('identities.json') ?? '') as { email: string; full_name: string }[];
    expect(identities.map(({ email }) => email).sort()).toEqual([ANN.email, BOB.email].sort());
    const transactions = JSON.parse(files.get('transactions.json') ?? '') as { amount: number }[];
    const sum = transactions.reduce((balance, { amount }) => balance + amount, 0);
    expect(sum).toBe(await balanceOf(deployment.http, tenant));
    expect(JSON.parse(files.get('credentials.json') ?? '')).toEqual([]);
  });

  it('holds decisions, assessments, claims and endpoints as the API shows them, and no secret', async () => {
    const files = await unzip(await download(await exported()));
    const decisions = recordsOf(files, 'screening_decisions');
    expect(decisions.map(({ person: of }) => (of as { full_name: string }).full_name)).toEqual(
      [ANN, BOB, ANN].map(({ full_name }) => full_name),
    );
    for (const decision of decisions)
      expect(decision).toEqual(await get200(`/api/v1/compliance/decisions/${String(decision['decision_id'])}`));

    const charges = (await get200('/api/v1/compliance/audit-log?action=risk_assessment'))['logs'] as object[];
    expect(recordsOf(files, 'risk_assessments').reverse()).toEqual(
      charges.map((entry) => {
        const { id: assessment_id, timestamp, identity_hash, result, request_id } = entry as Record<string, unknown>;
        const expected = { assessment_id, assessed_at: timestamp, identity_hash, risk_level: result, request_id };
        return expect.objectContaining(expected) as unknown;
      }),
    );

    const claims = ['asker', 'holder'].map(async (role) => (await get200(`/api/v1/claims?role=${role}`))['claims']);
    const byId = (list: unknown): unknown[] =>
      (list as { claim_id: string }[]).sort((one, two) => one.claim_id.localeCompare(two.claim_id));
    expect(recordsOf(files, 'claims')).toEqual(byId((await Promise.all(claims)).flat()));

    const { endpoints } = await get200('/api/v1/webhooks/endpoints');
    // Whether an endpoint is verified is no record of the account.
    const kept = (endpoints as object[]).map((endpoint) => ({ ...endpoint, is_verified: undefined }));
    expect(recordsOf(files, 'webhook_endpoints')).toEqual(kept);
    expect([...files.values()].join()).not.toContain('whsec_');
  });

  it('is written by the command line too, the same sections, and recorded in the operators’ log', async () => {
    const api = await unzip(await download(await exported()));
    const out = join(folder, 'account.zip');
    const written = await runExport(deployment, 'account', '--tenant', tenant.tenantId, '--out', out, '--reveal');
    expect([written.status, written.lines]).toEqual([0, expect.arrayContaining(['identities.json: 2 records'])]);
    const own = await unzip(readFileSync(out));
    expect([...own.keys()]).toEqual([...api.keys()]);
    for (const [name, text] of api) {
      if (name === 'manifest.json') continue;
      // The download of the other file is logged behind its entries.
      if (name === 'audit_log.json') expect(own.get(name)).toContain(text.slice(0, -'\n]\n'.length));
      else expect([name, own.get(name)]).toEqual([name, text]);
    }
    const acts = (await deployment.log.stream('audit-operators')).map(({ data }) => data);
    expect(acts).toContainEqual(
      expect.objectContaining({ action: 'npm run export -- account --reveal', tenantId: tenant.tenantId }),
    );
  });

  it('is not written by the command line over a file, of a stranger, or without consent to show what it holds', async () => {
    const out = join(folder, 'taken.zip');
    writeFileSync(out, 'mine');
    const words = ['person', '--tenant', tenant.tenantId, '--identity', await idOf(BOB), '--reveal', '--out'];
    await expect(runExport(deployment, ...words, out)).rejects.toThrow('EEXIST');
    expect(readFileSync(out, 'utf8')).toBe('mine');
    words[2] = other.tenantId;
    const fresh = join(folder, 'fresh.zip');
    await expect(runExport(deployment, ...words, fresh)).rejects.toThrow('has no identity');
    const withoutReveal = await runExport(deployment, 'account', '--tenant', tenant.tenantId, '--out', fresh);
    expect([withoutReveal.status, withoutReveal.lines.join()]).toEqual([2, expect.stringContaining('--reveal')]);
    expect(existsSync(fresh)).toBe(false);
  });

  it('of one person holds nobody else, and is destroyed with that person', async () => {
    const identity_id = await idOf(ANN);
    const made = await exported({ identity_id });
    const files = await unzip(await download(made));
    const text = [...files.values()].join('\n');
    expect([text.includes(ANN.email), text.includes(BOB.email)]).toEqual([true, false]);
    const names = ['screening_decisions', 'risk_assessments', 'claims', 'webhook_endpoints', 'transactions'];
    expect(names.map((name) => recordsOf(files, name).length)).toEqual([1, 1, 2, 0, 0]);
    expect(recordsOf(files, 'risk_assessments')).toEqual([expect.objectContaining({ identity_id })]);
    const stranger = { path: '/api/v1/data-export', apiKey: other.apiKey, body: { identity_id } };
    expect((await deployment.http.send(stranger)).status).toBe(404);

    await deployment.http.expect(202, {
      method: 'DELETE',
      path: `/api/v1/identity/${identity_id}`,
      apiKey: tenant.apiKey,
    });
    const state = `/api/v1/data-export/${String(made.json['export_id'])}`;
    await eventually('the export has expired', async () => (await send({ path: state })).json['status'] === 'expired');
    expect((await visit(String(made.json['download_url']))).status).toBe(404);

    await eventually('the erasure is complete', async () => {
      const acts = await deployment.log.stream(`risk-${tenant.tenantId}_${identity_id.slice('idn_'.length)}`);
      return acts.some(({ type }) => type === 'RiskForgotten.v1');
    });
    const left = await unzip(await download(await exported()));
    expect(recordsOf(left, 'identities').map(({ email }) => email)).toEqual([BOB.email]);
    expect(recordsOf(left, 'risk_assessments')).toHaveLength(1);
    const about = ['identities', 'risk_assessments', 'claims'].map((name) => left.get(`${name}.json`));
    expect(about.join()).not.toContain(identity_id);
    expect(recordsOf(left, 'claims')).toHaveLength(3);
  });
});
