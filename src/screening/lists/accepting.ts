import { newUuid } from '../../kernel/ids.js';
import { type AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { type AcceptList, type ListsInForce } from '../domain/list-acceptance.js';
import { screeningListCategory } from '../domain/list.category.js';
import { SCREENING_LIST_STREAM, type ScreeningListAccepted } from '../domain/list.events.js';
import { deltaBetween, digestsOf, type ListEntry } from '../domain/list-entry.js';
import { type ListDelta, type ListId, type ScreeningKind } from '../domain/screening-list.js';
import { type KeptVersion, type ListStore, sha256OfAll, storedFiles } from './list-store.js';
import { type ReadList } from './readers/list-content.js';
import { READER_VERSION, readList } from './readers/read-list.js';
import { type SourceFile } from './readers/source.js';

/** The files of one version as they were got. */
export interface Candidate {
  readonly list: ListId;
  readonly kind: ScreeningKind;
  readonly files: readonly SourceFile[];
  /** YYYY-MM-DD, for files that do not say it themselves. */
  readonly publishedOn: string | null;
  readonly origin: 'download' | 'import';
  /** An operator takes it whatever its size, its changes and its date. */
  readonly accept: boolean;
  /** Who takes it, and why. Null where the service does by itself. */
  readonly decision: OperatorDecision | null;
}

export interface OperatorDecision {
  /** Keyed hash of the operator's name. */
  readonly operatorHash: string;
  readonly justification: string | null;
}

export interface Acceptance {
  readonly version: string;
  readonly entries: number;
  readonly delta: ListDelta;
  /** False: it is the version in force already. */
  readonly isNew: boolean;
}

const DIGITS = 16;

/** None of a version whose files are damaged: it must not keep the next from being taken. */
const entriesIfReadable = async (list: ListId, { kind, files }: KeptVersion): Promise<readonly ListEntry[]> => {
  try {
    return (await readList(list, kind, files)).entries;
  } catch {
    return [];
  }
};

/** Judges new versions of lists and puts them in force for every instance. */
export class Accepting {
  private readonly lists: Aggregates<ListsInForce, AcceptList, ScreeningListAccepted>;

  constructor(
    aggregates: AggregateStore,
    private readonly store: ListStore,
  ) {
    this.lists = aggregates.of(screeningListCategory);
  }

  async inForce(): Promise<ListsInForce['versions']> {
    return (await this.lists.load(SCREENING_LIST_STREAM)).state.versions;
  }

  /** Throws NotAList, or the rejection `list_refused`; the version in force then stays. */
  async accept(candidate: Candidate): Promise<Acceptance> {
    const { list, kind, files, decision } = candidate;
    const read = await readList(list, kind, files);
    const publishedOn = read.publishedOn ?? candidate.publishedOn;
    const stored = await storedFiles(files);
    const sha256 = sha256OfAll(stored);
    const version = `${publishedOn ?? 'undated'}.${sha256.slice(0, DIGITS)}`;
    const present = (await this.inForce()).get(list);
    const delta = await this.deltaFrom(list, present?.version ?? null, read);
    await this.store.put(list, version, { kind, files }, stored);
    const data = {
      list,
      kind,
      version,
      replaces: present?.version ?? null,
      publishedOn,
      sha256,
      files: stored,
      readerVersion: READER_VERSION,
      entries: read.entries.length,
      unreadDates: read.entries.reduce((sum, { unreadDates = [] }) => sum + unreadDates.length, 0),
      added: delta.added.length,
      removed: delta.removed.length,
      changed: delta.changed.length,
      justification: decision?.justification ?? null,
      origin: candidate.origin,
    };
    const actor =
      decision === null
        ? ({ type: 'system', id: 'screening-lists' } as const)
        : ({ type: 'operator', id: decision.operatorHash } as const);
    const metadata = { requestId: newUuid(), actor };
    const { appended } = await this.lists.execute(
      SCREENING_LIST_STREAM,
      { data, accept: candidate.accept },
      { metadata },
    );
    return { version, entries: read.entries.length, delta, isNew: appended.length > 0 };
  }

  private async deltaFrom(list: ListId, version: string | null, { entries }: ReadList): Promise<ListDelta> {
    const kept = version === null ? undefined : await this.store.kept(list, version);
    const before = kept === undefined ? [] : await entriesIfReadable(list, kept);
    return deltaBetween(digestsOf(before), digestsOf(entries));
  }
}
