import { type ReadList } from './list-content.js';
import { formatOf, type ListFormat } from '../../domain/known-lists.js';
import { type ListId, type ScreeningKind } from '../../domain/screening-list.js';
import { readEu } from './eu.js';
import { readFollowTheMoney } from './follow-the-money.js';
import { readOfacAdvanced } from './ofac-advanced.js';
import { readOfacCsv } from './ofac-csv.js';
import { withOfacDelta } from './ofac-delta.js';
import { readOfacXml } from './ofac-xml.js';
import { readPep } from './pep.js';
import { readSeco } from './seco.js';
import { beginningOf, NotAList, type SourceFile } from './source.js';
import { readUk } from './uk.js';
import { readUn } from './un.js';

/** Changes with every change of the readers that can change an entry. */
export const READER_VERSION = '4';

const rootOf = async (file: SourceFile): Promise<string | undefined> =>
  /<(?:\w+:)?(sdnList|Sanctions|sanctionsData)[\s>]/.exec(await beginningOf(file))?.[1];

/** One list of any of its formats, and behind it the changes since, in their order. */
const readOfac = async (files: readonly SourceFile[]): Promise<ReadList> => {
  const roots = await Promise.all(files.map(rootOf));
  const [deltas, whole] = [true, false].map((isDelta) =>
    files.filter((_, at) => (roots[at] === 'sanctionsData') === isDelta),
  );
  const [file] = whole ?? [];
  if (file === undefined) throw new NotAList('A delta changes a list: name the files of that list before it');
  let read = await readOfacWhole(whole ?? [], roots[files.indexOf(file)]);
  for (const delta of deltas ?? []) read = await withOfacDelta(read, delta);
  return read;
};

const readOfacWhole = (files: readonly SourceFile[], root: string | undefined): Promise<ReadList> => {
  const [file] = files;
  if (file === undefined || files.length > 1 || root === undefined) return readOfacCsv(files);
  return root === 'Sanctions' ? readOfacAdvanced(file) : readOfacXml(file);
};

const single =
  (read: (file: SourceFile) => Promise<ReadList>) =>
  (files: readonly SourceFile[]): Promise<ReadList> => {
    const [file, ...more] = files;
    if (file === undefined || more.length > 0) throw new NotAList('This list is one file.');
    return read(file);
  };

type Read = (files: readonly SourceFile[], kind: ScreeningKind) => Promise<ReadList>;

const READERS: Readonly<Record<ListFormat, Read>> = {
  ofac: readOfac,
  eu: single(readEu),
  un: single(readUn),
  uk: single(readUk),
  seco: single(readSeco),
  office_holders: readPep,
  follow_the_money: (files, kind) => single((file) => readFollowTheMoney(file, kind))(files),
};

/** Reads the files of one version. Throws NotAList. */
export const readList = async (list: ListId, kind: ScreeningKind, files: readonly SourceFile[]): Promise<ReadList> => {
  const read = await READERS[formatOf(list)](files, kind);
  if (read.entries.length === 0) throw new NotAList('The list has no entries.');
  return read;
};
