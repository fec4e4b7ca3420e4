import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { type EventStore } from '../../platform/eventstore/event-store.js';
import { type ListsInForce } from '../domain/list-acceptance.js';
import { SCREENING_LIST_STREAM } from '../domain/list.events.js';
import { type ListId } from '../domain/screening-list.js';
import { type Wanted } from '../matching/engine-threads.js';
import { type Accepting } from './accepting.js';
import { type LastAnswer, type ListStore } from './list-store.js';
import { SANDBOX_VERSION } from './sandbox.js';

const DAY = 86_400_000;

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

  /** The versions of these lists. A sandbox takes its documented names for a list that it lacks, production none. */
  of(lists: readonly ListId[]): Wanted[] {
    return lists.flatMap((list) => {
      const version = this.known?.versions.get(list)?.version ?? this.substitute();
      return version === undefined ? [] : [{ list, version }];
    });
  }

  /** Throws the rejection `unavailable`, which names the list: an absent or old one could miss a name. */
  assertUsable(lists: readonly ListId[]): void {
    if (this.config.environment !== 'production') return;
    for (const list of lists) {
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

  private substitute(): string | undefined {
    return this.config.environment === 'production' ? undefined : SANDBOX_VERSION;
  }
}
