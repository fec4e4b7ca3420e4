import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ListEntry } from '../../src/screening/domain/list-entry.js';
import { kindOf } from '../../src/screening/domain/known-lists.js';
import { type ListId } from '../../src/screening/domain/screening-list.js';
import { gzipped } from '../../src/screening/lists/list-store.js';
import { readList } from '../../src/screening/lists/readers/read-list.js';
import { type SourceFile } from '../../src/screening/lists/readers/source.js';
import { type EngineSource } from '../../src/screening/matching/engine-messages.js';

const HOLDERS = /^html_(holders21|family|bio|current|legislators)\.csv/;

const officeHolders = (folder: string): string[] =>
  readdirSync(join(folder, 'pep/eps'), { recursive: true, encoding: 'utf8' })
    .filter((path) => HOLDERS.test(basename(path)))
    .sort()
    .map((path) => join('pep/eps', path));

/** The newest of each list. OFAC’s aliases are of an earlier year than its names. */
const paths = (folder: string): Readonly<Record<ListId, readonly string[]>> => ({
  OFAC_SDN: ['ofac/sdn_2024-05-03.csv.gz', 'ofac/2021-07/alt.csv.gz', 'ofac/2021-07/sdn_comments.csv'],
  EU_CONSOLIDATED: ['eu/eu_fsf_1_1_RECONSTRUCTED_2026-01-28.xml.gz'],
  UN_SECURITY_COUNCIL: ['un/un_consolidated_2026-02-27.xml.gz'],
  PEP: officeHolders(folder),
});

const fileAt = (folder: string, path: string): Promise<SourceFile> => {
  const bytes = readFileSync(join(folder, path));
  return gzipped(basename(path, '.gz'), [path.endsWith('.gz') ? gunzipSync(bytes) : bytes]);
};

/** Undefined where the folder is not there. */
export const sourcesIn = async (folder: string): Promise<readonly EngineSource[] | undefined> => {
  if (!existsSync(folder)) return undefined;
  const lists = Object.entries(paths(folder)) as [ListId, readonly string[]][];
  return Promise.all(
    lists.map(async ([list, files]) => ({
      list,
      version: 'bench',
      kind: kindOf(list),
      files: await Promise.all(files.map((path) => fileAt(folder, path))),
    })),
  );
};

export const entriesOf = async ({ list, kind, files }: EngineSource): Promise<readonly ListEntry[]> =>
  (await readList(list, kind, files ?? [])).entries;
