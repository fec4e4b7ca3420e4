import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestCommand } from '../../src/cli/ingest/ingest.js';
import { Deployment } from '../support/load/deployment.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

let deployment: Deployment;
let tenant: Tenant;
let folder: string;
let lines: string[];

beforeAll(async () => {
  deployment = await Deployment.start();
  tenant = await deployment.operator.tenant({ credits: 1_000 });
}, 90_000);

afterAll(() => deployment.stop(), 30_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulk-'));
  lines = [];
  writeFileSync(join(folder, 'key'), `${tenant.apiKey}\n`);
});

afterEach(() => rmSync(folder, { recursive: true }));

const load = (file: string, signal?: AbortSignal): Promise<number> =>
  ingestCommand([file, '--url', deployment.http.baseUrl, '--api-key-file', join(folder, 'key'), '--concurrency', '2'], {
    dataDir: folder,
    print: (line) => lines.push(line),
    ...(signal === undefined ? {} : { signal }),
  });

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const isFound = async (who: Person): Promise<unknown> =>
  (
    await deployment.http.expect(200, {
      path: '/api/v1/check-eligibility',
      body: enquiry(who),
      apiKey: tenant.apiKey,
    })
  ).json['found'];

const rejected = (file: string): { line: number; code: string; source: unknown }[] =>
  readFileSync(`${file}.rejected`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; code: string; source: unknown });

/** How often each identity of the tenant was written. */
const writings = async (): Promise<Map<string, number>> => {
  const counts = new Map<string, number>();
  for await (const { stream, type } of deployment.log.everything()) {
    if (!stream.startsWith(`identity-${tenant.tenantId}_`)) continue;
    if (type === 'IdentityIngested.v1' || type === 'IdentityUpdated.v1')
      counts.set(stream, (counts.get(stream) ?? 0) + 1);
  }
  return counts;
};

describe('npm run ingest', () => {
  it('loads a file of JSON lines and says which lines were rejected, and why', async () => {
    const crowd = Array.from({ length: 30 }, (_, index) => person(index));
    const text = crowd.map((who) => JSON.stringify({ ...who, kyc_status: 'APPROVED' }));
    text.splice(3, 0, 'no json', '', JSON.stringify({ ...person(99), kyc_status: 'MAYBE' }));
    const file = fileOf('people.ndjson', text.join('\n'));
    expect(await load(file)).toBe(1);
    expect(rejected(file)).toEqual([
      { line: 4, code: 'UNREADABLE', detail: expect.any(String) as string, source: 'no json' },
      { line: 6, code: 'INVALID_FIELD', detail: expect.stringContaining('kyc_status') as string, source: text[5] },
    ]);
    for (const who of [crowd[0], crowd[3], crowd[29]]) expect(who && (await isFound(who))).toBe(true);
  }, 60_000);

  it('loads a CSV, where an empty cell is an absent field', async () => {
    const who = person(200);
    const extra = '"{""branch"": 7}"';
    const file = fileOf(
      'people.csv',
      `email,phone_number,full_name,date_of_birth,kyc_status,tier,extra_data\n` +
        `${who.email},${who.phone_number},"Doe, Jane",,APPROVED,Tier3,${extra}\n`,
    );
    expect(await load(file)).toBe(0);
    const { json } = await deployment.http.expect(200, {
      path: '/api/v1/check-eligibility',
      body: enquiry(who),
      apiKey: tenant.apiKey,
    });
    expect(json['tier']).toBe('Tier3');
  }, 60_000);

  it('rejects every line of a batch without a valid record', async () => {
    const file = fileOf('bad.ndjson', Array.from({ length: 120 }, () => '{"email": "x"}').join('\n'));
    expect(await load(file)).toBe(1);
    expect(rejected(file)).toHaveLength(120);
  }, 60_000);

  it('resumes an interrupted load through a kill -9 of the service, and writes each identity once', async () => {
    const crowd = Array.from({ length: 1_600 }, (_, index) => person(1_000 + index));
    const file = fileOf(
      'many.ndjson',
      crowd.map((who) => JSON.stringify({ ...who, kyc_status: 'APPROVED' })).join('\n'),
    );
    const before = await writings();
    const interruption = new AbortController();
    const first = load(file, interruption.signal);
    await eventually('the first writings', async () => (await writings()).size > before.size + 50, 30_000);
    await deployment.instance(0).service.kill9();
    interruption.abort();
    await deployment.restart(0);
    expect(await first).toBe(1);
    expect(lines.at(-1)).toMatch(/resumes the load/);
    expect(await load(file)).toBe(0);
    expect(lines).toContain('resuming where the last load broke off');
    const after = await writings();
    expect(after.size).toBe(before.size + crowd.length);
    const twice = [...after].filter(([stream, count]) => count > 1 && !before.has(stream));
    expect(twice).toEqual([]);
  }, 180_000);

  it('says what is wrong with its use, its file or its key', async () => {
    expect(await ingestCommand([], { dataDir: folder, print: (line) => lines.push(line) })).toBe(2);
    expect(await load(join(folder, 'absent.ndjson'))).toBe(1);
    expect(await load(fileOf('people.xml', ''))).toBe(1);
    writeFileSync(join(folder, 'key'), 'kyc_sandbox_wrong');
    expect(await load(fileOf('one.ndjson', JSON.stringify({ ...person(1), kyc_status: 'APPROVED' })))).toBe(1);
    expect(lines.at(-1)).toMatch(/403 INVALID_API_KEY/);
  }, 60_000);
});
