import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestCommand } from '@kyc/tools/ingest/ingest';
import { recordRules } from '../../src/identity/http/record-rules.js';
import { applicationOf, issuerTokenFor, type IssuingTenant } from '../support/credentials.js';
import { type Answer, type Call, type Http } from '../support/load/http.js';
import { enquiry, person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf } from '../support/load/tenants.js';

/** Texts without a letter that anybody or anything could read: no list can be searched for them. */
const UNREADABLE: readonly (readonly [string, string])[] = [
  ['two blanks of no width', '\u200b\u200b'],
  ['a Braille blank', '\u2800'],
  ['a Hangul filler, which Unicode calls a letter', '\u3164'],
  ['fillers of single Hangul letters', '\u115f\u1160'],
  ['a half-width filler', '\uffa0'],
  ['dashes', '---'],
  ['marks of punctuation', '?!.'],
  ['a lone accent', '\u0301'],
  ['the sign that stretches Arabic words', '\u0640\u0640'],
  ['the sign that lengthens a Japanese vowel', '\u30fc'],
  ['a picture', '\u{1f600}'],
  ['digits', '12345'],
  ['digits in circles', '\u2460\u2461'],
  ['Arabic digits', '\u0663\u0664'],
  ['a character for private use', '\ue000'],
  ['vowels that Khmer leaves out', '\u17b4\u17b5'],
  ['language tags', '\u{e0041}\u{e0042}'],
  ['characters that join and separate nothing', '\u200d\u2060\ufeff'],
];

let deployment: SharedDeployment;
let http: Http;
let tenant: IssuingTenant;
let people = 78_000;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  ({ http } = deployment);
  const account = await deployment.operator.tenant({ credits: 10_000 });
  tenant = { ...account, bearer: await issuerTokenFor(http, account) };
}, 90_000);

afterAll(() => deployment.leave(), 60_000);

/** A record of somebody new, with this name. */
const recordOf = (full_name: string) => ({ ...person((people += 1)), full_name, kyc_status: 'APPROVED' });

const DOORS: readonly (readonly [string, (full_name: string) => Call])[] = [
  [
    'POST /api/v1/ingest',
    (full_name) => ({ path: '/api/v1/ingest', apiKey: tenant.apiKey, body: recordOf(full_name) }),
  ],
  [
    'POST /api/v1/ingest/batch',
    (full_name) => ({
      path: '/api/v1/ingest/batch',
      apiKey: tenant.apiKey,
      body: { records: [recordOf(full_name), recordOf(full_name)] },
    }),
  ],
  [
    'POST /api/v1/issue',
    (full_name) => ({
      path: '/api/v1/issue',
      token: tenant.bearer,
      body: { ...applicationOf(person((people += 1))), full_name },
    }),
  ],
  [
    'POST /api/v1/assess-risk',
    (full_name) => ({
      path: '/api/v1/assess-risk',
      apiKey: tenant.apiKey,
      body: { ...enquiry(person((people += 1))), full_name },
    }),
  ],
  [
    'POST /api/v1/compliance/sanctions',
    (full_name) => ({ path: '/api/v1/compliance/sanctions', apiKey: tenant.apiKey, body: { full_name } }),
  ],
  [
    'POST /api/v1/compliance/pep',
    (full_name) => ({ path: '/api/v1/compliance/pep', apiKey: tenant.apiKey, body: { full_name } }),
  ],
];

const fieldsOf = ({ json }: Answer): unknown[] =>
  ((json['errors'] ?? []) as { field: string; code: string }[]).map(({ field, code }) => [
    field.replace(/^records\[\d\]\./, ''),
    code,
  ]);

describe.each(DOORS)('%s', (_, callWith) => {
  it.each(UNREADABLE)('refuses as a name %s, by its field and free of charge', async (_name, text) => {
    const before = await balanceOf(http, tenant);
    const answer = await http.send(callWith(text));
    expect([answer.status, answer.code]).toEqual([422, 'INVALID_FIELD']);
    expect(new Set(fieldsOf(answer).map(String))).toEqual(new Set(['full_name,INVALID_FIELD']));
    expect(await balanceOf(http, tenant)).toBe(before);
  });

  it('takes names of one letter, of any script, and with digits beside letters', async () => {
    for (const name of ['\u00d3', '\u738b', '\u041b\u0438', '\u0639\u0645\u0631', "O'", 'Pak 2', '\u200bAnn']) {
      const answer = await http.send(callWith(name));
      // Nobody attests these persons, so that issuing ends otherwise.
      expect([name, answer.code === 'INVALID_FIELD', answer.status === 500]).toEqual([name, false, false]);
    }
  });
});

describe('a batch', () => {
  it('takes its readable names, and tells of the others', async () => {
    const records = [recordOf('\u3164'), recordOf('Ada Readable'), recordOf('---')];
    const { json } = await http.expect(202, { path: '/api/v1/ingest/batch', apiKey: tenant.apiKey, body: { records } });
    const path = `/api/v1/ingest/${String(json['batch_id'])}`;
    const status = (await http.expect(200, { path, apiKey: tenant.apiKey })).json;
    expect(status['errors']).toMatchObject([
      { record_index: 0, code: 'INVALID_FIELD', detail: expect.stringContaining('full_name') },
      { record_index: 2, code: 'INVALID_FIELD', detail: expect.stringContaining('full_name') },
    ]);
  });
});

describe('npm run ingest', () => {
  it.each([
    ['with --dry-run', ['--dry-run'], '.dry-run.rejected'],
    ['as a load', [], '.rejected'],
  ] as const)('rejects lines with such a name, %s', async (_how, words, ending) => {
    const folder = mkdtempSync(join(tmpdir(), 'names-'));
    try {
      const file = join(folder, 'people.ndjson');
      const names = ['Ada Readable', ...UNREADABLE.map(([, text]) => text)];
      writeFileSync(file, names.map((name) => JSON.stringify(recordOf(name))).join('\n'));
      writeFileSync(join(folder, 'key'), tenant.apiKey);
      const context = { dataDir: folder, rules: recordRules(), print: () => undefined };
      const options = words.length > 0 ? words : ['--url', http.baseUrl, '--api-key-file', join(folder, 'key')];
      expect(await ingestCommand([file, ...options], context)).toBe(1);
      const rejected = readFileSync(`${file}${ending}`, 'utf8').trim().split('\n');
      expect(rejected.map((line) => (JSON.parse(line) as { line: number; code: string }).line)).toEqual(
        UNREADABLE.map((_name, index) => index + 2),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
