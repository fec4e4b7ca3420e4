import { createHash } from 'node:crypto';
import { type Clock } from '../kernel/clock.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { type Database } from '../platform/postgres/database.js';
import { isReferenceGone } from '../platform/postgres/sql-states.js';
import { decrypt, encrypt } from '../platform/crypto/cipher.js';
import { type DataKeyShredder } from '../platform/crypto/data-key-shredder.js';
import { type DataKeys } from '../platform/crypto/data-keys.js';
import { ERASED } from '../platform/crypto/vault.js';

/** Bytes of plaintext in a chunk. */
const CHUNK = 256 * 1_024;

/** How often a draft shows that its maker lives, milliseconds. */
const TOUCH_INTERVAL_MS = 5_000;
/** People that a draft remembers to have named. Others are named again, which changes nothing. */
const MAX_REMEMBERED = 100_000;

export interface StoredFile {
  readonly fileId: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface FileOwner {
  readonly tenantId: TenantId;
  readonly documentId: string;
}

interface FileRow {
  readonly file_id: string;
  readonly tenant_id: TenantId;
  readonly key_id: string;
}

/** Binds a chunk to its file and its place in it. */
const associatedData = (tenantId: string, fileId: string, number: number): string =>
  `v1\0${tenantId}\0file\0${fileId}\0${number}`;

/** A file in the making. */
export class FileDraft {
  private readonly digest = createHash('sha256');
  /** People that the file names already, as far as they are remembered. */
  private readonly named = new Set<string>();
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private bytes = 0;
  private chunks = 0;
  /** On Clock.monotonic. */
  private touchedAt: number;

  constructor(
    readonly fileId: string,
    private readonly tenantId: TenantId,
    private readonly keyId: string,
    private readonly database: Database,
    private readonly keys: DataKeys,
    private readonly clock: Clock,
  ) {
    this.touchedAt = clock.monotonic();
  }

  /** Names people of the file before their data is written, so that an erasure finds the file. Throws Unavailable. */
  async name(identityHashes: readonly string[]): Promise<void> {
    await this.touch();
    const unnamed = [...new Set(identityHashes)].filter((hash) => !this.named.has(hash)).sort();
    if (unnamed.length === 0) return;
    await this.stored(() =>
      this.database.query(
        `INSERT INTO file_people (file_id, identity_hash) SELECT file_id, unnest($2::text[]) FROM files WHERE file_id = $1
         ON CONFLICT DO NOTHING`,
        [this.fileId, unnamed],
      ),
    );
    if (this.named.size + unnamed.length > MAX_REMEMBERED) this.named.clear();
    for (const hash of unnamed) this.named.add(hash);
  }

  /** Throws Unavailable, or FileDestroyed if the file was destroyed meanwhile. */
  async write(data: Buffer): Promise<void> {
    this.digest.update(data);
    this.bytes += data.length;
    this.waiting.push(data);
    this.waitingBytes += data.length;
    if (this.waitingBytes >= CHUNK) await this.flush();
  }

  async finish(): Promise<StoredFile> {
    await this.flush();
    return { fileId: this.fileId, bytes: this.bytes, sha256: this.digest.digest('hex') };
  }

  /** Its maker has given up: it counts as last written at this time. Throws Unavailable. */
  async abandon(asOf: Date): Promise<void> {
    await this.database.query('UPDATE files SET touched_at = $2 WHERE file_id = $1', [this.fileId, asOf]);
  }

  private async flush(): Promise<void> {
    const data = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    for (let from = 0; from < data.length; from += CHUNK) await this.store(data.subarray(from, from + CHUNK));
  }

  private async touch(): Promise<void> {
    const now = this.clock.monotonic();
    if (now - this.touchedAt < TOUCH_INTERVAL_MS) return;
    this.touchedAt = now;
    await this.database.query('UPDATE files SET touched_at = $2 WHERE file_id = $1', [this.fileId, this.clock.now()]);
  }

  private async store(chunk: Buffer): Promise<void> {
    await this.touch();
    const key = await this.keys.withId(this.keyId);
    if (key === ERASED) throw new FileDestroyed(this.fileId);
    const number = this.chunks;
    const { nonce, ciphertext } = encrypt(key.material(), associatedData(this.tenantId, this.fileId, number), chunk);
    const stored = await this.stored(() =>
      this.database.query(
        `INSERT INTO file_chunks (file_id, number, nonce, ciphertext) SELECT file_id, $2, $3, $4 FROM files WHERE file_id = $1
         RETURNING 1`,
        [this.fileId, number, nonce, ciphertext],
        'file_chunks_insert',
      ),
    );
    if (stored.length === 0) throw new FileDestroyed(this.fileId);
    this.chunks += 1;
  }

  /** The file may go between the reading of its row and the check of the foreign key. */
  private async stored<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      if (isReferenceGone(error)) throw new FileDestroyed(this.fileId);
      throw error;
    }
  }
}

export class FileDestroyed extends Error {
  override readonly name = 'FileDestroyed';

  constructor(fileId: string) {
    super(`file ${fileId} was destroyed`);
  }
}

/** Files in Postgres, sealed with AES-256-GCM under a data key a file. Everything throws Unavailable. */
export class EncryptedFiles {
  constructor(
    private readonly database: Database,
    private readonly keys: DataKeys,
    private readonly shredder: DataKeyShredder,
    private readonly clock: Clock,
  ) {}

  /** A new file of the document, of one process at a time. Undefined while another attempt lives: one that has written since then. */
  async claim(owner: FileOwner, since: Date): Promise<FileDraft | undefined> {
    if (await this.isBeingMade(owner, since)) return undefined;
    const { tenantId, documentId } = owner;
    const fileId = newUuid();
    const { id: keyId } = await this.keys.ofOwner({ tenantId, subject: `/file/${fileId}` });
    const claimed = await this.database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`file of ${documentId}`]);
      return transaction.query(
        `INSERT INTO files (file_id, tenant_id, document_id, key_id, created_at, touched_at) SELECT $1, $2, $3, $4, $5, $5
         WHERE NOT EXISTS (SELECT FROM files WHERE tenant_id = $2 AND document_id = $3 AND touched_at > $6) RETURNING 1`,
        [fileId, tenantId, documentId, keyId, this.clock.now(), since],
      );
    });
    if (claimed.length > 0) return new FileDraft(fileId, tenantId, keyId, this.database, this.keys, this.clock);
    await this.shredder.destroy([keyId], this.clock.now());
    return undefined;
  }

  /** The file's bytes in order. Throws FileDestroyed, also in the middle. */
  async *read(fileId: string): AsyncGenerator<Buffer> {
    const [file] = await this.database.query<FileRow>(
      'SELECT file_id, tenant_id, key_id FROM files WHERE file_id = $1',
      [fileId],
    );
    if (file === undefined) throw new FileDestroyed(fileId);
    for (let number = 0; ; number += 1) {
      const [chunk] = await this.database.query<{ nonce: Buffer; ciphertext: Buffer }>(
        'SELECT nonce, ciphertext FROM file_chunks WHERE file_id = $1 AND number = $2',
        [fileId, number],
        'file_chunks_read',
      );
      const key = await this.keys.withId(file.key_id);
      if (key === ERASED) throw new FileDestroyed(fileId);
      if (chunk === undefined) return;
      yield decrypt(key.material(), associatedData(file.tenant_id, fileId, number), chunk);
    }
  }

  /** Whether a read of the file would begin. */
  async isPresent(fileId: string): Promise<boolean> {
    const rows = await this.database.query('SELECT 1 FROM files WHERE file_id = $1', [fileId]);
    return rows.length > 0;
  }

  /** Destroys the file's key, then its rows. May be repeated. */
  async destroy(fileId: string): Promise<void> {
    await this.destroyAll('file_id = $1', [fileId]);
  }

  /** Destroys all files of a document but this one: remains of attempts that did not end. */
  async destroyOthers({ tenantId, documentId }: FileOwner, kept: string | null): Promise<void> {
    await this.destroyAll('tenant_id = $1 AND document_id = $2 AND file_id IS DISTINCT FROM $3', [
      tenantId,
      documentId,
      kept,
    ]);
  }

  /** The documents of an account with files that name this person, complete or not. */
  async documentsNaming(tenantId: TenantId, identityHash: string): Promise<readonly FileOwner[]> {
    const rows = await this.database.query<{ document_id: string }>(
      `SELECT DISTINCT document_id FROM files JOIN file_people USING (file_id) WHERE identity_hash = $1 AND tenant_id = $2`,
      [identityHash, tenantId],
    );
    return rows.map((row) => ({ tenantId, documentId: row.document_id }));
  }

  private async isBeingMade({ tenantId, documentId }: FileOwner, since: Date): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM files WHERE tenant_id = $1 AND document_id = $2 AND touched_at > $3',
      [tenantId, documentId, since],
    );
    return rows.length > 0;
  }

  private async destroyAll(condition: string, values: readonly unknown[]): Promise<void> {
    const rows = await this.database.query<FileRow>(
      `SELECT file_id, tenant_id, key_id FROM files WHERE ${condition}`,
      values,
    );
    if (rows.length === 0) return;
    await this.shredder.destroy(
      rows.map((row) => row.key_id),
      this.clock.now(),
    );
    await this.database.query('DELETE FROM files WHERE file_id = ANY($1::uuid[])', [rows.map((row) => row.file_id)]);
  }
}
