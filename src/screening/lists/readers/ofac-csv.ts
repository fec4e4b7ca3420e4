import { type BirthDate, type ListedName, type ListEntry } from '../../domain/list-entry.js';
import { alpha2Of } from '../../matching/countries.js';
import { birthDateOf } from './dates.js';
import { countryOfPlace, ofacType } from './ofac-xml.js';
import { type ReadList } from './read-list.js';
import { NotAList, parsed, type SourceFile, textOf } from './source.js';

/** The publisher ends its files, but for the comments, by this character: one without it is cut off. */
const END = '\u001a';
const NULL = /^-0-\s*$/;

const COLUMNS = { sdn: 12, alt: 5, comments: 2 } as const;
type Part = keyof typeof COLUMNS;

const partOf = ({ name }: SourceFile): Part | 'add' => {
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
    rows.push([Number(first), cells.map((cell) => (NULL.test(cell) ? '' : cell.trim()))]);
  }
  return rows;
};

/** `LAST, First` of a person. */
const turned = (name: string): string => {
  const comma = name.indexOf(', ');
  return comma === -1 ? name : `${name.slice(comma + 2)} ${name.slice(0, comma)}`;
};

/** What remarks say after these words: `DOB 10 Dec 1948; alt. DOB 1949; POB Gaza.` */
const saidOf = (remarks: readonly string[], word: string): string[] =>
  remarks.flatMap((remark) => {
    const text = remark.replace(/^alt\. /, '');
    return text.startsWith(`${word} `) ? [text.slice(word.length + 1)] : [];
  });

/** Weak aliases stand in the remarks only. */
const weakAliases = (remarks: readonly string[]): string[] =>
  remarks.flatMap((remark) => /^[afn]\.k\.a\. '(.+)'$/.exec(remark)?.slice(1, 2) ?? []);

const birthDates = (remarks: readonly string[]): BirthDate[] =>
  saidOf(remarks, 'DOB').flatMap((text) => birthDateOf(text) ?? []);

const countries = (remarks: readonly string[]): string[] => {
  const said = [...saidOf(remarks, 'nationality'), ...saidOf(remarks, 'citizen')].map((name) => alpha2Of(name));
  const born = saidOf(remarks, 'POB').map(countryOfPlace);
  return [...new Set([...said, ...born].flatMap((code) => code ?? []))];
};

const entryOf = (cells: readonly string[], aliases: readonly string[], comment: string): ListEntry => {
  const [id = '', name = '', type = '', programs = '', ...rest] = cells;
  const remarks = `${rest.at(-1) ?? ''}${comment}`.split('; ').map((remark) => remark.trim().replace(/\.$/, ''));
  const kind = ofacType(type);
  const readable = kind === 'individual' ? turned : (text: string) => text;
  const strong = [name, ...aliases].map((text): ListedName => ({ text: readable(text), weak: false }));
  const weak = weakAliases(remarks).map((text): ListedName => ({ text: readable(text), weak: true }));
  return {
    id,
    type: kind,
    names: [...strong, ...weak],
    birthDates: birthDates(remarks),
    countries: countries(remarks),
    programs: programs.split(/\] \[|; /).map((program) => program.replace(/^\[|\]$/g, '')),
    listedOn: null,
  };
};

/** sdn.csv, with alt.csv and sdn_comments.csv where they are given. Addresses are not screened. */
export const readOfacCsv = async (files: readonly SourceFile[]): Promise<ReadList> => {
  const found = new Map(files.map((file) => [partOf(file), file]));
  const sdn = found.get('sdn');
  if (sdn === undefined || found.size < files.length) {
    throw new NotAList('OFAC’s list is sdn.csv, with alt.csv, add.csv and sdn_comments.csv at most, or sdn.xml.');
  }
  const [alt, comments] = [found.get('alt'), found.get('comments')];
  const aliases = new Map<number, string[]>();
  for (const [id, cells] of alt === undefined ? [] : await rowsOf(alt, 'alt')) {
    aliases.set(id, [...(aliases.get(id) ?? []), cells[3] ?? '']);
  }
  const more = new Map(
    (comments === undefined ? [] : await rowsOf(comments, 'comments')).map(([id, cells]) => [id, cells[1] ?? '']),
  );
  const rows = await rowsOf(sdn, 'sdn');
  return {
    entries: rows.map(([id, cells]) => entryOf(cells, aliases.get(id) ?? [], more.get(id) ?? '')),
    publishedOn: null,
  };
};
