import { DiscoveryService } from '@nestjs/core';
import { type TenantId } from '../../kernel/ids.js';
import { type ReadModelSnapshot } from '../../log/project/projection.js';

export interface ExportScope {
  readonly tenantId: TenantId;
  /** Limits the export to this person. */
  readonly person: { readonly identityId: string; readonly identityHash: string } | undefined;
  /** All sections of an export read the same snapshot. */
  readonly snapshot: ReadModelSnapshot;
  /** To be awaited with the people of records before these are given out, so that their erasure finds the file. */
  readonly name: (identityHashes: readonly string[]) => Promise<void>;
}

/** What a slice keeps of an account. Records are plain objects, decrypted, in pages. */
export interface Exports {
  records(scope: ExportScope): AsyncIterable<readonly object[]>;
}

/** The rows of a section by pages. `read` gets the last row of the page before. */
export async function* pagesOf<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let page: readonly Row[] | undefined;
  do {
    page = await read(page?.at(-1));
    yield page;
  } while (page.length === size);
}

export interface ExportSectionOptions {
  /** The JSON file of its records in the archive. */
  readonly file: string;
  /** The read model that its records come from: an export waits until that has caught up. */
  readonly readModel: string;
}

/** Marks a provider that implements Exports. */
export const ExportSection = DiscoveryService.createDecorator<ExportSectionOptions>();
