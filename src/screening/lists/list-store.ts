import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { type ListId, type ScreeningKind } from '../domain/screening-list.js';
import { type Database, type Queryable } from '../../platform/postgres/database.js';
import { type SourceFile } from './readers/source.js';

/** The files of a version, and what kind of list it is. */
export interface KeptVersion {
  readonly kind: ScreeningKind;
  readonly files: readonly SourceFile[];
}

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

/** Gzips a published file, so that the same text always gives the same bytes. Only what is gzipped is held in memory. */
export const gzipped = async (
  name: string,
  text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<SourceFile> => {
  const pieces: Buffer[] = [];
  await pipeline(Readable.from(text), createGzip(), async (compressed: AsyncIterable<Buffer>) => {
    for await (const piece of compressed) pieces.push(piece);
  });
  return { name, gzipped: Buffer.concat(pieces) };
};

/** The digest of the text, whoever has compressed it. */
const sha256Of = async ({ gzipped: bytes }: SourceFile): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(Readable.from([bytes]), createGunzip(), hash);
  return hash.digest('hex');
};

export const storedFiles = (files: readonly SourceFile[]): Promise<StoredFile[]> =>
  Promise.all(files.map(async (file) => ({ name: file.name, sha256: await sha256Of(file) })));

/** One digest of a version's files. */
export const sha256OfAll = (files: readonly StoredFile[]): string =>
  createHash('sha256')
    .update(
      files
        .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
        .sort()
        .join(''),
    )
    .digest('hex');

/** Bytes of a file that one statement takes or gives, well within its budget. */
const PIECE = 1_048_576;

/** A file that is there stays as it is: its bytes may have been compressed otherwise. */
const putFile = async (transaction: Queryable, sha256: string, { gzipped: bytes }: SourceFile): Promise<void> => {
  for (let piece = 0; piece === 0 || piece * PIECE < bytes.length; piece += 1) {
    const part = Buffer.from(bytes.subarray(piece * PIECE, (piece + 1) * PIECE));
    const added = await transaction.query(
      'INSERT INTO screening_files (sha256, piece, gzipped) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1',
      [sha256, piece, part],
    );
    if (added.length === 0) return;
  }
};

/** The files of the lists, by their content, and when each publisher answered last. */
export class ListStore {
  constructor(private readonly database: Database) {}

  /** May be repeated. */
  async put(list: ListId, version: string, { kind, files }: KeptVersion, stored: readonly StoredFile[]): Promise<void> {
    await this.database.transaction(async (transaction) => {
      for (const [index, file] of files.entries()) await putFile(transaction, stored[index]?.sha256 ?? '', file);
      await transaction.query(
        'INSERT INTO screening_versions (list, version, kind, files) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [list, version, kind, JSON.stringify(stored)],
      );
    });
  }

  /** Undefined where the version was never stored. */
  async kept(list: ListId, version: string): Promise<KeptVersion | undefined> {
    const [row] = await this.database.query<{ readonly kind: ScreeningKind; readonly files: readonly StoredFile[] }>(
      'SELECT kind, files FROM screening_versions WHERE list = $1 AND version = $2',
      [list, version],
    );
    if (row === undefined) return undefined;
    const files: SourceFile[] = [];
    for (const { name, sha256 } of row.files) {
      const bytes = await this.file(sha256);
      if (bytes === undefined) return undefined;
      files.push({ name, gzipped: bytes });
    }
    return { kind: row.kind, files };
  }

  /** Undefined where it is not kept. */
  private async file(sha256: string): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for (;;) {
      const [row] = await this.database.query<{ readonly gzipped: Buffer }>(
        'SELECT gzipped FROM screening_files WHERE sha256 = $1 AND piece = $2',
        [sha256, pieces.length],
      );
      if (row === undefined) return pieces.length === 0 ? undefined : Buffer.concat(pieces);
      pieces.push(row.gzipped);
    }
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
