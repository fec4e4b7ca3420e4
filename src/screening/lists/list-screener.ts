import { type OnApplicationShutdown } from '@nestjs/common';
import { refuse } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { type Config } from '../../platform/config/config.js';
import { describeError, type Logger } from '../../observability/logging.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { deltaBetween } from '../domain/list-entry.js';
import { kindOf, requiredLists } from '../domain/known-lists.js';
import {
  type ListDelta,
  type ListId,
  SCREENING_KINDS,
  type ListVersions,
  type ScreeningKind,
  type ScreeningOutcome,
  type ScreeningQuery,
} from '../domain/screening-list.js';
import { type ComparedEntry, type ComparedPair, type EngineSource } from '../matching/engine-messages.js';
import { type EngineThread } from '../matching/engine-thread.js';
import { EngineThreads, keyOf, type Wanted } from '../matching/engine-threads.js';
import { Screener } from '../screener.js';
import { type ListStore } from './list-store.js';
import { type PresentLists } from './present-lists.js';
import { SANDBOX_VERSION } from './sandbox.js';

/** Milliseconds after which an instance has seen that another version is in force. */
const NOTICED_WITHIN = 2_000;

/** Milliseconds after which lists are read again, where one could not be: its files may be there since. */
const READ_AGAIN_MS = 600_000;

interface Present {
  readonly key: string;
  readonly lists: ReadonlySet<ListId>;
  /** In force, and not among `lists`. */
  readonly unread: readonly ListId[];
  readonly loadedAt: number;
  readonly thread: EngineThread;
}

/** Screens in a thread that holds the versions in force, and changes over to new ones once they are loaded. */
export class ListScreener extends Screener implements OnApplicationShutdown {
  private readonly threads: EngineThreads;
  private present: Present | undefined;
  private loading: { readonly key: string; readonly done: Promise<Present> } | undefined;

  /** Changes of the lists, numbered as they began. */
  private turns = 0;
  private turnInForce = 0;

  constructor(
    private readonly lists: PresentLists,
    private readonly store: ListStore,
    private readonly config: Pick<Config, 'environment' | 'screening'>,
    private readonly logger: Logger,
  ) {
    super();
    const { potential, confirmed } = config.screening.thresholds;
    this.threads = new EngineThreads((wanted) => this.sources(wanted), { potential, confirmed });
  }

  @Periodic({ every: NOTICED_WITHIN })
  async keepPresent(): Promise<void> {
    this.threads.endUnused();
    await this.lists.renew();
    const wanted = this.lists.inForce;
    const imported = wanted.some(({ version }) => version !== SANDBOX_VERSION);
    // No one may ever ask a sandbox without lists.
    if (imported || this.present !== undefined) await this.load(wanted);
  }

  async assertInForce(kind: ScreeningKind, lists: readonly ListId[], field: string): Promise<void> {
    if (!this.lists.areKnown) await this.lists.renew();
    const known = this.lists.listsOf(kind);
    const unknown = lists.find((list) => !known.includes(list));
    if (unknown === undefined) return;
    const detail = `${field}: there is no ${kind} list ${unknown} here; it takes ${known.join(', ')}`;
    throw refuse('invalid_field', { field, detail });
  }

  async screen(kind: ScreeningKind, query: ScreeningQuery, signal?: AbortSignal): Promise<ScreeningOutcome> {
    if (!this.lists.areKnown) await this.lists.renew();
    this.lists.assertUsable(kind);
    return this.ask(kind, query, [...requiredLists(kind), ...(query.lists ?? [])], signal);
  }

  async screenPresent(
    kind: ScreeningKind,
    query: ScreeningQuery,
    signal?: AbortSignal,
  ): Promise<ScreeningOutcome | undefined> {
    if (!this.lists.areKnown) await this.lists.renew();
    const lists = this.lists.listsOf(kind);
    // One that cannot be read holds up no other.
    return lists.length === 0 ? undefined : this.ask(kind, query, [], signal);
  }

  unread(kind: ScreeningKind): readonly ListId[] {
    return (this.present?.unread ?? []).filter((list) => this.lists.listsOf(kind).includes(list));
  }

  private async ask(
    kind: ScreeningKind,
    query: ScreeningQuery,
    needed: readonly ListId[],
    signal: AbortSignal | undefined,
  ): Promise<ScreeningOutcome> {
    const { thread } = await this.ready(needed);
    const unread = needed.find((list) => !thread.lists.has(list));
    if (unread !== undefined)
      throw refuse('unavailable', { detail: `The list ${unread} cannot be read; nothing was charged` });
    try {
      return await thread.ask({ ask: 'screen', kind, query }, signal);
    } catch (error) {
      // Another thread may answer what this one died of, or died beside.
      if (thread.isAlive) throw error;
      const next = await this.ready(needed);
      return next.thread.ask({ ask: 'screen', kind, query }, signal);
    }
  }

  screenAgainst(versions: ListVersions, kind: ScreeningKind, query: ScreeningQuery): Promise<ScreeningOutcome> {
    const wanted = Object.entries(versions).map(([list, version]) => ({ list, version }));
    return this.threads.using(wanted, (thread) => thread.ask({ ask: 'screen', kind, query }));
  }

  screenMany(
    list: ListId,
    version: string,
    entryIds: readonly string[],
    queries: readonly ScreeningQuery[],
  ): Promise<readonly ScreeningOutcome[]> {
    return this.threads.using([{ list, version }], (thread) =>
      thread.ask({ ask: 'screen_many', list, entryIds, queries }),
    );
  }

  async compare(
    list: ListId,
    version: string | null,
    pairs: readonly ComparedPair[],
  ): Promise<readonly (ComparedEntry | null)[]> {
    const question = { ask: 'compare', list, pairs } as const;
    if (version !== null) return this.threads.using([{ list, version }], (thread) => thread.ask(question));
    const { thread, lists } = await this.ready([]);
    return lists.has(list) ? thread.ask(question) : pairs.map(() => null);
  }

  async delta(list: ListId, from: string | null, to: string): Promise<ListDelta> {
    const [before, after] = await Promise.all([
      from === null ? new Map<string, string>() : this.digestsBefore(list, from),
      this.digests(list, to),
    ]);
    return deltaBetween(before, after);
  }

  onApplicationShutdown(): void {
    this.threads.close();
    this.present?.thread.close();
  }

  /** None where the version cannot be read any more: no one was screened against it since, so all of the next counts. */
  private async digestsBefore(list: ListId, version: string): Promise<ReadonlyMap<string, string>> {
    try {
      return await this.digests(list, version);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      this.logger.error({ list, version, error: describeError(error) }, 'a version that was replaced cannot be read');
      return new Map();
    }
  }

  private digests(list: ListId, version: string): Promise<ReadonlyMap<string, string>> {
    return this.threads.using([{ list, version }], (thread) => thread.ask({ ask: 'digests', list }));
  }

  /** The versions that are loaded, were others in force since: a change takes seconds. A list that lacks is waited for. */
  private ready(needed: readonly ListId[]): Promise<Present> {
    const { present } = this;
    const holdsAll = present !== undefined && needed.every((list) => present.lists.has(list));
    if (holdsAll && present.thread.isAlive) return Promise.resolve(present);
    return this.load(this.lists.inForce);
  }

  private load(wanted: readonly Wanted[]): Promise<Present> {
    const key = keyOf(wanted);
    if (this.present?.key === key && this.isCurrent(this.present)) return Promise.resolve(this.present);
    if (this.loading?.key !== key) this.loading = { key, done: this.change(key, wanted) };
    return this.loading.done;
  }

  private isCurrent({ thread, unread, loadedAt }: Present): boolean {
    return thread.isAlive && (unread.length === 0 || performance.now() - loadedAt < READ_AGAIN_MS);
  }

  private async change(key: string, wanted: readonly Wanted[]): Promise<Present> {
    try {
      const turn = (this.turns += 1);
      const required = SCREENING_KINDS.flatMap((kind) => this.lists.requiredFor(kind));
      const thread = await this.threads.start(
        wanted.map((one) => ({ ...one, dispensable: !required.includes(one.list) })),
      );
      const unread = wanted.map(({ list }) => list).filter((list) => !thread.lists.has(list));
      const next: Present = { key, lists: thread.lists, unread, loadedAt: performance.now(), thread };
      for (const list of unread) this.logger.error({ list }, 'a list cannot be read: screening goes on without it');
      // Two changes overlap where the second came before the first was read. The later one stands.
      if (turn < this.turnInForce && this.present !== undefined) {
        next.thread.closeWhenIdle();
        return this.present;
      }
      this.turnInForce = turn;
      this.present?.thread.closeWhenIdle();
      this.present = next;
      this.logger.info({ lists: key }, 'screens against these versions of the lists');
      return next;
    } catch (error) {
      this.logger.error({ lists: key, error: describeError(error) }, 'these versions of the lists cannot be loaded');
      throw error;
    } finally {
      if (this.loading?.key === key) this.loading = undefined;
    }
  }

  private async sources(wanted: readonly Wanted[]): Promise<readonly EngineSource[]> {
    const sources = await Promise.all(
      wanted.map(async ({ list, version, dispensable = false }): Promise<EngineSource[]> => {
        if (version === SANDBOX_VERSION && this.config.environment !== 'production')
          return [{ list, version, kind: kindOf(list), files: null }];
        const kept = await this.store.kept(list, version);
        if (kept === undefined) {
          if (dispensable) return [];
          throw refuse('unavailable', { detail: `The version ${version} of the list ${list} is not kept` });
        }
        return [{ list, version, dispensable, ...kept }];
      }),
    );
    return sources.flat();
  }
}
