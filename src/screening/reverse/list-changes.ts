import { Injectable } from '@nestjs/common';
import { hitsOf, type MatchRow } from '../../../projections/screening/screening.queries.js';
import { type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { ReadModels } from '../../log/project/projection.js';
import { Decisions } from '../decisions/decisions.js';
import { PresentLists } from '../lists/present-lists.js';
import { type ListDelta, type ListId, Screener } from '../screener.js';
import { type AcceptedVersion, ScreeningRuns } from './screening-runs.js';

/** Matches that one answer names. */
export const MAX_HITS = 200;

export interface ListChange extends ListDelta {
  readonly list: ListId;
  /** Null: nothing was in force before. */
  readonly from: string | null;
  readonly to: string;
  /** When all identities of the network were screened against it. Null: not yet. */
  readonly screenedAt: Date | null;
  /** Of the account's identities, newest first. */
  readonly hits: readonly MatchRow[];
  readonly hasMoreHits: boolean;
}

/** What a version of a list changed, and which of an account's identities it hit. */
@Injectable()
export class ListChanges {
  constructor(
    private readonly lists: PresentLists,
    private readonly runs: ScreeningRuns,
    private readonly screener: Screener,
    private readonly decisions: Decisions,
    private readonly readModels: ReadModels,
  ) {}

  /** `to`: default the version in force. `from`: default the one before it. Throws not_found, invalid_field or Unavailable. */
  async between(
    tenantId: TenantId,
    list: ListId,
    from: string | undefined,
    to: string | undefined,
  ): Promise<ListChange> {
    const versions = await this.versionsUpTo(list, to);
    const [last] = versions;
    if (last === undefined) throw refuse('not_found');
    const begin = from === undefined ? 1 : versions.findIndex(({ version }) => version === from);
    if (begin < 1) throw refuse('invalid_field', { field: 'from', detail: 'A version that was in force before `to`' });
    const start = from ?? last.previous;
    const delta = await this.screener.delta(list, start, last.version);
    const passed = versions.slice(0, begin).map(({ version }) => version);
    await this.decisions.upToDate();
    const wanted = { tenantId, list, versions: passed, entryIds: [...delta.added, ...delta.changed] };
    const hits = await hitsOf(this.readModels, wanted, MAX_HITS + 1);
    return {
      ...{ ...delta, list, from: start, to: last.version, screenedAt: last.completedAt },
      hits: hits.slice(0, MAX_HITS),
      hasMoreHits: hits.length > MAX_HITS,
    };
  }

  /** This one, the one before it, and so on. */
  private async versionsUpTo(list: ListId, to: string | undefined): Promise<readonly AcceptedVersion[]> {
    await this.lists.renew();
    const present = this.lists.inForce.find((each) => each.list === list)?.version;
    const byVersion = new Map((await this.runs.versionsOf(list)).map((accepted) => [accepted.version, accepted]));
    // The documented names of a sandbox, which it takes by itself.
    if (present !== undefined && byVersion.size === 0)
      byVersion.set(present, { version: present, previous: null, completedAt: null });
    const found: AcceptedVersion[] = [];
    for (let next = to ?? present; typeof next === 'string'; next = found.at(-1)?.previous ?? undefined) {
      const accepted = byVersion.get(next);
      // A version may come into force again.
      if (accepted === undefined || found.includes(accepted)) break;
      found.push(accepted);
    }
    return found;
  }
}
