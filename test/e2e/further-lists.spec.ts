import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FTM_OFFICES, FTM_WATCHED, SECO_XML, UK_XML } from '../support/lists/further-list-texts.js';
import { Deployment } from '../support/load/deployment.js';
import { type Answer, type Http, type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { type Ran, runCommand } from '../support/service-command.js';
import { eventually } from '../support/stack.js';

const REQUIRED = ['OFAC_SDN', 'EU_CONSOLIDATED', 'UN_SECURITY_COUNCIL'];

let deployment: Deployment;
let http: Http;
let tenant: Tenant;
let folder: string;

const command = (...words: string[]): Promise<Ran> =>
  runCommand(words, { ...deployment.env, DATABASE_URL: deployment.databaseUrl });

const importList = async (list: string, text: string, ...words: string[]): Promise<Ran> => {
  const path = join(folder, `${list}.txt`);
  await writeFile(path, text);
  return command('screening', 'import', list, path, '--operator', 'vera', '--justification', 'For trial', ...words);
};

const check = (kind: 'sanctions' | 'pep', body: object): Promise<Answer> =>
  http.send({ path: `/api/v1/compliance/${kind}`, apiKey: tenant.apiKey, body });
const listsOf = async (): Promise<Json[]> =>
  (await http.expect(200, { path: '/api/v1/compliance/lists', apiKey: tenant.apiKey })).json['lists'] as Json[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kyc-lists-'));
  deployment = await Deployment.start();
  ({ http } = deployment);
  tenant = await deployment.operator.tenant({ credits: 1_000 });
  await ingestAll(http, tenant, [
    { ...person(94_000), full_name: 'Petra Officeholderova' },
    { ...person(94_001), full_name: 'Wanda Watchedova' },
  ]);
  for (const [list, text, ...words] of [
    ['UK_SANCTIONS', UK_XML],
    ['CH_SECO', SECO_XML],
    ['OWN_WATCH', FTM_WATCHED, '--format', 'ftm'],
    ['OWN_PEPS', FTM_OFFICES, '--format', 'ftm', '--kind', 'pep'],
  ] as const) {
    const { status, output } = await importList(list, text, ...words);
    expect([status, output]).toEqual([0, expect.stringContaining('is in force')]);
  }
  await eventually('all lists', async () => {
    const { json } = await check('sanctions', { full_name: 'Nemo' });
    return (json['checked_lists'] as string[]).length === 6;
  });
}, 120_000);

afterAll(async () => {
  await deployment.stop();
  await rm(folder, { recursive: true, force: true });
});

it('shows each list with its kind, version, age and size', async () => {
  const lists = await listsOf();
  expect(lists.map(({ id, kind, required }) => [id, kind, required])).toEqual([
    ...REQUIRED.map((id) => [id, 'sanctions', true]),
    ['UK_SANCTIONS', 'sanctions', false],
    ['CH_SECO', 'sanctions', false],
    ['PEP', 'pep', true],
    ['OWN_PEPS', 'pep', false],
    ['OWN_WATCH', 'sanctions', false],
  ]);
  expect(lists.at(0)).toMatchObject({ version: 'sandbox-1', entries: 2, fetched_at: null, age_seconds: null });
  expect(lists.at(3)).toMatchObject({
    publisher: expect.stringContaining('United Kingdom') as string,
    version: expect.stringMatching(/^2026-08-20\./) as string,
    published_on: '2026-08-20',
    entries: 3,
    age_seconds: expect.any(Number) as number,
  });
  expect(lists.at(-1)).toMatchObject({ publisher: null, version: expect.stringMatching(/^2026-02-01\./) as string });
});

it.each([
  ['Wali Hassan Exampli', 'UK_SANCTIONS', 'EXA0001'],
  ['Alexander Examplenko', 'CH_SECO', '100'],
  ['Wanda Watchedova', 'OWN_WATCH', 'b1'],
])('finds %s on %s', async (full_name, list, entry_id) => {
  const { json } = await check('sanctions', { full_name });
  expect(json['status']).toBe('potential_match');
  expect(json['matches']).toEqual([expect.objectContaining({ list, entry_id })]);
  expect(json['checked_lists']).toEqual([...REQUIRED, 'UK_SANCTIONS', 'CH_SECO', 'OWN_WATCH']);
  expect(Object.keys(json['list_versions'] as Json)).toEqual(json['checked_lists']);
});

it('screens against the lists that the caller names, and always against those of OFAC, EU and UN', async () => {
  const { json } = await check('sanctions', { full_name: 'Wanda Watchedova', lists: ['UK_SANCTIONS'] });
  expect([json['status'], json['checked_lists']]).toEqual(['clear', [...REQUIRED, 'UK_SANCTIONS']]);
  const sandboxed = await check('sanctions', { full_name: 'Confirmed Testmatch', lists: ['UK_SANCTIONS'] });
  expect(sandboxed.json['status']).toBe('potential_match');
});

it.each([
  ['pep', 'OWN_PEPS', 'd1'],
  ['sanctions', 'OWN_WATCH', 'b1'],
])('finds whom a new list of kind %s has among the identities', async (kind, list, entry_id) => {
  const path = `/api/v1/compliance/matches?kind=${kind}&list=${list}`;
  const background = await eventually('the match', async () => {
    const { json } = await http.expect(200, { path, apiKey: tenant.apiKey });
    return (json['matches'] as Json[]).find(({ identity_id: id }) => id !== null);
  });
  expect(background).toMatchObject({ kind, list, entry_id, status: 'open' });
});

it.each([
  ['a list that is not in force', 'sanctions', 'NO_SUCH_LIST'],
  ['a list of the other kind', 'sanctions', 'OWN_PEPS'],
  ['a list of the other kind', 'pep', 'UK_SANCTIONS'],
] as const)('refuses %s, and charges nothing: %s %s', async (_, kind, list) => {
  const before = await balanceOf(http, tenant);
  const answer = await check(kind, { full_name: 'Nemo', lists: [list] });
  expect([answer.status, answer.json['error_code']]).toEqual([422, 'INVALID_FIELD']);
  expect(answer.json['detail']).toContain(kind === 'pep' ? 'it takes PEP, OWN_PEPS' : 'UK_SANCTIONS');
  expect(await balanceOf(http, tenant)).toBe(before);
});

it('refuses a batch of which one query names such a list, and charges nothing', async () => {
  const before = await balanceOf(http, tenant);
  const queries = [{ full_name: 'Nemo' }, { full_name: 'Nemo', lists: ['NO_SUCH_LIST'] }];
  const answer = await http.send({
    path: '/api/v1/compliance/sanctions/batch',
    apiKey: tenant.apiKey,
    body: { queries },
  });
  expect([answer.status, answer.json['errors']]).toEqual([
    422,
    [expect.objectContaining({ field: 'queries[1].lists', code: 'INVALID_FIELD' })],
  ]);
  expect(await balanceOf(http, tenant)).toBe(before);
});

it('finds office holders on a list of the operator’s own', async () => {
  const { json } = await check('pep', { full_name: 'Petra Officeholderova' });
  expect(json).toMatchObject({ is_pep: true, pep_level: 'level_2' });
  expect(Object.keys(json['list_versions'] as Json)).toEqual(['PEP', 'OWN_PEPS']);
});

it('replays a decision against the lists that it named', async () => {
  const { json } = await check('sanctions', { full_name: 'Wali Hassan Exampli', lists: ['UK_SANCTIONS'] });
  const path = `/api/v1/compliance/decisions/${String(json['decision_id'])}/replay`;
  const replayed = (await http.expect(200, { path, apiKey: tenant.apiKey })).json;
  expect(replayed).toMatchObject({ reproduced: true, difference: { status_changed: false } });
  expect(Object.keys((replayed['present'] as Json)['list_versions'] as Json)).toEqual([...REQUIRED, 'UK_SANCTIONS']);
});

it.each([
  [['OTHER_LIST'], 'takes --format ftm'],
  [['UK_SANCTIONS', '--format', 'ftm'], 'the format and the kind of UK_SANCTIONS are known'],
  [['a'], '3 to 32 letters'],
])('says what an import takes: %j', async ([list = '', ...words], named) => {
  const { status, output } = await importList(list, FTM_WATCHED, ...words);
  expect([status, output]).toEqual([2, expect.stringContaining(named)]);
});

it('keeps the kind of a list', async () => {
  const { status, output } = await importList('OWN_WATCH', FTM_OFFICES, '--format', 'ftm', '--kind', 'pep', '--accept');
  expect([status, output]).toEqual([1, expect.stringContaining('OWN_WATCH is a list of kind sanctions')]);
});

it('says what a version changed, and which identities of the account it hit', async () => {
  const changes = async (query: string, expected = 200): Promise<Json> =>
    (
      await http.expect(expected, {
        path: `/api/v1/compliance/lists/OWN_WATCH/changes${query}`,
        apiKey: tenant.apiKey,
      })
    ).json;
  const first = await eventually('the first version', async () => {
    const found = await changes('');
    return found['screened_at'] === null ? undefined : found;
  });
  expect(first).toMatchObject({ list: 'OWN_WATCH', from: null, removed: 0, changed: 0, has_more_hits: false });
  expect(first['hits']).toEqual([expect.objectContaining({ entry_id: 'b1', status: 'open' })]);
  const version = String(first['to']);
  const lines = FTM_WATCHED.trim().split('\n');
  const added = { id: 'b77', schema: 'Person', properties: { name: ['Nova Listedova'] } };
  await ingestAll(http, tenant, [{ ...person(94_002), full_name: 'Nova Listedova' }]);
  const next = [...lines, JSON.stringify(added)].join('\n');
  const { status, output } = await importList('OWN_WATCH', next, '--format', 'ftm', '--accept');
  expect([status, output]).toEqual([0, expect.stringContaining('is in force')]);
  const second = await eventually('the second version', async () => {
    const found = await changes('');
    return found['to'] === version || found['screened_at'] === null ? undefined : found;
  });
  expect(second).toMatchObject({ from: version, added: 1, removed: 0 });
  expect(second['entries']).toEqual([{ entry_id: 'b77', change: 'added' }]);
  expect(second['hits']).toEqual([
    expect.objectContaining({ entry_id: 'b77', match_id: expect.any(String) as string }),
  ]);
  expect(await changes(`?to=${version}`)).toMatchObject({ from: null, to: version });
  const refused = await changes(`?from=${String(second['to'])}&to=${version}`, 422);
  expect(refused).toMatchObject({ error_code: 'INVALID_FIELD' });
  expect(await changes('?to=2020-01-01.0000000000000000', 404)).toMatchObject({ error_code: 'NOT_FOUND' });
  const stranger = await deployment.operator.tenant({ credits: 1 });
  const { json } = await http.expect(200, {
    path: '/api/v1/compliance/lists/OWN_WATCH/changes',
    apiKey: stranger.apiKey,
  });
  expect(json['hits']).toEqual([]);
});
