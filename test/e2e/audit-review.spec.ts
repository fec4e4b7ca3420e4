import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseVerifierKey } from '@kyc/log-proofs/checkpoint';
import { verifyProof } from '@kyc/log-proofs/proof-file';
import { verifyAnswer } from '@kyc/log-proofs/proven-answer';
import { issue, issuerTokenFor, type Issued, verify } from '../support/credentials.js';
import { type Answer, type Http } from '../support/load/http.js';
import { enquiry, type Person, person } from '../support/load/people.js';
import { ingestAll, type Tenant, tokenFor } from '../support/load/tenants.js';
import { builtPackage } from '../support/built.js';
import { runAudit } from '../support/audit-command.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { eventually } from '../support/stack.js';
import { unzip } from '../support/unzip.js';

const SUBJECT: Person = person(8_101);
const OTHER: Person = person(8_102);

let deployment: SharedDeployment;
let http: Http;
let tenant: Tenant;
let stranger: Tenant;
let identityId: string;
let credential: Issued;
let checked: Answer;
let beforeCheck: Date;

const audit = (...words: string[]) => runAudit(deployment, ...words);
const check = (who: Person, { apiKey }: Tenant): Promise<Answer> =>
  http.expect(200, { path: '/api/v1/check-eligibility', apiKey, body: enquiry(who) });
const requestIdOf = (answer: Answer): string => answer.header('x-request-id') ?? '';

const idOf = async (who: Person): Promise<string> => {
  const path = `/api/v1/identities?${new URLSearchParams(enquiry(who)).toString()}`;
  const { json } = await http.expect(200, { path, apiKey: tenant.apiKey });
  return (json['identities'] as { identity_id: string }[])[0]?.identity_id ?? '';
};

beforeAll(async () => {
  deployment = await SharedDeployment.take('quick');
  ({ http } = deployment);
  [tenant, stranger] = [
    await deployment.operator.tenant({ credits: 100 }),
    await deployment.operator.tenant({ credits: 100 }),
  ];
  await ingestAll(http, tenant, [SUBJECT, OTHER]);
  identityId = await idOf(SUBJECT);
  beforeCheck = new Date();
  checked = await check(SUBJECT, stranger);
  await check(OTHER, stranger);
  const bearer = await issuerTokenFor(http, tenant);
  credential = await issue(http, { ...tenant, bearer }, SUBJECT);
  await verify(http, tenant, credential.token, credential.publicKey);
  const jti = encodeURIComponent(credential.jti);
  await http.expect(200, {
    path: `/api/v1/credentials/${jti}/revoke`,
    apiKey: tenant.apiKey,
    body: { reason: 'Lost phone' },
  });
}, 120_000);
afterAll(() => deployment.leave(), 60_000);

describe('a replay of the log', () => {
  it('tells everything that a request caused', async () => {
    const { json } = await audit('replay', '--request', requestIdOf(checked), '--format', 'json');
    expect(json.map(({ event_type: type, stream }) => [type, stream])).toEqual([
      ['OperationCharged.v1', `credits-${stranger.tenantId}`],
    ]);
  });

  it('tells everything that touched an identity, other accounts and sealed audit entries included', async () => {
    const { json } = await audit('replay', '--identity', identityId, '--format', 'json');
    const types = json.map(({ event_type: type }) => type);
    expect(types).toEqual(
      expect.arrayContaining([
        'IngestionAccepted.v1',
        'IdentityIngested.v1',
        'CredentialIssued.v1',
        'CredentialRevoked.v1',
      ]),
    );
    const requests = json.map(({ request_id: id }) => id);
    expect(requests).toContain(requestIdOf(checked));
    // The stranger's other check was of another person.
    expect(json.filter(({ stream }) => stream === `credits-${stranger.tenantId}`)).toHaveLength(1);
  });

  it('shows personal fields where they are to be revealed, and writes every read to the operators’ log', async () => {
    const words = ['replay', '--tenant', stranger.tenantId, '--format', 'json'];
    const hidden = (await audit(...words)).lines.join('\n');
    const { json } = await audit(...words, '--reveal');
    const revealed = json.find(({ request_id: id }) => id === requestIdOf(checked));
    const answered = { tier: checked.json['tier'], last_verified_at: checked.json['last_verified_at'] };
    expect(revealed).toMatchObject({
      metadata: { ip_address: '127.0.0.1', result: 'found' },
      data: { access: { answered } },
    });
    expect(answered).toEqual({
      tier: expect.stringMatching(/^Tier/) as string,
      last_verified_at: expect.any(String) as string,
    });
    expect(hidden).not.toContain('127.0.0.1');
    const acts = await deployment.log.stream('audit-operators');
    const actions = acts.map(({ data }) => (data as { action: string }).action);
    expect(actions).toEqual(expect.arrayContaining(['npm run audit -- replay', 'npm run audit -- replay --reveal']));
  });

  it('is streamed to role security over HTTP, the same lines', async () => {
    const token = await tokenFor(http, { roles: ['security'] });
    const query = new URLSearchParams({ credential_id: credential.jti });
    const answer = await http.expect(200, { path: `/admin/audit/replay?${query.toString()}`, token });
    expect(answer.header('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const { lines } = await audit('replay', '--credential', credential.jti, '--format', 'json');
    expect(answer.text.trimEnd().split('\n')).toEqual(lines);
    // What paid for it, its issuance, the settlement and its revocation.
    expect(lines).toHaveLength(4);
    const csv = await http.expect(200, {
      path: `/admin/audit/replay?format=csv&tenant_id=${stranger.tenantId}`,
      token,
    });
    expect(csv.text).toMatch(/^position,stream,revision,/);
  });
});

describe('who had access to a person', () => {
  const words = ['accesses', '--email', SUBJECT.email, '--phone', SUBJECT.phone_number];
  /** Others of the shared deployment have asked too. */
  const acts = async () =>
    (await deployment.log.stream('audit-operators')).filter(
      ({ data }) => (data as { action: string }).action === 'npm run audit -- accesses',
    );

  it('is told in sentences, of every account, and recorded with its reason', async () => {
    const before = await acts();
    const { status, lines } = await audit(...words, '--justification', 'Asked by the person');
    expect(status).toBe(0);
    const accountLines = lines.filter((line) => line.includes(`(${stranger.tenantId})`));
    expect(accountLines).toEqual([
      expect.stringMatching(
        /asked whether the person is known\. Answer: found, tier Tier\d, .*By API key \w{8} from 127/,
      ),
    ]);
    expect(lines.join('\n')).toMatch(/had a credential issued[^]*revoked a credential/);
    expect(lines.join('\n')).not.toContain(OTHER.email);
    const after = await acts();
    expect(after).toHaveLength(before.length + 1);
    expect(JSON.stringify(after.map(({ data }) => data))).not.toContain(SUBJECT.email);
    const { json } = await audit(...words, '--justification', 'x', '--format', 'json', '--to', '2020-01-01');
    expect(json).toEqual([]);
  });

  it.each([
    [words, '--justification'],
    [['accesses', '--email', 'nobody', '--phone', SUBJECT.phone_number, '--justification', 'x'], 'e-mail address'],
    [['accesses', '--email', SUBJECT.email, '--phone', '555', '--justification', 'x'], 'E.164'],
  ])('is not told without a person and a reason: %j', async (line, named) => {
    const { status, lines } = await audit(...line);
    expect([status, lines.join(' ')]).toEqual([2, expect.stringContaining(named)]);
  });
});

describe('a page with proofs', () => {
  it('carries the proof of every entry and transaction, which verifies without us', async () => {
    const [{ json: published }, { apiKey }] = [await http.expect(200, { path: '/transparency/keys' }), stranger];
    const keys = (published['keys'] as string[]).map(parseVerifierKey);
    for (const [path, list] of [
      ['/api/v1/compliance/audit-log?limit=2&proof=true', 'logs'],
      ['/billing/transactions?limit=2&proof=true', 'transactions'],
    ] as const) {
      const page = async () => (await http.expect(200, { path, apiKey })).json[list] as { proof: object | null }[];
      await eventually('signed entries', async () => (await page()).every(({ proof }) => proof !== null), 60_000);
      const events = (await page()).map(({ proof }) => verifyProof(proof, keys).event);
      expect(events.map(({ stream, type }) => [stream, type])).toEqual([
        [`credits-${stranger.tenantId}`, 'OperationCharged.v1'],
        [`credits-${stranger.tenantId}`, 'OperationCharged.v1'],
      ]);
    }
    const many = await http.send({ path: '/api/v1/compliance/audit-log?proof=true&limit=101', apiKey });
    expect([many.status, many.code]).toEqual([422, 'INVALID_FIELD']);
    const table = { path: '/api/v1/compliance/audit-log?proof=true', apiKey, headers: { Accept: 'text/csv' } };
    expect((await http.send(table)).json['errors']).toMatchObject([{ field: 'proof', code: 'INVALID_FIELD' }]);
  });

  it('proves each entry of a batch by the event that they share, with its place in it', async () => {
    const { apiKey } = tenant;
    const records = [8_103, 8_104, 8_105].map((number) => ({ ...person(number), kyc_status: 'APPROVED' }));
    const accepted = await http.expect(202, { path: '/api/v1/ingest/batch', apiKey, body: { records } });
    const { json: published } = await http.expect(200, { path: '/transparency/keys' });
    const keys = (published['keys'] as string[]).map(parseVerifierKey);
    const path = `/api/v1/compliance/audit-log?proof=true&request_id=${requestIdOf(accepted)}`;
    const logs = async () =>
      (await http.expect(200, { path, apiKey })).json['logs'] as { proof: object | null; proof_entry: number }[];
    await eventually('signed entries', async () => (await logs()).every(({ proof }) => proof !== null), 60_000);
    const proven = (await logs()).map((entry) => verifyAnswer(entry, keys));
    expect(proven.map(({ entry }) => entry)).toEqual([2, 1, 0].map((index) => ({ index, of: 3 })));
    expect(new Set(proven.map(({ event }) => event.id)).size).toBe(1);
  });
});

describe('an evidence bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kyc-bundle-'));
  const keys = join(folder, 'own-keys.json');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const verifier = (...words: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [builtPackage('log-proofs', 'main.js'), ...words], {
      encoding: 'utf8',
    });
    return [status, stdout];
  };

  const unpacked = async (out: string): Promise<string> => {
    const into = `${out}.d`;
    mkdirSync(into);
    for (const [name, bytes] of await unzip(readFileSync(out))) writeFileSync(join(into, name), bytes);
    return into;
  };

  it('is verified by a stranger with the verifier alone, which names what was altered', async () => {
    writeFileSync(keys, (await http.expect(200, { path: '/transparency/keys' })).text);
    const out = join(folder, 'evidence.zip');
    const words = ['bundle', '--tenant', tenant.tenantId, '--from', '2020-01-01', '--to', '2099-01-01', '--out', out];
    const lines = await eventually('a checkpoint of all events', async () => {
      const made = await audit(...words);
      return made.status === 0 && made.lines;
    });
    expect(lines[0]).toMatch(/: [1-9][0-9]* events, proven under/);
    const into = await unpacked(out);
    expect(verifier('bundle', into, '--keys', keys)).toEqual([
      0,
      expect.stringContaining(`events of ${tenant.tenantId}`),
    ]);
    expect(verifier('bundle', into)).toEqual([3, expect.stringContaining('NOT proven')]);
    const all = readFileSync(join(into, 'entries.ndjson'), 'utf8');
    expect(all).not.toContain(SUBJECT.full_name);
    expect(all).toContain('CredentialRevoked.v1');
    const manifest = JSON.parse(readFileSync(join(into, 'manifest.json'), 'utf8')) as {
      files: Record<string, string>;
      streams: Record<string, object>;
    };
    expect(spawnSync(process.execPath, ['verify.mjs', 'bundle', '.', '--keys', keys], { cwd: into }).status).toBe(0);
    const cut = join(folder, 'cut');
    cpSync(into, cut, { recursive: true });
    for (const name of ['events.ndjson', 'entries.ndjson']) {
      const kept = readFileSync(join(cut, name), 'utf8')
        .split('\n')
        .filter((line) => !line.includes(`"stream":"credits-`));
      writeFileSync(join(cut, name), kept.join('\n'));
    }
    const digest = (name: string): string =>
      createHash('sha256')
        .update(readFileSync(join(cut, name)))
        .digest('hex');
    const files = Object.fromEntries(Object.keys(manifest.files).map((name) => [name, digest(name)]));
    const events = readFileSync(join(cut, 'events.ndjson'), 'utf8').trim().split('\n').length;
    expect(verifier('bundle', cut)).toEqual([
      1,
      expect.stringMatching(/credits-\S+ was signed with [1-9]\d* events, and 0 are/),
    ]);
    const kept = Object.entries(manifest.streams).filter(([name]) => !name.startsWith('credits-'));
    writeFileSync(
      join(cut, 'manifest.json'),
      JSON.stringify({ ...manifest, events, streams: Object.fromEntries(kept), files }, null, 2),
    );
    expect(verifier('bundle', cut)).toEqual([
      1,
      expect.stringContaining('manifest.json is not the one that was signed'),
    ]);
    writeFileSync(join(into, 'README.md'), 'All is well.');
    expect(verifier('bundle', into)).toEqual([1, expect.stringContaining('README.md is not the file')]);
    const alter = (name: string, change: (text: string) => string): void => {
      const text = change(readFileSync(join(into, name), 'utf8'));
      writeFileSync(join(into, name), text);
      manifest.files[name] = createHash('sha256').update(text).digest('hex');
      writeFileSync(join(into, 'manifest.json'), JSON.stringify(manifest));
    };
    alter('entries.ndjson', (text) => text.replace('CredentialRevoked.v1', 'CredentialReturned.v1'));
    expect(verifier('bundle', into, '--keys', keys)).toEqual([
      1,
      expect.stringContaining('says something else of event'),
    ]);
    alter('entries.ndjson', (text) => text.split('\n').toSpliced(1, 1).join('\n'));
    alter('events.ndjson', (text) => text.split('\n').toSpliced(1, 1).join('\n'));
    expect(verifier('bundle', into)).toEqual([1, expect.stringMatching(/NOT PROVEN: .*(left out|something else)/)]);
    expect(verifier('bundle')).toEqual([2, expect.stringContaining('kyc-log-proofs')]);
  });
});

describe('a state as of a time', () => {
  it('tells why a balance was what it was, debit by debit', async () => {
    const now = new Date().toISOString();
    const { json } = await audit('as-of', now, 'balance', stranger.tenantId, '--format', 'json');
    const movements = json.slice(0, -1).map(({ amount, balance, operation }) => [amount, balance, operation]);
    expect(movements).toEqual([
      [100, 100, null],
      [-1, 99, 'check_eligibility'],
      [-1, 98, 'check_eligibility'],
    ]);
    expect(json.at(-1)).toMatchObject({ balance: 98, movements: 3, held: [] });
    const earlier = await audit('as-of', beforeCheck.toISOString(), 'balance', stranger.tenantId);
    expect(earlier.lines.at(-1)).toMatch(/^The balance at .* is 100, after 1 movements/);
    const none = await audit('as-of', '2020-01-01', 'balance', stranger.tenantId);
    expect([none.status, none.lines.join()]).toEqual([1, expect.stringContaining('begins at')]);
  });

  it('folds an identity and a credential, and reveals persons only where asked', async () => {
    const now = new Date().toISOString();
    const identity = ['as-of', now, 'identity', identityId, '--tenant', tenant.tenantId];
    const hidden = (await audit(...identity)).lines.join('\n');
    expect(hidden).toContain('"phase": "active"');
    expect(hidden).not.toContain(SUBJECT.full_name);
    expect((await audit(...identity, '--reveal')).lines.join('\n')).toContain(SUBJECT.full_name);
    const words = ['as-of', now, 'credential', credential.jti, '--tenant', tenant.tenantId, '--format', 'json'];
    expect((await audit(...words)).json.at(-1)).toMatchObject({ state: { revokedBy: 'issuer' } });
    expect((await audit(...words, '--reveal')).lines.join('\n')).toContain('Lost phone');
  });

  it('says what it takes', async () => {
    const asOf = async (...words: string[]) => (await audit('as-of', ...words)).lines.join('\n');
    expect(await asOf('yesterday', 'balance', tenant.tenantId)).toContain('YYYY-MM-DD');
    expect(await asOf('2026-11-01', 'balance', 't1')).toContain('It takes the id of an account');
    expect(await asOf('2026-11-01', 'identity', identityId)).toContain('takes --tenant');
    expect(await asOf('2026-11-01', 'stream', `audit-${tenant.tenantId}`)).toContain('has no state to fold');
  });
});
