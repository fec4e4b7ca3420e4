import { type ReadList } from './list-content.js';
import { readFollowTheMoney } from './follow-the-money.js';
import { readOfficeHolders } from './office-holders.js';
import { readTargets } from './open-sanctions.js';
import { beginningOf, NotAList, type SourceFile } from './source.js';

/**
 * Office holders in one of three formats: OpenSanctions' targets.simple.csv, lines of FollowTheMoney, or tables of holders,
 * families and biographies from Wikidata.
 */
export const readPep = async (files: readonly SourceFile[]): Promise<ReadList> => {
  const [file] = files;
  if (file === undefined) throw new NotAList('No file is given.');
  const beginning = files.length === 1 ? await beginningOf(file) : '';
  if (beginning.startsWith('{')) return readFollowTheMoney(file, 'pep');
  if (/^"?id"?,"?schema"?,"?name"?,/.test(beginning)) return readTargets(file);
  return readOfficeHolders(files);
};
