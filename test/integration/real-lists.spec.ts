import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import sax from 'sax';
import { entriesOf, sourcesIn } from '../../bench/screening/data.js';
import { type ListId } from '../../src/screening/domain/screening-list.js';
import { readList } from '../../src/screening/lists/readers/read-list.js';
import { ListEngine, screenAgainstLists } from '../../src/screening/matching/list-engine.js';
import { isSearchable } from '../../src/screening/matching/normalise.js';

const LISTS = new URL('../../../shared/data/screening/', import.meta.url);
const READERS = new URL('../../src/screening/lists/readers/', import.meta.url);
const present = existsSync(LISTS);
const wherePresent = present ? describe : describe.skip;
if (!present) console.log('The recorded lists are not beside the project: what needs them is skipped.');

/** The names of the elements and attributes below the root. */
const namesIn = (path: string): ReadonlySet<string> => {
  const names = new Set<string>();
  const parser = sax.parser(true);
  parser.onopentag = ({ name, attributes }) => {
    names.add(name.slice(name.indexOf(':') + 1));
    for (const attribute of Object.keys(attributes)) if (!attribute.includes(':')) names.add(attribute);
  };
  parser.write(gunzipSync(readFileSync(new URL(path, LISTS))).toString('utf8')).close();
  return names;
};

/** Elements that only hold others. */
const HOLDERS = ['INDIVIDUALS', 'ENTITIES', 'xmlns'];

wherePresent('a reader', () => {
  it.each([
    ['un.ts', 'un/un_consolidated_2026-02-27.xml.gz'],
    ['eu.ts', 'eu/eu_fsf_1_1_RECONSTRUCTED_2026-01-28.xml.gz'],
    ['ofac-xml.ts', 'ofac/cons_2026-01-28_sdnxml-format.xml.gz'],
  ])('%s reads or names as ignored whatever %s has', (reader, path) => {
    const text = readFileSync(new URL(reader, READERS), 'utf8');
    const unknown = [...namesIn(path)].filter(
      (name) => !HOLDERS.includes(name) && !new RegExp(`\\b${name}\\b`).test(text),
    );
    expect(unknown).toEqual([]);
  });
});

wherePresent('the list of OFAC that is not the SDN list', () => {
  it('is read as that one is', async () => {
    const gzipped = readFileSync(new URL('ofac/cons_2026-01-28_sdnxml-format.xml.gz', LISTS));
    const { entries, publishedOn } = await readList('OFAC_NON_SDN', 'sanctions', [{ name: 'cons.xml', gzipped }]);
    expect([entries.length, publishedOn]).toEqual([442, expect.stringMatching(/^2026-01-/)]);
  });
});

/** All of them take minutes: `npm run bench:screening -- --quality` asks for each. */
const EVERY = 60;
const ID: readonly ListId[] = ['OFAC_SDN', 'EU_CONSOLIDATED', 'UN_SECURITY_COUNCIL'];

wherePresent('a name of a real list', () => {
  it.each(ID)('of %s is not clear where it is asked for as it is listed, with its own date', async (list) => {
    const source = (await sourcesIn(LISTS.pathname))?.find((one) => one.list === list);
    if (source === undefined) throw new Error(`${list} is missing`);
    const entries = await entriesOf(source);
    const engine = new ListEngine(list, 'v1', entries);
    const clear = entries
      .flatMap((entry) => entry.names.map(({ text }) => ({ entry, text })))
      .filter(({ text }, at) => at % EVERY === 0 && isSearchable(text))
      .filter(({ entry: { type, birthDates }, text }) => {
        const dated = type === 'individual' && birthDates[0] !== undefined ? { dateOfBirth: birthDates[0].from } : {};
        const query = { fullName: text, ...dated };
        return screenAgainstLists([engine], query, { potential: 0.85, confirmed: 0.95 }).status === 'clear';
      });
    expect(clear.map(({ text }) => text)).toEqual([]);
  });
});
