import { type Clock } from '../../kernel/clock.js';
import { isRejection } from '../../kernel/rejection.js';
import { type Config } from '../../platform/config/config.js';
import { type Logger } from '../../observability/logging.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { type ListId } from '../domain/screening-list.js';
import { kindOf } from '../domain/known-lists.js';
import { type Acceptance, type Accepting, type OperatorDecision } from './accepting.js';
import { type Connect, download, DownloadFailed } from './download.js';
import { type ListStore } from './list-store.js';
import { type Publishers } from './publishers.js';
import { NotAList } from './readers/source.js';

const HOUR = 3_600_000;
/** A list that was fetched less long ago is left alone. */
const FETCHED_INTERVAL_MS = 20 * HOUR;

export type Refreshed = { readonly unchanged: true } | { readonly unchanged: false; readonly acceptance: Acceptance };

/** Why the version in force stays; undefined for other errors. */
export const refusalOf = (error: unknown): string | undefined =>
  error instanceof NotAList || error instanceof DownloadFailed || isRejection(error) ? error.message : undefined;

/** Gets the lists from their publishers. */
export class Refreshing {
  constructor(
    private readonly accepting: Accepting,
    private readonly store: ListStore,
    readonly publishers: Publishers,
    private readonly connect: Connect = {},
  ) {}

  /** Throws DownloadFailed, NotAList or `list_refused`: the version in force stays. */
  async refresh(list: ListId, accept: boolean, decision: OperatorDecision | null = null): Promise<Refreshed> {
    const publisher = this.publishers.get(list);
    if (publisher === undefined) {
      throw new DownloadFailed(
        list === 'PEP'
          ? 'PEP has no publisher: import it, or name a dataset in SCREENING_PEP_DATASET'
          : `${list} is not downloaded here: import it, or name it in SCREENING_REQUIRED_LISTS`,
      );
    }
    const known = (await this.store.lastAnswers()).get(list);
    const inForce = (await this.accepting.inForce()).has(list);
    try {
      const answer = await download(publisher, inForce ? known : undefined, this.connect);
      if (answer.kind === 'unchanged') {
        await this.store.answered(list, { ...pick(known), refused: null });
        return { unchanged: true };
      }
      const publishedOn = dayOf(answer.lastModified);
      const candidate = {
        list,
        kind: kindOf(list),
        files: [answer.file],
        publishedOn,
        origin: 'download',
        accept,
        decision,
      } as const;
      const acceptance = await this.accepting.accept(candidate);
      await this.store.answered(list, { ...pick(answer), refused: null });
      return { unchanged: false, acceptance };
    } catch (error) {
      const reason = refusalOf(error);
      if (reason !== undefined) await this.store.refused(list, reason);
      throw error;
    }
  }
}

const pick = (answer: { readonly etag: string | null; readonly lastModified: string | null } | undefined) => ({
  etag: answer?.etag ?? null,
  lastModified: answer?.lastModified ?? null,
});

const dayOf = (lastModified: string | null): string | null => {
  const time = Date.parse(lastModified ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
};

/** Fetches each list once a day, and each hour while that fails. */
export class DailyRefresh {
  constructor(
    private readonly refreshing: Refreshing,
    private readonly store: ListStore,
    private readonly config: Pick<Config, 'screening'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  @Periodic({ every: HOUR, role: 'jobs', alone: true })
  async refreshWhatIsDue(signal: AbortSignal): Promise<void> {
    if (!this.config.screening.downloads) return;
    const answers = await this.store.lastAnswers();
    const failed: string[] = [];
    for (const list of this.refreshing.publishers.keys()) {
      const age = this.clock.now().getTime() - (answers.get(list)?.answeredAt.getTime() ?? 0);
      if (age < FETCHED_INTERVAL_MS || signal.aborted) continue;
      const reason = await this.refresh(list);
      if (reason !== undefined) failed.push(`${list}: ${reason}`);
    }
    if (failed.length > 0) throw new DownloadFailed(failed.join('; '));
  }

  private async refresh(list: ListId): Promise<string | undefined> {
    try {
      const refreshed = await this.refreshing.refresh(list, false);
      const version = refreshed.unchanged ? undefined : refreshed.acceptance.version;
      this.logger.info({ list, version }, 'the publisher of a screening list has answered');
      return undefined;
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      this.logger.error({ list, reason }, 'a screening list was refused: the version in force stays');
      return reason;
    }
  }
}
