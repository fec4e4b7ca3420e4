import fc from 'fast-check';
import { toUSVString } from 'node:util';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { categories } from '../../src/categories.js';
import { type EventStore } from '../../src/platform/eventstore/event-store.js';
import { openEventStore } from '../../src/boot/open-event-store.js';
import { Database } from '../../src/platform/postgres/database.js';
import { Accepting } from '../../src/screening/lists/accepting.js';
import { ListStore } from '../../src/screening/lists/list-store.js';
import { aggregatesOf } from '../support/aggregates.js';
import { fileOf } from '../support/lists/list-texts.js';
import { openedWith, remainingKeys } from '../support/checks/openings.js';
import { dumpPostgres } from '../support/checks/dumps.js';
import { Deployment, LONG_STORE_BUDGET_MS } from '../support/load/deployment.js';
import { type Call, type Http, type Json } from '../support/load/http.js';
import { type Person, person } from '../support/load/people.js';
import { balanceOf, ingestAll, type Tenant } from '../support/load/tenants.js';
import { type Ran, runCommand } from '../support/service-command.js';
import { eventually } from '../support/stack.js';

const CONFIRMED = { full_name: 'Confirmed Testmatch', date_of_birth: '1970-01-01', country: 'CHE' };
const LISTED = 'Zebulon Quillfeather';
const MARKER = 'Ottoline Unmistakable';

interface Match {
  readonly match_id: string;
  readonly list: string;
  readonly entry_id: string;
  readonly dismissed: boolean;
}

let deployment: Deployment;
let http: Http;
let tenant: Tenant;
let folder: string;
let events: EventStore;
let database: Database;
let lists: Accepting;

const send = (call: Call, { apiKey }: Tenant = tenant) => http.send({ apiKey, ...call });
const expectOk = (call: Call, { apiKey }: Tenant = tenant) => http.expect(200, { apiKey, ...call });
const sanctions = async (body: object, of = tenant): Promise<Json> =>
  (await expectOk({ path: '/api/v1/compliance/sanctions', body }, of)).json;
const matchesOf = (json: Json): readonly Match[] => json['matches'] as Match[];
const assess = async (body: object): Promise<Json> => (await expectOk({ path: '/api/v1/assess-risk', body })).json;

const command = (...words: string[]): Promise<Ran> =>
  runCommand(words, { ...deployment.env, DATABASE_URL: deployment.databaseUrl });

const individual = (id: number, name: string): string =>
  `<INDIVIDUAL><DATAID>${id}</DATAID><REFERENCE_NUMBER>QDi.${id}</REFERENCE_NUMBER><FIRST_NAME>${name}</FIRST_NAME></INDIVIDUAL>`;

/** A list of the United Nations with these names, and others so that one more is a small change. */
const listOf = (day: string, names: readonly string[]): string => {
  const others = Array.from({ length: 30 }, (_, index) => individual(1_000 + index, `Nemo Bystander${index}`));
  const listed = names.map((name, index) => individual(index, name));
  return `<CONSOLIDATED_LIST dateGenerated="${day}T00:00:00Z"><INDIVIDUALS>${[...others, ...listed].join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`;
};

const importByCommand = async (day: string, names: readonly string[]): Promise<string> => {
  const path = join(folder, `${day}.xml`);
  await writeFile(path, listOf(day, names));
  const acceptArgs = ['--accept', '--operator', 'vera', '--justification', 'A list for trial'];
  const { status, output } = await command('screening', 'import', 'UN_SECURITY_COUNCIL', path, ...acceptArgs);
  expect([status, output]).toEqual([0, expect.stringContaining('is in force')]);
  return /UN_SECURITY_COUNCIL: (\S+) is in force/.exec(output)?.[1] ?? '';
};

/** What the command does, without a process of its own. */
const importList = async (day: string, names: readonly string[]): Promise<string> => {
  const files = [await fileOf('list.xml', listOf(day, names))];
  const list = 'UN_SECURITY_COUNCIL';
  const { version } = await lists.accept({
    list,
    kind: 'sanctions',
    files,
    publishedOn: null,
    origin: 'import',
    accept: true,
    decision: null,
  });
  return version;
};

const inForce = (version: string): Promise<unknown> =>
  eventually('the new list', async () => {
    const checked = await sanctions({ full_name: 'Nobody Atall' });
    return (checked['list_versions'] as Record<string, string>)['UN_SECURITY_COUNCIL'] === version;
  });

const identityOf = async (who: Person, of: Tenant): Promise<string> => {
  const query = new URLSearchParams({ email: who.email, phone_number: who.phone_number });
  const { json } = await expectOk({ path: `/api/v1/identities?${query.toString()}` }, of);
  return (json['identities'] as { identity_id: string }[])[0]?.identity_id ?? '';
};

const hitsOf = async (who: Person, of: Tenant): Promise<readonly unknown[]> => {
  const id = await identityOf(who, of);
  const found = await deployment.log.stream(`match-${of.tenantId}_${id.slice(4)}`);
  return found.filter(({ type }) => type !== 'IdentityScreened.v1').map(({ type, data }) => ({ type, data }));
};

const auditOf = async (of: Tenant, action: string): Promise<readonly Json[]> => {
  const { json } = await expectOk({ path: `/api/v1/compliance/audit-log?action=${action}&limit=1000` }, of);
  return json['logs'] as Json[];
};

beforeAll(async () => {
  deployment = await Deployment.start({
    env: { ...LONG_STORE_BUDGET_MS, TIMING_LISTS_SWITCHED_MS: '1000', LOG_LEVEL: 'info' },
  });
  const connectionString = deployment.eventStore.connectionString;
  events = openEventStore({ connectionString, client: 'direct', budgetMs: 30_000 }, categories);
  database = new Database({ connectionString: deployment.databaseUrl, budgetMs: 30_000 });
  lists = new Accepting(aggregatesOf(events), new ListStore(database));
  ({ http } = deployment);
  tenant = await deployment.operator.tenant({ credits: 10_000 });
  folder = await mkdtemp(join(tmpdir(), 'lists-'));
}, 60_000);

afterAll(async () => {
  await events.close();
  await database.close();
  await deployment.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the documented sandbox names', () => {
  it.each([
    [{ full_name: 'Unremarkable Testperson' }, 'clear'],
    [{ full_name: 'Potential Testmatch' }, 'potential_match'],
    [CONFIRMED, 'confirmed_match'],
  ])('sanctions of %j: %s', async (body, status) => {
    const checked = await sanctions(body);
    expect(checked['status']).toBe(status);
    expect(checked['checked_lists']).toEqual(['OFAC_SDN', 'EU_CONSOLIDATED', 'UN_SECURITY_COUNCIL']);
    expect(Object.keys(checked['list_versions'] as object).sort()).toEqual([
      'EU_CONSOLIDATED',
      'OFAC_SDN',
      'UN_SECURITY_COUNCIL',
    ]);
    expect(matchesOf(checked).length > 0).toBe(status !== 'clear');
  });

  it.each([
    ['Unremarkable Testperson', null],
    ['Primus Testpep', 'level_1'],
    ['Secunda Testpep', 'level_2'],
    ['Tertia Testpep', 'level_3'],
    ['Cognata Testpep', 'relative'],
    ['Socius Testpep', 'associate'],
  ])('%s has the level %s', async (full_name, level) => {
    const { json } = await expectOk({ path: '/api/v1/compliance/pep', body: { full_name } });
    expect([json['is_pep'], json['pep_level']]).toEqual([level !== null, level]);
  });
});

describe('a decision', () => {
  it('is one event with its charge, in which no name stands', async () => {
    const before = await balanceOf(http, tenant);
    const { decision_id: id } = await sanctions({ full_name: MARKER, date_of_birth: '1961-02-03' });
    expect(await balanceOf(http, tenant)).toBe(before - 2);
    const charge = (await deployment.log.credits(tenant.tenantId)).at(-1);
    expect([charge?.id, charge?.type]).toEqual([id, 'OperationCharged.v1']);
    const database = (await dumpPostgres(deployment.databaseUrl)).toString('latin1');
    expect([JSON.stringify(charge?.data).includes(MARKER), database.includes(MARKER)]).toEqual([false, false]);
  });

  it('can be read and replayed by its tenant and by operators, names by admin alone', async () => {
    const { decision_id: id } = await sanctions(CONFIRMED);
    const path = `/api/v1/compliance/decisions/${String(id)}`;
    const read = (await expectOk({ path })).json;
    expect(read).toMatchObject({ kind: 'sanctions', person: { ...CONFIRMED, country: 'CH' } });
    const replay = (await expectOk({ path: `${path}/replay` })).json;
    expect(replay).toMatchObject({ ...read, reproduced: true, difference: { status_changed: false, added: [] } });
    expect((await auditOf(tenant, 'decision_replayed')).length).toBe(2);
    const asAdmin = { path: `/admin/decisions/${String(id)}`, token: deployment.operator.token, apiKey: undefined };
    expect((await http.expect(200, asAdmin)).json).toEqual(read);
  });

  it('is gone with its key, from every store', async () => {
    const name = 'Perpetua Shortlived';
    const { decision_id: id } = await sanctions({ full_name: name });
    const path = `/api/v1/compliance/decisions/${String(id)}`;
    const decisions = async (): Promise<number> => {
      const keys = await remainingKeys(deployment.databaseUrl, deployment.env['KEYS'] as string);
      const charge = JSON.stringify(
        (await deployment.log.credits(tenant.tenantId)).find((event) => event.id === id)?.data,
      );
      const opened = openedWith(keys, openedWith(keys, charge).toString('utf8')).toString('utf8');
      return opened.split(name).length - 1;
    };
    expect((await send({ path })).status).toBe(200);
    expect(await decisions()).toBeGreaterThan(0);
    expect((await send({ method: 'DELETE', path })).status).toBe(204);
    expect(await decisions()).toBe(0);
    expect((await send({ path })).status).toBe(404);
    expect((await send({ path: `${path}/replay` })).status).toBe(404);
    expect((await send({ method: 'DELETE', path })).status).toBe(404);
  });
});

describe('names of any characters', () => {
  const anyName = fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 512 }),
      fc.string({
        unit: fc.constantFrom('\u200f', '\u200b', '\u0301', 'ﷺ', 'ß', '-', ' ', 'Ж', '王', '.'),
        maxLength: 512,
      }),
    )
    .map((name) => toUSVString(name).replaceAll('\0', ' '));

  it('get an answer and are charged, or are refused for a field, and never more', () =>
    fc.assert(
      fc.asyncProperty(anyName, async (full_name) => {
        for (const path of ['/api/v1/compliance/sanctions', '/api/v1/compliance/pep']) {
          const { status } = await send({ path, body: { full_name } });
          expect([full_name, [200, 422].includes(status)]).toEqual([full_name, true]);
        }
      }),
      { numRuns: 100, seed: 1 },
    ));
});

describe('a dismissed match', () => {
  it('is shown and not counted in later checks of the same query, and asks again where the query changed', async () => {
    const body = { full_name: 'Potential Testmatch' };
    const [match] = matchesOf(await sanctions(body));
    const dismissal = {
      path: `/api/v1/compliance/matches/${match?.match_id ?? ''}/dismiss`,
      body: { reason: 'Born later' },
    };
    expect((await expectOk(dismissal)).json).toMatchObject({ dismissed: true });
    expect((await send(dismissal)).status).toBe(409);
    const again = await sanctions({ full_name: ' potential  TESTMATCH ' });
    expect([again['status'], matchesOf(again).map(({ dismissed }) => dismissed)]).toEqual(['clear', [true]]);
    expect((await sanctions({ ...body, date_of_birth: '1999-09-09' }))['status']).toBe('potential_match');
    const other = await deployment.operator.tenant({ credits: 10 });
    expect((await sanctions(body, other))['status']).toBe('potential_match');
    expect((await send(dismissal, other)).status).toBe(404);
  });
});

describe('a check that is not clear', () => {
  it('leaves one event that is announced, without names', async () => {
    const { decision_id: id } = await sanctions(CONFIRMED);
    const stream = `decision-${tenant.tenantId}_${String(id).replaceAll('-', '')}`;
    const events = await eventually('the announcement', async () => {
      const found = await deployment.log.stream(stream);
      return found.length > 0 && found;
    });
    expect(events.map(({ type }) => type)).toEqual(['DecisionMatched.v1']);
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('Testmatch');
  });
});

describe('identities', () => {
  const suspect: Person = { ...person(71), full_name: CONFIRMED.full_name, date_of_birth: CONFIRMED.date_of_birth };

  it('are screened at ingestion, free of charge, with an audit entry a hit', async () => {
    const owner = await deployment.operator.tenant({ credits: 5 });
    await ingestAll(http, owner, [suspect, person(72)]);
    const hits = await eventually('the hits', async () => {
      const found = await hitsOf(suspect, owner);
      return found.length > 0 && found;
    });
    expect(hits).toContainEqual({
      type: 'MatchFound.v1',
      data: expect.objectContaining({ entryId: 'sandbox-confirmed', status: 'confirmed_match' }) as unknown,
    });
    expect(await hitsOf(person(72), owner)).toEqual([]);
    const entries = await eventually('the audit entries', async () => {
      const found = await auditOf(owner, 'sanctions_check');
      return found.length >= hits.length && found;
    });
    expect(entries.length).toBe(hits.length);
    expect(await balanceOf(http, owner)).toBe(5);
  });

  it('are screened against what a new list version changed, for every tenant that holds them', async () => {
    const listed: Person = { ...person(73), full_name: LISTED };
    const owners = [await deployment.operator.tenant({ credits: 5 }), await deployment.operator.tenant({ credits: 5 })];
    for (const owner of owners) await ingestAll(http, owner, [listed, person(74)]);
    await importByCommand('2026-11-01', []);
    const version = await importList('2026-11-02', [LISTED]);
    for (const owner of owners) {
      const hits = await eventually(
        'the hits of a new version',
        async () => {
          const found = await hitsOf(listed, owner);
          return found.length > 0 && found;
        },
        60_000,
      );
      expect(hits).toEqual([
        {
          type: 'MatchFound.v1',
          data: expect.objectContaining({
            list: 'UN_SECURITY_COUNCIL',
            entryId: 'QDi.0',
            listVersion: version,
          }) as unknown,
        },
      ]);
      const results = await eventually('the audit entries of both versions', async () => {
        const found = (await auditOf(owner, 'sanctions_check')).map(({ result }) => String(result)).sort();
        return found.length >= 3 && found;
      });
      expect(results).toEqual(['ok', 'ok', 'potential_match']);
    }
    await importList('2026-11-03', []);
    await eventually(
      'the end of the matches',
      async () => (await hitsOf(listed, owners[0] as Tenant)).length === 2,
      60_000,
    );
  }, 200_000);
});

describe('a list that an operator imports', () => {
  it('takes a justification, and the log names who took it and why', async () => {
    const without = await command('screening', 'import', 'UN_SECURITY_COUNCIL', 'list.xml');
    expect([without.status, without.output]).toEqual([2, expect.stringContaining('--justification')]);
    await importByCommand('2026-11-09', []);
    const taken = (await deployment.log.stream('screening-list')).at(-1);
    expect(taken?.data).toMatchObject({ origin: 'import', justification: 'A list for trial' });
    const { actor } = taken?.metadata as { readonly actor: { readonly type: string; readonly id: string } };
    const log = await http.expect(200, { path: '/admin/audit-log', token: deployment.operator.token });
    const act = (log.json['logs'] as Json[]).find(({ action }) => String(action).endsWith('screening -- import'));
    const done = { operator: actor.id, outcome: 'done', target: { list: 'UN_SECURITY_COUNCIL' } };
    expect([actor.type, act]).toEqual(['operator', expect.objectContaining(done)]);
  }, 60_000);
});

describe('a decision of an earlier list version', () => {
  it('replays the same under that version after two more, and from rebuilt rows too', async () => {
    await inForce(await importList('2026-11-10', [LISTED]));
    const { decision_id: id } = await sanctions({ full_name: LISTED });
    const path = `/api/v1/compliance/decisions/${String(id)}`;
    const stored = (await expectOk({ path })).json['stored'];
    await importList('2026-11-11', [LISTED, `${LISTED} Junior`]);
    await inForce(await importList('2026-11-12', []));
    const check = async (): Promise<void> => {
      const replay = (await expectOk({ path: `${path}/replay` })).json;
      expect([replay['stored'], replay['reproduced']]).toEqual([stored, true]);
      expect(replay['difference']).toEqual({
        status_changed: true,
        added: [],
        removed: [{ list: 'UN_SECURITY_COUNCIL', entry_id: 'QDi.0' }],
        changed: [],
      });
    };
    await check();
    const hidden = await command('screening', 'replay', '--decision', String(id));
    const { person: shownPerson, stored: answered } = JSON.parse(hidden.stdout) as { person: unknown; stored: Json };
    // The list is public; the person who was asked for, and reasons that quote it, are not.
    expect([hidden.status, shownPerson]).toEqual([0, null]);
    expect(answered['matches']).toMatchObject([{ name: LISTED, reasons: [] }]);
    const shown = await command('screening', 'replay', '--decision', String(id), '--reveal');
    expect(JSON.parse(shown.stdout)).toMatchObject({ reproduced: true, person: { full_name: LISTED }, stored });
    expect((await command('screening', 'replay', '--decision', String(tenant.tenantId))).status).toBe(1);
    const log = await http.expect(200, { path: '/admin/audit-log', token: deployment.operator.token });
    expect((log.json['logs'] as Json[]).map(({ action }) => action)).toContain('npm run screening -- replay --reveal');
    expect((await command('projections', 'rebuild', 'screening')).output).not.toContain('DIFFERENT');
    await check();
  }, 120_000);
});

describe('the risk of a person', () => {
  it('is the sum of its factors, alike for alike facts, and a move of it is told', async () => {
    const who = person(75);
    const body = { email: who.email, phone_number: who.phone_number };
    const first = await assess(body);
    expect({ ...(await assess(body)), assessed_at: '' }).toEqual({ ...first, assessed_at: '' });
    const weights = (first['factors'] as { weight: number }[]).map(({ weight }) => weight);
    expect(first['risk_score']).toBe(weights.reduce((sum, weight) => sum + weight, 0));
    expect(await assess({ ...body, ...CONFIRMED, date_of_birth: undefined })).toMatchObject({ risk_level: 'high' });
    await ingestAll(http, tenant, [who]);
    expect(await assess(body)).toMatchObject({ risk_level: 'low' });
    const stream = `risk-${tenant.tenantId}_${(await identityOf(who, tenant)).slice(4)}`;
    const moves = await eventually('the moves', async () => {
      const found = (await deployment.log.stream(stream)).filter(({ type }) => type === 'RiskScoreChanged.v1');
      return found.length >= 2 && found;
    });
    expect(moves.map(({ data }) => data)).toMatchObject([
      { previousLevel: 'medium', level: 'high' },
      { previousLevel: 'high', level: 'low' },
    ]);
  });
});
