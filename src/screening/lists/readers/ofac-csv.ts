import { type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { countriesNamed } from '../../matching/countries.js';
import { readDates } from './dates.js';
import { identifierIn } from './identifiers.js';
import { withOriginals } from './names.js';
import { countriesOfPlace, ofacGender, ofacType } from './ofac-xml.js';
import { type ReadList } from './list-content.js';
import { NotAList, parsed, type SourceFile, textOf } from './source.js';

/** The publisher ends its files, but for the comments, by this character: one without it is cut off. */
const END = '\u001a';
const NULL = /^-0-\s*$/;

const COLUMNS = { sdn: 12, alt: 5, add: 6, comments: 2 } as const;
type Part = keyof typeof COLUMNS;
/** The place of the remarks in a row of sdn.csv. A longer remark goes on in the comments. */
const REMARKS = 11;
const MAX_REMARK_LENGTH = 1_000;

const partOf = ({ name }: SourceFile): Part => {
  const plain = name.toLowerCase();
  if (/comment/.test(plain)) return 'comments';
  if (/(^|[^a-z])alt/.test(plain)) return 'alt';
  return /(^|[^a-z])add/.test(plain) ? 'add' : 'sdn';
};

async function* withoutEnd(file: SourceFile, part: Part): AsyncGenerator<string> {
  let last = '';
  for await (const piece of textOf(file)) {
    const text = piece.trimEnd();
    if (text !== '') last = text.slice(-1);
    yield piece.replaceAll(END, '');
  }
  if (part !== 'comments' && last !== END)
    throw new NotAList(`${file.name} does not end as the publisher ends it: it is cut off`);
}

/** Rows by number of entry; a cell without a value is empty. */
const rowsOf = async (file: SourceFile, part: Part): Promise<[number, string[]][]> => {
  const rows: [number, string[]][] = [];
  const parser = parsed<string[]>(withoutEnd(file, part), {
    relaxQuotes: true,
    skipEmptyLines: true,
    relaxColumnCount: true,
  });
  for await (const cells of parser) {
    const [first = ''] = cells;
    if (cells.length !== COLUMNS[part] || !/^\d+$/.test(first)) {
      throw new NotAList(`row ${rows.length + 1} of ${file.name} is not one of OFAC’s ${part} file`);
    }
    // Remarks may be cut off behind a space, and go on in the comments.
    rows.push([Number(first), cells.map((cell, at) => (NULL.test(cell) ? '' : at === REMARKS ? cell : cell.trim()))]);
  }
  return rows;
};

/** `LAST, First` of a person. */
const turned = (name: string): string => {
  const comma = name.indexOf(', ');
  return comma === -1 ? name : `${name.slice(comma + 2)} ${name.slice(0, comma)}`;
};

/** What remarks say after these words: `DOB 10 Dec 1948; alt. DOB 1949; POB Gaza.` */
const remarkValues = (remarks: readonly string[], word: string): string[] =>
  remarks.flatMap((remark) => {
    const text = remark.replace(/^alt\. /, '');
    return text.startsWith(`${word} `) ? [text.slice(word.length + 1)] : [];
  });

/** Weak aliases stand in the remarks only. */
const weakAliases = (remarks: readonly string[]): string[] =>
  remarks.flatMap((remark) => /^[afn]\.k\.a\. '(.+)'$/.exec(remark)?.slice(1, 2) ?? []);

const countries = (remarks: readonly string[], flag: string): string[] => {
  const labels = ['nationality', 'citizen', 'Nationality of Registration', 'Former Vessel Flag', 'Other Vessel Flag'];
  const nationalities = [flag, ...labels.flatMap((label) => remarkValues(remarks, label))].flatMap(countriesNamed);
  const born = remarkValues(remarks, 'POB').flatMap(countriesOfPlace);
  return [...new Set([...nationalities, ...born])];
};

/** What the other files say of an entry. */
interface Beside {
  readonly aliases: readonly string[];
  readonly comment: string;
  readonly addresses: readonly string[];
}

const entryOf = (cells: readonly string[], { aliases, comment, addresses }: Beside): ListEntry => {
  const [id = '', name = '', type = '', programs = '', , callSign = '', , , , flag = ''] = cells;
  const remarks = `${cells[REMARKS] ?? ''}${comment}`.split(/;\s*/).map((remark) => remark.trim().replace(/\.$/, ''));
  const kind = ofacType(type);
  const readable = kind === 'individual' ? turned : (text: string) => text;
  const strong = [name, ...aliases].map((text): ListedName => ({ text: readable(text), weak: false }));
  const weak = weakAliases(remarks).map((text): ListedName => ({ text: readable(text), weak: true }));
  const born = readDates(remarkValues(remarks, 'DOB'));
  return {
    id,
    type: kind,
    names: withOriginals([...strong, ...weak]),
    birthDates: born.dates,
    unreadDates: born.unread,
    countries: countries(remarks, flag),
    genders: remarkValues(remarks, 'Gender').flatMap(ofacGender),
    identifiers: [
      ...remarks.flatMap((remark) => identifierIn(remark) ?? []),
      ...(callSign === '' ? [] : [{ type: 'registration' as const, number: callSign }]),
    ],
    addresses,
    programs: programs.split(/\] \[|; /).map((program) => program.replace(/^\[|\]$/g, '')),
    listedOn: null,
  };
};

const ALL_FILES = 'import sdn.csv, alt.csv, add.csv and sdn_comments.csv together, or sdn.xml';

/** Texts by number of entry. */
const grouped = (
  rows: readonly (readonly [number, readonly string[]])[],
  text: (cells: readonly string[]) => string,
): ReadonlyMap<number, readonly string[]> => {
  const groups = new Map<number, string[]>();
  for (const [id, cells] of rows) {
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [text(cells)]);
    else group.push(text(cells));
  }
  return groups;
};

/** sdn.csv with alt.csv, which has the aliases, and with sdn_comments.csv and add.csv where they are given. */
export const readOfacCsv = async (files: readonly SourceFile[]): Promise<ReadList> => {
  const found = new Map(files.map((file) => [partOf(file), file]));
  const [sdn, alt, comments, add] = [found.get('sdn'), found.get('alt'), found.get('comments'), found.get('add')];
  if (sdn === undefined || found.size < files.length) {
    throw new NotAList('OFAC’s list is sdn.csv with alt.csv, add.csv and sdn_comments.csv, or sdn.xml.');
  }
  if (alt === undefined) throw new NotAList(`alt.csv is missing: all aliases stand there alone; ${ALL_FILES}`);
  const aliases = grouped(await rowsOf(alt, 'alt'), (cells) => cells[3] ?? '');
  const more = grouped(comments === undefined ? [] : await rowsOf(comments, 'comments'), (cells) => cells[1] ?? '');
  const places = grouped(add === undefined ? [] : await rowsOf(add, 'add'), (cells) =>
    cells
      .slice(2, 5)
      .filter((cell) => cell !== '')
      .join(', '),
  );
  const rows = await rowsOf(sdn, 'sdn');
  const cut = rows.find(([id, cells]) => (cells[REMARKS] ?? '').length >= MAX_REMARK_LENGTH && !more.has(id));
  if (cut !== undefined && comments === undefined) {
    throw new NotAList(`sdn_comments.csv is missing: the remarks of entry ${cut[0]} go on there; ${ALL_FILES}`);
  }
  return {
    entries: rows.map(([id, cells]) =>
      entryOf(cells, {
        aliases: aliases.get(id) ?? [],
        comment: more.get(id)?.join('') ?? '',
        addresses: (places.get(id) ?? []).filter((place) => place !== ''),
      }),
    ),
    publishedOn: null,
  };
};
