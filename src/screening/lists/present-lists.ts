import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type ListsInForce } from '../domain/list-acceptance.js';
import { SCREENING_LIST_STREAM } from '../domain/list.events.js';
import { byList, kindOf, KNOWN_LISTS, requiredLists } from '../domain/known-lists.js';
import { type ListId, SCREENING_KINDS, type ScreeningKind } from '../domain/screening-list.js';
import { type Wanted } from '../matching/engine-threads.js';
import { type Accepting } from './accepting.js';
import { type LastAnswer, type ListStore } from './list-store.js';
import { SANDBOX_ENTRIES, SANDBOX_VERSION } from './sandbox.js';

const DAY = 86_400_000;

/** A list of this deployment as a reader sees it. */
export interface DescribedList {
  readonly list: ListId;
  readonly kind: ScreeningKind;
  /** Null of a list of the operator's own. */
  readonly publisher: string | null;
  /** Null where it was never loaded. */
  readonly version: string | null;
  /** YYYY-MM-DD, as the publisher says. */
  readonly publishedOn: string | null;
  readonly entries: number;
  /** Checks of its kind are refused in production without it. */
  readonly required: boolean;
  /** When its publisher answered last, or it was imported. */
  readonly fetchedAt: Date | null;
}

interface Known {
  readonly revision: bigint;
  readonly versions: ListsInForce['versions'];
  readonly answers: ReadonlyMap<ListId, LastAnswer>;
}

/** The versions in force and their ages, as this instance last heard of them. */
export class PresentLists {
  private known: Known | undefined;

  constructor(
    private readonly accepting: Accepting,
    private readonly store: ListStore,
    private readonly events: EventStore,
    private readonly config: Pick<Config, 'environment' | 'screening'>,
    private readonly clock: Clock,
  ) {}

  /** Throws Unavailable; what was known stays. */
  async renew(): Promise<void> {
    const [last] = await this.events.read(SCREENING_LIST_STREAM, { direction: 'backwards', maxCount: 1 });
    const revision = last?.revision ?? -1n;
    const versions = this.known?.revision === revision ? this.known.versions : await this.accepting.inForce();
    this.known = { revision, versions, answers: await this.store.lastAnswers() };
  }

  get areKnown(): boolean {
    return this.known !== undefined;
  }

  /** All versions in force. A sandbox takes its documented names for a list that it needs and lacks, production none. */
  get inForce(): readonly Wanted[] {
    const versions = this.known?.versions ?? new Map<ListId, { readonly version: string }>();
    const lacking = this.substitutes.filter((list) => !versions.has(list));
    return [
      ...[...versions].map(([list, { version }]) => ({ list, version })),
      ...lacking.map((list) => ({ list, version: SANDBOX_VERSION })),
    ].sort((a, b) => byList(a.list, b.list));
  }

  /** Those of one kind, that a check may name. */
  listsOf(kind: ScreeningKind): readonly ListId[] {
    return this.inForce.map(({ list }) => list).filter((list) => this.kindOf(list) === kind);
  }

  /** The lists that a check of this kind must not go without. */
  requiredFor(kind: ScreeningKind): readonly ListId[] {
    const declared = [...this.config.screening.requiredLists].filter((list) => this.kindOf(list) === kind);
    return [...new Set([...requiredLists(kind), ...declared])];
  }

  /** Throws the rejection `unavailable`, which names the list: an absent or old one could miss a name. */
  assertUsable(kind: ScreeningKind): void {
    if (this.config.environment !== 'production') return;
    for (const list of this.requiredFor(kind)) {
      const fault = this.faultOf(list);
      if (fault !== undefined) throw refuse('unavailable', { detail: `${fault}; nothing was charged` });
    }
  }

  /** Why a production deployment does not screen against the list; undefined where it does. */
  faultOf(list: ListId): string | undefined {
    if (this.known?.versions.get(list) === undefined) return `The list ${list} was never loaded`;
    const age = this.clock.now().getTime() - (this.known.answers.get(list)?.answeredAt.getTime() ?? 0);
    const days = this.config.screening.maxListAgeDays;
    return age > days * DAY ? `The list ${list} was last fetched more than ${days} days ago` : undefined;
  }

  /** In their order: the lists in force, and those that are missing though the deployment needs them. */
  describe(): readonly DescribedList[] {
    const needed = SCREENING_KINDS.flatMap((kind) => this.requiredFor(kind));
    const ids = new Set([...this.inForce.map(({ list }) => list), ...needed]);
    return [...ids].sort(byList).map((list) => {
      const present = this.known?.versions.get(list);
      const answeredAt = this.known?.answers.get(list)?.answeredAt;
      const isSandbox = present === undefined && this.substitutes.includes(list);
      return {
        list,
        kind: this.kindOf(list),
        publisher: KNOWN_LISTS.get(list)?.publisher ?? null,
        version: present?.version ?? (isSandbox ? SANDBOX_VERSION : null),
        publishedOn: present?.publishedOn ?? null,
        entries: present?.entries ?? (isSandbox ? (SANDBOX_ENTRIES.get(list)?.length ?? 0) : 0),
        required: needed.includes(list),
        fetchedAt: answeredAt === undefined || answeredAt.getTime() === 0 ? null : answeredAt,
      };
    });
  }

  private kindOf(list: ListId): ScreeningKind {
    return kindOf(list, this.known?.versions.get(list)?.kind);
  }

  /** The lists that documented names stand in for. */
  private get substitutes(): readonly ListId[] {
    return this.config.environment === 'production' ? [] : SCREENING_KINDS.flatMap(requiredLists);
  }
}
