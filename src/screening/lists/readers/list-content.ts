import { type ListEntry } from '../../domain/list-entry.js';

export interface ReadList {
  readonly entries: readonly ListEntry[];
  /** YYYY-MM-DD as the publisher says; null where the files do not say it. */
  readonly publishedOn: string | null;
}
