import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type ListId } from '../domain/screening-list.js';
import { type Database } from '../../platform/postgres/database.js';
import { type SourceFile } from './readers/source.js';

export interface StoredFile {
  readonly name: string;
  readonly sha256: string;
}

/** What a publisher said of its last answer, to be repeated with the next request. */
export interface LastAnswer {
  readonly answeredAt: Date;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly refused: string | null;
}

const hash = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Gzips a published file, so that the same text always gives the same bytes. */
export const gzipped = async (name: string, bytes: Uint8Array): Promise<SourceFile> => ({
  name,
  gzipped: await promisify(gzip)(bytes),
});

/** The digest of the text, whoever has compressed it. */
const sha256Of = async ({ gzipped: bytes }: SourceFile): Promise<string> => hash(await promisify(gunzip)(bytes));

export const storedFiles = (files: readonly SourceFile[]): Promise<StoredFile[]> =>
  Promise.all(files.map(async (file) => ({ name: file.name, sha256: await sha256Of(file) })));

/** One digest of a version's files. */
export const sha256OfAll = (files: readonly StoredFile[]): string =>
  hash(
    files
      .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
      .sort()
      .join(''),
  );

/** The files of the lists, by their content, and when each publisher answered last. */
export class ListStore {
  constructor(private readonly database: Database) {}

  /** May be repeated. */
  async put(list: ListId, version: string, files: readonly SourceFile[], stored: readonly StoredFile[]): Promise<void> {
    await this.database.transaction(async (transaction) => {
      for (const [index, file] of files.entries()) {
        await transaction.query(
          'INSERT INTO screening_files (sha256, gzipped) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          [stored[index]?.sha256, Buffer.from(file.gzipped)],
        );
      }
      await transaction.query(
        'INSERT INTO screening_versions (list, version, files) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [list, version, JSON.stringify(stored)],
      );
    });
  }

  /** Undefined where the version was never stored. */
  async files(list: ListId, version: string): Promise<SourceFile[] | undefined> {
    const [row] = await this.database.query<{ readonly files: readonly StoredFile[] }>(
      'SELECT files FROM screening_versions WHERE list = $1 AND version = $2',
      [list, version],
    );
    if (row === undefined) return undefined;
    const rows = await this.database.query<{ readonly sha256: string; readonly gzipped: Buffer }>(
      'SELECT sha256, gzipped FROM screening_files WHERE sha256 = ANY($1)',
      [row.files.map(({ sha256 }) => sha256)],
    );
    const found = new Map(rows.map(({ sha256, gzipped: bytes }) => [sha256, bytes]));
    const files = row.files.flatMap(({ name, sha256 }) => {
      const bytes = found.get(sha256);
      return bytes === undefined ? [] : [{ name, gzipped: bytes }];
    });
    return files.length === row.files.length ? files : undefined;
  }

  async answered(list: ListId, answer: Omit<LastAnswer, 'answeredAt'>): Promise<void> {
    await this.database.query(
      `INSERT INTO screening_downloads (list, answered_at, etag, last_modified, refused) VALUES ($1, now(), $2, $3, $4)
       ON CONFLICT (list) DO UPDATE SET answered_at = excluded.answered_at, etag = excluded.etag,
         last_modified = excluded.last_modified, refused = excluded.refused`,
      [list, answer.etag, answer.lastModified, answer.refused],
    );
  }

  /** Notes why an answer was refused. It makes the list in force no younger. */
  async refused(list: ListId, reason: string): Promise<void> {
    await this.database.query(
      `INSERT INTO screening_downloads (list, answered_at, refused) VALUES ($1, to_timestamp(0), $2)
       ON CONFLICT (list) DO UPDATE SET refused = excluded.refused`,
      [list, reason],
    );
  }

  async lastAnswers(): Promise<ReadonlyMap<ListId, LastAnswer>> {
    const rows = await this.database.query<LastAnswer & { readonly list: ListId }>(
      `SELECT list, answered_at AS "answeredAt", etag, last_modified AS "lastModified", refused FROM screening_downloads`,
    );
    return new Map(rows.map((row) => [row.list, row]));
  }
}
