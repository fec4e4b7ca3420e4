import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { identityWithId } from '../../../projections/eligibility/identities.queries.js';
import { type ExportScope } from '../../contract/exports/export-section.js';
import { ReadModels, type ReadModelSnapshot } from '../../log/project/projection.js';
import { type DocumentRequested } from '../domain/document.events.js';
import { type DocumentTarget } from '../document-repository.js';
import { ExportSections } from './export-sections.js';
import { type ZipEntry, zipped } from './zip.js';

interface ManifestFile {
  readonly name: string;
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Whose export, which one, and what is reported while it is made. */
export interface ExportOrder extends DocumentTarget {
  readonly request: Pick<DocumentRequested['data'], 'identityId' | 'requestedAt'>;
  readonly name: ExportScope['name'];
  /** Told how many records of a file are in the archive so far, after each page. */
  readonly progress?: (file: string, records: number) => void;
}

/** An export: a zip with a JSON file of each section and a manifest, from one snapshot of the read models. */
@Injectable()
export class ExportArchive {
  constructor(
    private readonly sections: ExportSections,
    private readonly readModels: ReadModels,
  ) {}

  /** The read models that its sections come from. */
  readFrom(): readonly string[] {
    return [...new Set(this.sections.all().map(({ readModel }) => readModel))];
  }

  async *of(order: ExportOrder): AsyncGenerator<Buffer> {
    // A generator can't run inside the callback of a transaction, so the transaction waits for its end.
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const opened = new Promise<ReadModelSnapshot>((resolve, reject) => {
      this.readModels
        .snapshot(async (snapshot) => {
          resolve(snapshot);
          await ended;
        })
        .catch(reject);
    });
    try {
      yield* this.archiveOf(order, await opened);
    } finally {
      end();
    }
  }

  private async *archiveOf(
    { tenantId, documentId, request: { identityId, requestedAt }, name, progress }: ExportOrder,
    snapshot: ReadModelSnapshot,
  ): AsyncGenerator<Buffer> {
    const identity = identityId === null ? undefined : await identityWithId(snapshot, tenantId, identityId);
    const person = identity && { identityId: identity.identityId, identityHash: identity.identityHash };
    const scope: ExportScope = { tenantId, person, snapshot, name };
    const files: ManifestFile[] = [];
    const sections = identityId !== null && person === undefined ? [] : this.sections.all();
    const manifest = (): object => ({
      export_id: documentId,
      tenant_id: tenantId,
      identity_id: identityId,
      requested_at: requestedAt,
      log_positions: Object.fromEntries([...snapshot.positions].map(([key, at]) => [key, at.toString()])),
      files,
    });
    const entries: ZipEntry[] = sections.map(({ file, exports }) => ({
      name: file,
      content: () => counted(file, exports.records(scope), files, progress),
    }));
    const last = {
      name: 'manifest.json',
      content: () => Readable.from([Buffer.from(JSON.stringify(manifest(), null, 2))]),
    };
    yield* zipped([...entries, last], new Date(requestedAt));
  }
}

/** Records as a JSON array, a line each. Adds the file to the manifest once it is complete. */
async function* counted(
  name: string,
  pages: AsyncIterable<readonly object[]>,
  files: ManifestFile[],
  progress: ExportOrder['progress'],
): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let bytes = 0;
  let records = 0;
  const seen = (text: string): Buffer => {
    const data = Buffer.from(text);
    digest.update(data);
    bytes += data.length;
    return data;
  };
  progress?.(name, 0);
  yield seen('[');
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield seen(`${records === 0 ? '\n' : ',\n'}${page.map((record) => JSON.stringify(record)).join(',\n')}`);
    records += page.length;
    progress?.(name, records);
  }
  yield seen('\n]\n');
  files.push({ name, records, bytes, sha256: digest.digest('hex') });
}
