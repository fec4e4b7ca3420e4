import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ingestCommand } from '@kyc/tools/ingest/ingest';
import { recordRules } from '../../src/identity/http/record-rules.js';
import { Hold } from '../support/hold.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { enquiry, person, type Person } from '../support/load/people.js';
import { type Tenant } from '../support/load/tenants.js';
import { eventually } from '../support/stack.js';

let deployment: Deployment;
let tenant: Tenant;
let folder: string;
let lines: string[];

beforeAll(async () => {
  deployment = await Deployment.start({ env: LONG_STORE_BUDGET_MS });
  tenant = await deployment.operator.tenant({ credits: 1_000 });
}, 90_000);

afterAll(() => deployment.stop(), 30_000);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bulk-'));
  lines = [];
  writeFileSync(join(folder, 'key'), `${tenant.apiKey}\n`);
});

afterEach(() => rmSync(folder, { recursive: true }));

interface Loading {
  readonly url?: string;
  readonly signal?: AbortSignal;
  readonly concurrency?: number;
  readonly retryBudget?: number;
}

const load = (file: string, { url, concurrency, ...context }: Loading = {}): Promise<number> =>
  ingestCommand(
    [
      file,
      ...['--url', url ?? deployment.http.baseUrl],
      ...['--api-key-file', join(folder, 'key')],
      ...['--concurrency', String(concurrency ?? 2)],
    ],
    { dataDir: folder, rules: recordRules(), print: (line) => lines.push(line), ...context },
  );

const command = (...words: readonly string[]): Promise<number> =>
  ingestCommand(words, { dataDir: folder, rules: recordRules(), print: (line) => lines.push(line) });

interface Passing {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

interface Instead {
  readonly status: number;
  readonly body: string;
}

/** Stands before the service under a path of its own: delays requests, answers some instead, keeps what passed. */
class Front {
  readonly passed: Passing[] = [];

  private constructor(private readonly server: Server) {}

  static async start(before: (passing: Passing) => Promise<Instead | undefined> | Instead | undefined): Promise<Front> {
    const server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { method = '', url: path = '' } = request;
        const passing = { method, path, body: Buffer.concat(chunks).toString() };
        const instead = path.startsWith('/kyc/') ? await before(passing) : { status: 404, body: '<p>no such page</p>' };
        if (instead !== undefined) return void response.writeHead(instead.status).end(instead.body);
        front.passed.push(passing);
        const headers = ['x-api-key', 'content-type', 'idempotency-key'].flatMap((name) => {
          const value = request.headers[name];
          return typeof value === 'string' ? [[name, value] as const] : [];
        });
        const answered = await fetch(deployment.http.baseUrl + path.slice('/kyc'.length), {
          method,
          headers: Object.fromEntries(headers),
          ...(method === 'POST' ? { body: passing.body } : {}),
        });
        response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text());
      };
      answer().catch(() => response.destroy());
    });
    const front = new Front(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/kyc`;
  }

  get batches(): Passing[] {
    return this.passed.filter(({ method }) => method === 'POST');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const throughFront = async <T>(
  before: Parameters<typeof Front.start>[0],
  work: (front: Front) => Promise<T>,
): Promise<T> => {
  const front = await Front.start(before);
  try {
    return await work(front);
  } finally {
    await front.stop();
  }
};

const jsonLine = (who: Person, further: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ ...who, kyc_status: 'APPROVED', ...further });

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const eligibility = async (who: Person, apiKey = tenant.apiKey): Promise<Readonly<Record<string, unknown>>> =>
  (await deployment.http.expect(200, { path: '/api/v1/check-eligibility', body: enquiry(who), apiKey })).json;

const isFound = async (who: Person): Promise<unknown> => (await eligibility(who))['found'];

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
    expect(await load(file)).toBe(2);
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
    let posts = 0;
    const killed = new Hold();
    await throughFront(
      // The third batch is still on its way when the service dies.
      async ({ method }) => {
        if (method === 'POST' && (posts += 1) === 3) await killed.pass();
        return undefined;
      },
      async ({ url }) => {
        const first = load(file, { url, signal: interruption.signal });
        await killed.reached;
        await eventually('the first writings', async () => (await writings()).size > before.size + 50, 30_000);
        await deployment.instance(0).service.kill9();
        interruption.abort();
        killed.release();
        await deployment.restart(0);
        expect(await first).toBe(130);
      },
    );
    expect(lines.at(-1)).toMatch(/resumes the load/);
    expect(await load(file)).toBe(0);
    expect(lines).toContain('resuming where the last load broke off');
    const after = await writings();
    expect(after.size).toBe(before.size + crowd.length);
    const twice = [...after].filter(([stream, count]) => count > 1 && !before.has(stream));
    expect(twice).toEqual([]);
  }, 180_000);

  it('lets the last line of a person hold, however long an earlier batch takes to be accepted', async () => {
    const who = person(5_000);
    const between = Array.from({ length: 1_100 }, (_, index) => jsonLine(person(5_001 + index)));
    const text = [jsonLine(who, { tier: 'Tier1' }), ...between, jsonLine(who, { tier: 'Tier3' })].join('\n');
    let posts = 0;
    await throughFront(
      async ({ method }) => {
        if (method === 'POST' && (posts += 1) === 1) await sleep(4_000);
        return undefined;
      },
      async ({ url }) => expect(await load(fileOf('twice.ndjson', text), { url, concurrency: 4 })).toBe(0),
    );
    expect((await eligibility(who))['tier']).toBe('Tier3');
  }, 60_000);

  it('resumes in order: what was accepted before the interruption is not sent once more', async () => {
    const crowd = Array.from({ length: 1_200 }, (_, index) => jsonLine(person(7_000 + index)));
    const file = fileOf('interrupted.ndjson', crowd.join('\n'));
    const interruption = new AbortController();
    let posts = 0;
    await throughFront(
      ({ method }) => {
        if (method === 'POST' && (posts += 1) === 3) interruption.abort();
        return method === 'GET' || posts > 2 ? { status: 503, body: '{}' } : undefined;
      },
      async ({ url }) => expect(await load(file, { url, concurrency: 4, signal: interruption.signal })).toBe(130),
    );
    expect(lines.at(-1)).toMatch(/resumes the load/);
    await throughFront(
      () => undefined,
      async (front) => {
        expect(await load(file, { url: front.url })).toBe(0);
        expect(front.batches).toHaveLength(1);
      },
    );
    expect(await isFound(person(7_000))).toBe(true);
    expect(await isFound(person(8_199))).toBe(true);
  }, 60_000);

  it('resumes at no other account, since that one has none of the records', async () => {
    const crowd = Array.from({ length: 1_200 }, (_, index) => jsonLine(person(10_000 + index)));
    const file = fileOf('moved.ndjson', crowd.join('\n'));
    const interruption = new AbortController();
    let posts = 0;
    await throughFront(
      ({ method }) => {
        if (method === 'POST' && (posts += 1) === 3) interruption.abort();
        return posts > 2 ? { status: 503, body: '{}' } : undefined;
      },
      async ({ url }) => expect(await load(file, { url, signal: interruption.signal })).toBe(130),
    );
    const other = await deployment.operator.tenant({ credits: 1_000 });
    writeFileSync(join(folder, 'key'), other.apiKey);
    expect(await load(file)).toBe(3);
    expect(lines.at(-1)).toMatch(/another account or deployment.*delete .*moved\.ndjson\.progress/);
    rmSync(`${file}.progress`);
    expect(await load(file)).toBe(0);
    const { json } = await deployment.http.expect(200, {
      method: 'GET',
      path: '/api/v1/compliance/audit-log?limit=1&action=data_ingested',
      apiKey: other.apiKey,
    });
    expect(json['pagination']).toMatchObject({ total: 1_200 });
  }, 60_000);

  it('tells files of one name, size and time apart, and takes the same file again', async () => {
    const [one, other] = ['Tier1', 'Tier3'].map((tier) => {
      mkdirSync(join(folder, tier));
      const file = fileOf(`${tier}/day.ndjson`, jsonLine(person(3_000), { tier }));
      utimesSync(file, 1_700_000_000, 1_700_000_000);
      return file;
    });
    if (one === undefined || other === undefined) throw new Error('there are two files');
    for (const [file, tier] of [
      [one, 'Tier1'],
      [other, 'Tier3'],
      [one, 'Tier1'],
    ] as const) {
      expect(await load(file)).toBe(0);
      expect((await eligibility(person(3_000)))['tier']).toBe(tier);
    }
  }, 60_000);

  it('rejects, of a batch that is refused whole, only the lines that are to blame', async () => {
    const text = Array.from({ length: 200 }, (_, index) => jsonLine(person(12_000 + index)));
    text[70] = jsonLine(person(12_070), { full_name: 'POISON' });
    text[71] = jsonLine(person(12_071), { full_name: 'TOO LARGE' });
    text[150] = jsonLine(person(12_150), { full_name: 'x'.repeat(1_100_000) });
    const file = fileOf('poison.ndjson', text.join('\n'));
    const invalid = { error_code: 'INVALID_JSON', detail: 'The body is not valid JSON' };
    await throughFront(
      ({ body }) => {
        if (body.includes('POISON')) return { status: 400, body: JSON.stringify(invalid) };
        return body.includes('TOO LARGE') ? { status: 413, body: '<p>too large</p>' } : undefined;
      },
      async ({ url }) => expect(await load(file, { url })).toBe(1),
    );
    const found = rejected(file).sort((one, another) => one.line - another.line);
    expect(found.map(({ line, code }) => [line, code])).toEqual([
      [71, 'INVALID_JSON'],
      [72, 'PAYLOAD_TOO_LARGE'],
      [151, 'PAYLOAD_TOO_LARGE'],
    ]);
    for (const number of [12_069, 12_072, 12_199]) expect(await isFound(person(number))).toBe(true);
    expect(existsSync(`${file}.progress`)).toBe(false);
  }, 60_000);

  it('takes a reused idempotency key for a fault of the load, and rejects no line for it', async () => {
    const file = fileOf('reused.ndjson', jsonLine(person(13_000)));
    const body = JSON.stringify({ error_code: 'IDEMPOTENCY_MISMATCH', detail: 'The key was used for another body' });
    await throughFront(
      () => ({ status: 422, body }),
      async ({ url }) => expect(await load(file, { url })).toBe(3),
    );
    expect(lines.at(-1)).toMatch(/422 IDEMPOTENCY_MISMATCH/);
    expect(existsSync(`${file}.rejected`)).toBe(false);
  }, 60_000);

  it('says soon that the service does not answer, and gives up with what to do', async () => {
    const file = fileOf('nobody.ndjson', jsonLine(person(14_000)));
    const stopped = await throughFront(
      () => undefined,
      async ({ url }) => {
        expect(await load(file, { url: new URL('/elsewhere', url).href })).toBe(3);
        expect(lines.at(-1)).toMatch(/elsewhere.* answered 404.*not this service/);
        return url;
      },
    );
    lines = [];
    expect(await load(file, { url: stopped, retryBudget: 2_500 })).toBe(3);
    expect(lines).toEqual([
      expect.stringMatching(/\/kyc does not answer \(ECONNREFUSED\); it is tried again/),
      expect.stringMatching(/did not answer for .*--url.*the same command/),
    ]);
    expect(await load(file)).toBe(0);
  }, 60_000);

  it('says what is wrong with its use, its file or its key', async () => {
    expect(await command()).toBe(2);
    expect(await load('people.csv', { concurrency: 0 })).toBe(2);
    expect(lines.join('\n')).toContain('It takes a whole number above 0');
    expect(await command('a.csv', '--map', 'Name=ful_name')).toBe(2);
    expect(lines.join('\n')).toContain('A record has no field ful_name. Did you mean full_name?');
    expect(await command('a.csv', '--date-format', 'DD.MM.YY')).toBe(2);
    expect(await load(join(folder, 'absent.ndjson'))).toBe(2);
    expect(lines.at(-1)).toMatch(/absent\.ndjson: there is no such file$/);
    expect(await load(join(folder, 'absent.csv'))).toBe(2);
    expect(lines.at(-1)).toMatch(/absent\.csv: there is no such file$/);
    mkdirSync(join(folder, 'folder.csv'));
    expect(await load(join(folder, 'folder.csv'))).toBe(2);
    expect(lines.at(-1)).toMatch(/folder\.csv: it is a folder, not a file$/);
    expect(lines.join('\n')).not.toMatch(/ENOENT|EISDIR/);
    expect(await load(fileOf('people.xml', ''))).toBe(2);
    writeFileSync(join(folder, 'key'), 'kyc_sandbox_wrong');
    expect(await load(fileOf('one.ndjson', JSON.stringify({ ...person(1), kyc_status: 'APPROVED' })))).toBe(3);
    expect(lines.at(-1)).toMatch(/403 INVALID_API_KEY/);
  }, 60_000);
});
