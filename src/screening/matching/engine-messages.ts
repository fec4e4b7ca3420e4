import { type Digests, type ListEntry } from '../domain/list-entry.js';
import {
  type Evidence,
  type ListId,
  type ScreeningKind,
  type ScreeningOutcome,
  type ScreeningQuery,
} from '../domain/screening-list.js';
import { type SourceFile } from '../lists/readers/source.js';
import { type Thresholds } from './list-engine.js';

export interface EngineSource {
  readonly list: ListId;
  readonly version: string;
  readonly kind: ScreeningKind;
  readonly dispensable?: boolean;
  /** Null: the documented names of the sandbox. */
  readonly files: readonly SourceFile[] | null;
}

export interface ComparedPair {
  readonly entryId: string;
  readonly query: ScreeningQuery;
}

/** An entry, and what speaks for and against its being the one that the query is about. */
export interface ComparedEntry {
  readonly entry: ListEntry;
  /** SHA-256 of what it says, hexadecimal. */
  readonly digest: string;
  /** Empty where today's engine finds nothing alike. */
  readonly evidence: readonly Evidence[];
}

/** What an engine's thread begins with. */
export interface EngineLists {
  readonly sources: readonly EngineSource[];
  readonly thresholds: Thresholds;
}

export interface ScreenRequest {
  readonly ask: 'screen';
  readonly kind: ScreeningKind;
  readonly query: ScreeningQuery;
}

export type EngineRequest =
  | ScreenRequest
  | {
      readonly ask: 'screen_many';
      readonly list: ListId;
      readonly entryIds: readonly string[];
      readonly queries: readonly ScreeningQuery[];
    }
  | { readonly ask: 'compare'; readonly list: ListId; readonly pairs: readonly ComparedPair[] }
  | { readonly ask: 'digests'; readonly list: ListId }
  | { readonly ask: 'sizes' };

/** What each request is answered by. */
export interface EngineResults {
  readonly screen: ScreeningOutcome;
  readonly screen_many: readonly ScreeningOutcome[];
  /** In the order of the pairs; null where the list has no such entry. */
  readonly compare: readonly (ComparedEntry | null)[];
  readonly digests: Digests;
  readonly sizes: ReadonlyMap<ListId, number>;
}

/** The first message of a thread: the lists that it has read. */
export interface EngineReady {
  readonly ready: true;
  readonly lists: readonly ListId[];
}

export type EngineReply =
  { readonly id: number; readonly result: unknown } | { readonly id: number; readonly fault: string };
