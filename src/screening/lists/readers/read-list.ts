import { type ListEntry } from '../../domain/list-entry.js';
import { type ListId } from '../../domain/screening-list.js';
import { readEu } from './eu.js';
import { readOfacCsv } from './ofac-csv.js';
import { readOfacXml } from './ofac-xml.js';
import { readPep } from './pep.js';
import { beginningOf, NotAList, type SourceFile } from './source.js';
import { readUn } from './un.js';

/** Changes with every change of the readers that can change an entry. */
export const READER_VERSION = '1';

export interface ReadList {
  readonly entries: readonly ListEntry[];
  /** YYYY-MM-DD as the publisher says; null where the files do not say it. */
  readonly publishedOn: string | null;
}

const readOfac = async (files: readonly SourceFile[]): Promise<ReadList> => {
  const [file] = files;
  const isXml = file !== undefined && files.length === 1 && (await beginningOf(file)).startsWith('<');
  return isXml ? readOfacXml(file) : readOfacCsv(files);
};

const single =
  (read: (file: SourceFile) => Promise<ReadList>) =>
  (files: readonly SourceFile[]): Promise<ReadList> => {
    const [file, ...more] = files;
    if (file === undefined || more.length > 0) throw new NotAList('This list is one file.');
    return read(file);
  };

const READERS: Readonly<Record<ListId, (files: readonly SourceFile[]) => Promise<ReadList>>> = {
  OFAC_SDN: readOfac,
  EU_CONSOLIDATED: single(readEu),
  UN_SECURITY_COUNCIL: single(readUn),
  PEP: readPep,
};

/** Reads the files of one version. Throws NotAList. */
export const readList = async (list: ListId, files: readonly SourceFile[]): Promise<ReadList> => {
  const read = await READERS[list](files);
  if (read.entries.length === 0) throw new NotAList('The list has no entries.');
  return read;
};
