import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { categories } from '../../src/categories.js';
import { kindOf } from '../../src/screening/domain/known-lists.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { type EventStore } from '../../src/platform/eventstore/event-store.js';
import { openEventStore } from '../../src/boot/open-event-store.js';
import { Database } from '../../src/platform/postgres/database.js';
import { type ListId } from '../../src/screening/domain/screening-list.js';
import { Accepting } from '../../src/screening/lists/accepting.js';
import { type Connect } from '../../src/screening/lists/download.js';
import { ListScreener } from '../../src/screening/lists/list-screener.js';
import { ListStore } from '../../src/screening/lists/list-store.js';
import { PresentLists } from '../../src/screening/lists/present-lists.js';
import { publishersFor } from '../../src/screening/lists/publishers.js';
import { Refreshing } from '../../src/screening/lists/refreshing.js';
import { aggregatesOf } from '../support/aggregates.js';
import { FTM_WATCHED } from '../support/lists/further-list-texts.js';
import { certificateFolder } from '../support/certificate.js';
import {
  EU_XML,
  fileOf,
  FOLLOW_THE_MONEY,
  HOLDERS_CSV,
  OFAC_ALIASES,
  OFAC_CSV,
  ofacXml,
  unXml,
} from '../support/lists/list-texts.js';
import { ManualClock } from '../support/manual-clock.js';
import { createServiceDatabase, type EventStoreNode, eventually, startEventStore } from '../support/stack.js';

const DAY = 86_400_000;

let node: EventStoreNode;
let events: EventStore;
let database: Database;
let store: ListStore;
let accepting: Accepting;
const screeners: ListScreener[] = [];

beforeAll(async () => {
  node = await startEventStore();
  events = openEventStore({ connectionString: node.connectionString, client: 'direct', budgetMs: 10_000 }, categories);
  database = new Database({ connectionString: await createServiceDatabase(), budgetMs: 10_000 });
  store = new ListStore(database);
  accepting = new Accepting(aggregatesOf(events), store);
}, 60_000);

afterAll(async () => {
  for (const screener of screeners) screener.onApplicationShutdown();
  await events.close();
  await database.close();
  await node.stop();
});

const instance = (environment: 'sandbox' | 'production', clock = new ManualClock(Date.now())): ListScreener => {
  const config = { environment, screening: loadConfig({}).screening };
  const lists = new PresentLists(accepting, store, events, config, clock);
  const screener = new ListScreener(lists, store, config, pino({ level: 'silent' }));
  screeners.push(screener);
  return screener;
};

const take = async (list: ListId, texts: Readonly<Record<string, string>>, accept = false) => {
  const files = await Promise.all(Object.entries(texts).map(([name, text]) => fileOf(name, text)));
  const acceptance = await accepting.accept({
    list,
    kind: kindOf(list),
    files,
    publishedOn: null,
    origin: 'import',
    accept,
    decision: null,
  });
  await store.answered(list, { etag: null, lastModified: null, refused: null });
  return acceptance;
};

const people = Array.from({ length: 20 }, (_, index) => `Grigorij Examplov${'abcdefghijklmnopqrst'.charAt(index)}ski`);

describe('a deployment without lists', () => {
  let sandbox: ListScreener;

  beforeAll(() => {
    sandbox = instance('sandbox');
  });

  it('answers the documented names in a sandbox', async () => {
    const ask = async (fullName: string, dateOfBirth?: string): Promise<string> =>
      (await sandbox.screen('sanctions', { fullName, ...(dateOfBirth === undefined ? {} : { dateOfBirth }) })).status;
    expect(await ask('Confirmed Testmatch', '1970-01-01')).toBe('confirmed_match');
    expect(await ask('Confirmed Testmatch')).toBe('potential_match');
    expect(await ask('Potential Testmatch', '1970-01-01')).toBe('potential_match');
    expect(await ask('Clear Testmatch')).toBe('clear');
  });

  it.each([
    ['Primus Testpep', 'level_1'],
    ['Secunda Testpep', 'level_2'],
    ['Tertia Testpep', 'level_3'],
    ['Cognata Testpep', 'relative'],
    ['Socius Testpep', 'associate'],
  ])('answers %s as %s in a sandbox', async (fullName, level) => {
    const { matches, versions } = await sandbox.screen('pep', { fullName });
    expect(matches.map(({ pepLevel }) => pepLevel)).toEqual([level]);
    expect(versions).toEqual({ PEP: 'sandbox-1' });
  });

  it('answers nothing in production, and says which list it lacks', async () => {
    const screener = instance('production');
    await expect(screener.screen('sanctions', { fullName: 'Confirmed Testmatch' })).rejects.toMatchObject({
      code: 'unavailable',
      info: { detail: 'The list OFAC_SDN was never loaded; nothing was charged' },
    });
    await expect(
      screener.screenAgainst({ PEP: 'sandbox-1' }, 'pep', { fullName: 'Primus Testpep' }),
    ).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('versions of a list', () => {
  const versions: string[] = [];

  beforeAll(async () => {
    await take('OFAC_SDN', { 'sdn.csv': OFAC_CSV, 'alt.csv': OFAC_ALIASES });
    await take('EU_CONSOLIDATED', { 'eu.xml': EU_XML });
    await take('PEP', { 'holders.csv': HOLDERS_CSV });
    for (const [day, names] of [
      ['2026-01-01', people],
      ['2026-01-02', people.slice(1)],
      ['2026-01-03', [...people.slice(1), 'Newly Addedski']],
    ] as const) {
      versions.push((await take('UN_SECURITY_COUNCIL', { 'un.xml': unXml(day, names) }, true)).version);
    }
  });

  it('are screened against by every instance within seconds', async () => {
    const [one, other] = [instance('production'), instance('production')];
    for (const screener of [one, other]) {
      await screener.keepPresent();
      const { status, versions: used } = await screener.screen('sanctions', { fullName: 'Addedski, Newly' });
      expect([status, used.UN_SECURITY_COUNCIL]).toEqual(['potential_match', versions[2]]);
    }
    const next = await take('UN_SECURITY_COUNCIL', { 'un.xml': unXml('2026-01-04', people) }, true);
    await other.keepPresent();
    const { versions: used } = await other.screen('sanctions', { fullName: 'Addedski, Newly' });
    expect(used.UN_SECURITY_COUNCIL).toBe(next.version);
    // The first has not looked again: it goes on with what it has.
    await eventually('the change', async () => {
      await one.keepPresent();
      return (await one.screen('sanctions', { fullName: 'x' })).versions.UN_SECURITY_COUNCIL === next.version;
    });
  });

  it('replay a decision as it was made, after later ones came, on an instance that never had them', async () => {
    const query = { fullName: people[0] ?? '', dateOfBirth: '1962-03-04' };
    const against = (un: string) =>
      instance('production').screenAgainst({ UN_SECURITY_COUNCIL: un }, 'sanctions', query);
    const then = await against(versions[0] ?? '');
    expect(then.matches[0]).toMatchObject({ entryId: 'T.0', name: people[0] });
    expect(then.matches[0]?.score).toBeGreaterThan(0.9);
    expect(await against(versions[0] ?? '')).toEqual(then);
    expect((await against(versions[1] ?? '')).matches.map(({ name }) => name)).not.toContain(people[0]);
  });

  it('refuse a version whose files are not kept', async () => {
    await expect(
      instance('production').screenAgainst({ PEP: '2020-01-01.0000000000000000' }, 'pep', { fullName: 'Ada Example' }),
    ).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('tell what differs, and screen many names against those entries as against the whole', async () => {
    const screener = instance('production');
    const delta = await screener.delta('UN_SECURITY_COUNCIL', versions[1] ?? '', versions[2] ?? '');
    expect(delta).toEqual({ added: ['T.19'], removed: [], changed: [] });
    const [hit, miss] = await screener.screenMany('UN_SECURITY_COUNCIL', versions[2] ?? '', delta.added, [
      { fullName: 'Newly Addedski' },
      { fullName: people[5] ?? '' },
    ]);
    const whole = await screener.screenAgainst({ UN_SECURITY_COUNCIL: versions[2] ?? '' }, 'sanctions', {
      fullName: 'Newly Addedski',
    });
    expect(hit?.matches).toEqual(whole.matches);
    expect([hit?.status, miss?.status]).toEqual(['potential_match', 'clear']);
  });

  it('stay in force where the next is refused', async () => {
    const before = (await accepting.inForce()).get('UN_SECURITY_COUNCIL')?.version;
    for (const text of ['', '<html></html>', unXml('2026-02-01', people).slice(0, 900)]) {
      await expect(take('UN_SECURITY_COUNCIL', { 'un.xml': text }, true)).rejects.toThrow();
    }
    await expect(take('UN_SECURITY_COUNCIL', { 'un.xml': unXml('2026-02-01', people.slice(9)) })).rejects.toMatchObject(
      {
        code: 'list_refused',
      },
    );
    await expect(take('UN_SECURITY_COUNCIL', { 'un.xml': unXml('2020-01-01', people) })).rejects.toMatchObject({
      code: 'list_refused',
    });
    expect((await accepting.inForce()).get('UN_SECURITY_COUNCIL')?.version).toBe(before);
  });

  it('are too old in production three days after the publisher was last heard, though the instance runs on', async () => {
    const clock = new ManualClock(Date.now());
    const screener = instance('production', clock);
    expect((await screener.screen('pep', { fullName: 'Ada Example' })).status).toBe('potential_match');
    clock.advance(3 * DAY + 60_000);
    await expect(screener.screen('pep', { fullName: 'Ada Example' })).rejects.toMatchObject({
      info: { detail: 'The list PEP was last fetched more than 3 days ago; nothing was charged' },
    });
    await store.answered('PEP', { etag: null, lastModified: null, refused: null });
  });
});

describe('a list of one’s own', () => {
  it('that cannot be read any more holds up no check, and none that names it is clear', async () => {
    const { version } = await take('OWN_WATCH', { 'own.json': FTM_WATCHED });
    const found = async (screener: ListScreener) => screener.screen('sanctions', { fullName: 'Wanda Watchedova' });
    const before = await found(instance('production'));
    expect([before.status, before.versions['OWN_WATCH']]).toEqual(['potential_match', version]);
    await database.query(`DELETE FROM screening_versions WHERE list = 'OWN_WATCH'`);
    const screener = instance('production');
    const { status, versions: checked } = await found(screener);
    expect([status, Object.keys(checked)]).toEqual(['clear', ['OFAC_SDN', 'EU_CONSOLIDATED', 'UN_SECURITY_COUNCIL']]);
    expect([screener.unread('sanctions'), screener.unread('pep')]).toEqual([['OWN_WATCH'], []]);
    const naming = screener.screen('sanctions', { fullName: 'Wanda Watchedova', lists: ['OWN_WATCH'] });
    await expect(naming).rejects.toMatchObject({
      info: { detail: 'The list OWN_WATCH cannot be read; nothing was charged' },
    });
    const next = await take('OWN_WATCH', { 'own.json': `${FTM_WATCHED}\n` }, true);
    await screener.keepPresent();
    // No identity was screened against it meanwhile.
    const { added } = await screener.delta('OWN_WATCH', version, next.version);
    expect(added).toEqual(['b1', 'b2']);
    expect((await found(screener)).status).toBe('potential_match');
    expect(screener.unread('sanctions')).toEqual([]);
  });

  it('whose files are damaged is replaced by the next version', async () => {
    await database.query(`UPDATE screening_files SET gzipped = '\\x00' WHERE sha256 IN
      (SELECT file->>'sha256' FROM screening_versions, jsonb_array_elements(files) file WHERE list = 'OWN_WATCH')`);
    const { delta } = await take('OWN_WATCH', { 'own.json': `${FTM_WATCHED}\n\n` }, true);
    expect(delta.added).toEqual(['b1', 'b2']);
  });
});

describe('a refresh', () => {
  const { folder, certFile, keyFile } = certificateFolder();
  const publishers = publishersFor({ ...loadConfig({}).screening, pepDataset: 'peps' });
  const LISTS = [...publishers.keys()];
  const TEXTS = {
    OFAC_SDN: ofacXml(),
    EU_CONSOLIDATED: EU_XML,
    UN_SECURITY_COUNCIL: unXml('2026-03-01', people),
    PEP: FOLLOW_THE_MONEY,
  };
  /** Answers in the publisher's place. */
  let answer: (list: ListId, response: ServerResponse, ifNoneMatch: string | undefined) => void;
  let server: Server;
  let refreshing: Refreshing;

  const says = (text: string, headers: Record<string, string> = {}): void => {
    answer = (_, response) => response.writeHead(200, headers).end(text);
  };
  const version = async (list: ListId) => (await accepting.inForce()).get(list)?.version;
  const lastAnswer = async (list: ListId) => (await store.lastAnswers()).get(list);
  const ofUn = () => refreshing.refresh('UN_SECURITY_COUNCIL', false);

  beforeAll(async () => {
    const byHost = new Map(
      [...publishers].map(([list, { url }]) => [new URL(url).host + new URL(url).pathname, list] as const),
    );
    server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      const host = (request.headers.host ?? '').replace(/:\d+$/, '');
      const list = byHost.get(host + path);
      if (list === undefined) response.writeHead(404).end();
      else answer(list, response, request.headers['if-none-match']);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const connect: Connect = {
      ca: readFileSync(certFile),
      servername: 'kyc.example',
      port: (server.address() as AddressInfo).port,
      lookup: (_, { all }, found) => {
        if (all === true) found(null, [{ address: '127.0.0.1', family: 4 }]);
        else found(null, '127.0.0.1', 4);
      },
    };
    refreshing = new Refreshing(accepting, store, publishers, connect);
  });

  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it.each(LISTS)('of %s takes what the publisher has, and asks the next time whether it has changed', async (list) => {
    answer = (listPath, response, ifNoneMatch) =>
      ifNoneMatch === `"${listPath}"`
        ? response.writeHead(304).end()
        : response.writeHead(200, { etag: `"${listPath}"` }).end(TEXTS[listPath as keyof typeof TEXTS]);
    const taken = await refreshing.refresh(list, true);
    expect(taken).toMatchObject({ unchanged: false });
    const before = [await version(list), (await lastAnswer(list))?.answeredAt.getTime() ?? 0] as const;
    expect(await refreshing.refresh(list, false)).toEqual({ unchanged: true });
    expect(await version(list)).toBe(before[0]);
    expect((await lastAnswer(list))?.answeredAt.getTime()).toBeGreaterThan(before[1]);
  });

  const half = TEXTS.UN_SECURITY_COUNCIL.slice(0, TEXTS.UN_SECURITY_COUNCIL.length / 2);
  it.each<[string, () => void]>([
    ['nothing at all', () => says('')],
    ['an HTML page', () => says('<!DOCTYPE html><html><body>Service unavailable</body></html>')],
    ['the body of an error', () => says('{"status":500,"error":"Internal Server Error"}')],
    ['half a file', () => says(half)],
    [
      'half of what it announced',
      () =>
        (answer = (_, response) => {
          response.writeHead(200, { 'content-length': '99999' });
          response.write(half, () => response.destroy());
        }),
    ],
    ['a list of an earlier day', () => says(unXml('2026-02-01', people))],
    ['a list of another publisher', () => says(EU_XML)],
    ['a list that has shrunk', () => says(unXml('2026-03-02', people.slice(3)))],
    ['a list in which much has changed', () => says(unXml('2026-03-02', [...people].reverse()))],
    ['a DTD', () => says(`<!DOCTYPE a [<!ENTITY b "c">]>${unXml('2026-03-02', people)}`)],
    ['an error', () => (answer = (_, response) => response.writeHead(500).end(TEXTS.UN_SECURITY_COUNCIL))],
    [
      'a reference to another host',
      () => (answer = (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/list' }).end()),
    ],
  ])('that gets %s leaves the present list in force, and it grows no younger', async (_, prepare) => {
    const before = [await version('UN_SECURITY_COUNCIL'), await lastAnswer('UN_SECURITY_COUNCIL')] as const;
    prepare();
    await expect(ofUn()).rejects.toThrow();
    expect(await version('UN_SECURITY_COUNCIL')).toBe(before[0]);
    expect(await lastAnswer('UN_SECURITY_COUNCIL')).toEqual({ ...before[1], refused: expect.any(String) as string });
  });

  it.each<[string, (text: string) => string]>([
    ['another namespace', (text) => text.replace('<CONSOLIDATED_LIST', '<CONSOLIDATED_LIST xmlns="urn:un:2027"')],
    [
      'a prefix',
      (text) =>
        text
          .replace(/<(\/?)([A-Z])/g, '<$1un:$2')
          .replace('<un:CONSOLIDATED_LIST', '<un:CONSOLIDATED_LIST xmlns:un="urn:un:2027"'),
    ],
    ['other spacing', (text) => text.replaceAll('><', '>\n  <')],
    ['other cases and accents written apart', (text) => text.replaceAll('Grigorij', 'GRIGORIJ').normalize('NFD')],
    ['another order', (text) => text.replace(/(<INDIVIDUAL>.*?<\/INDIVIDUAL>)([^]*)(<\/INDIVIDUALS>)/s, '$2$1$3')],
  ])('that gets %s finds no difference', async (_, change) => {
    const before = await version('UN_SECURITY_COUNCIL');
    says(change(TEXTS.UN_SECURITY_COUNCIL));
    const refreshed = await ofUn();
    expect(refreshed).toMatchObject({ acceptance: { isNew: true, delta: { added: [], removed: [], changed: [] } } });
    expect(await version('UN_SECURITY_COUNCIL')).not.toBe(before);
  });

  it('tells what really differs among what only looks different', async () => {
    const [first = '', second = '', ...others] = people;
    says(unXml('2026-03-03', [first.toUpperCase(), `${second}ius`, ...others, 'Newly Addedski']));
    expect(await ofUn()).toMatchObject({ acceptance: { delta: { added: ['T.20'], removed: [], changed: ['T.1'] } } });
  });

  it('of office holders needs a dataset that the operator names', async () => {
    const without = new Refreshing(accepting, store, publishersFor(loadConfig({}).screening));
    await expect(without.refresh('PEP', false)).rejects.toThrow('SCREENING_PEP_DATASET');
  });
});

it('keeps a file of a hundred megabytes whole, though one statement may take a second and a half', async () => {
  const usual = new Database({ connectionString: await createServiceDatabase() });
  try {
    const bytes = randomBytes(100 * 1_048_576);
    const kept = new ListStore(usual);
    const stored = [{ name: 'large.json', sha256: 'of the text' }];
    const files = [{ name: 'large.json', gzipped: bytes }];
    await kept.put('PEP', 'v1', { kind: 'pep', files }, stored);
    const others = [{ name: 'large.json', gzipped: randomBytes(9_000_000) }];
    await kept.put('PEP', 'v1', { kind: 'pep', files: others }, stored);
    const { kind, files: [read] = [] } = (await kept.kept('PEP', 'v1')) ?? {};
    expect(kind).toBe('pep');
    expect(Buffer.compare(read?.gzipped as Buffer, bytes)).toBe(0);
    expect(await kept.kept('PEP', 'v2')).toBeUndefined();
  } finally {
    await usual.close();
  }
}, 120_000);
