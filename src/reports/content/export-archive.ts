import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { identityWithId } from '../../../projections/eligibility/identities.queries.js';
import { ExportSection, type Exports, type ExportScope } from '../../platform/exports/export-section.js';
import { ReadModels, type ReadModelSnapshot } from '../../platform/projections/projection.js';
import { type DocumentRequested } from '../domain/document.events.js';
import { type DocumentTarget } from '../document-repository.js';
import { type ZipEntry, zipped } from './zip.js';

interface Section {
  readonly file: string;
  readonly exports: Exports;
}

interface ManifestFile {
  readonly name: string;
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** An export: a zip with a JSON file of each section and a manifest, from one snapshot of the read models. */
@Injectable()
export class ExportArchive {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly readModels: ReadModels,
  ) {}

  async *of(
    target: DocumentTarget,
    request: DocumentRequested['data'],
    name: ExportScope['name'],
  ): AsyncGenerator<Buffer> {
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
      yield* this.archiveOf(target, request, { name, snapshot: await opened });
    } finally {
      end();
    }
  }

  private async *archiveOf(
    { tenantId, documentId }: DocumentTarget,
    { identityId, requestedAt }: DocumentRequested['data'],
    { name, snapshot }: Pick<ExportScope, 'name' | 'snapshot'>,
  ): AsyncGenerator<Buffer> {
    const identity = identityId === null ? undefined : await identityWithId(snapshot, tenantId, identityId);
    const person = identity && { identityId: identity.identityId, identityHash: identity.identityHash };
    const scope: ExportScope = { tenantId, person, snapshot, name };
    const files: ManifestFile[] = [];
    const sections = identityId !== null && person === undefined ? [] : this.sections();
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
      content: () => counted(file, exports.records(scope), files),
    }));
    const last = {
      name: 'manifest.json',
      content: () => Readable.from([Buffer.from(JSON.stringify(manifest(), null, 2))]),
    };
    yield* zipped([...entries, last], new Date(requestedAt));
  }

  private sections(): Section[] {
    return this.discovery
      .getProviders({ metadataKey: ExportSection.KEY })
      .flatMap((wrapper) => {
        const section = this.discovery.getMetadataByDecorator(ExportSection, wrapper);
        return section === undefined ? [] : [{ file: section.file, exports: wrapper.instance as Exports }];
      })
      .sort((one, other) => one.file.localeCompare(other.file));
  }
}

/** Records as a JSON array, a line each. Adds the file to the manifest once it is complete. */
async function* counted(
  name: string,
  pages: AsyncIterable<readonly object[]>,
  files: ManifestFile[],
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
  yield seen('[');
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield seen(`${records === 0 ? '\n' : ',\n'}${page.map((record) => JSON.stringify(record)).join(',\n')}`);
    records += page.length;
  }
  yield seen('\n]\n');
  files.push({ name, records, bytes, sha256: digest.digest('hex') });
}
