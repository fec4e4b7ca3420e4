import { Injectable } from '@nestjs/common';
import {
  decisionsBefore,
  matchCounts,
  matchesBefore,
  matchesOf,
  type MatchRow,
} from '../../../projections/screening/screening.queries.js';
import { actorOf } from '../../kernel/audit-actors.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type Recorded } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { Vault } from '../../platform/crypto/vault.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { ReadModels } from '../../log/project/projection.js';
import { DecisionAnnouncements } from '../decisions/decision-announcements.js';
import { Decisions } from '../decisions/decisions.js';
import { decisionStream, type MatchReviewed } from '../domain/decision.events.js';
import { type Change, REVIEW_CHANGES } from '../domain/decision.js';
import { matchOf } from '../domain/stored-decision.js';
import { openText, showMatch, type ShownMatch } from './shown-match.js';

export interface ReviewStep {
  readonly change: Change;
  readonly at: string;
  /** The id of an API key, or an unnamed actor. */
  readonly by: string;
  readonly text: string | null;
  /** Of an assignment to a member. */
  readonly memberId: string | null;
}

type Wanted<Query> = Query extends (readModels: ReadModels, wanted: infer Value) => unknown ? Value : never;

const sealedIn = ({ type, data }: MatchReviewed): readonly [field: string, Envelope | null] => {
  if (type === 'MatchAssigned.v1') return ['to', data.to];
  return 'note' in data ? ['note', data.note] : ['reason', data.reason];
};

/** The work queue of a compliance officer: matches and decisions, and how they were judged. */
@Injectable()
export class MatchReader {
  constructor(
    private readonly readModels: ReadModels,
    private readonly decisions: Decisions,
    private readonly announcements: DecisionAnnouncements,
    private readonly store: EventStore,
    private readonly vault: Vault,
  ) {}

  async matches(wanted: Wanted<typeof matchesBefore>): Promise<readonly ShownMatch[]> {
    await this.decisions.upToDate();
    const rows = await matchesBefore(this.readModels, wanted);
    return Promise.all(rows.map((row) => showMatch(this.vault, row)));
  }

  async counts(tenantId: TenantId, now: Date): ReturnType<typeof matchCounts> {
    await this.decisions.upToDate();
    return matchCounts(this.readModels, tenantId, now);
  }

  async decisionsOf(wanted: Wanted<typeof decisionsBefore>): ReturnType<typeof decisionsBefore> {
    await this.decisions.upToDate();
    return decisionsBefore(this.readModels, wanted);
  }

  /** With its history, oldest first. Throws not_found. */
  async match(id: string, tenantId: TenantId): Promise<ShownMatch & { readonly history: readonly ReviewStep[] }> {
    const named = matchOf(id);
    const decision = named && (await this.decisions.row(named.decisionId));
    if (named === undefined || decision?.tenantId !== tenantId) throw refuse('not_found');
    await this.announcements.surelyAnnounce(decision);
    await this.decisions.upToDate();
    const row = (await matchesOf(this.readModels, named.decisionId)).find(({ index }) => index === named.index);
    if (row === undefined) throw refuse('not_found');
    return { ...(await showMatch(this.vault, row)), history: await this.historyOf(row) };
  }

  private async historyOf(row: MatchRow): Promise<readonly ReviewStep[]> {
    const events = await this.store.read(decisionStream(row.tenantId, row.decisionId));
    const reviews = events.filter(({ type }) => type in REVIEW_CHANGES) as Recorded<MatchReviewed>[];
    const own = reviews.filter(({ data }) => data.matchIndex === row.index);
    return Promise.all(
      own.map(async (event) => {
        const [field, envelope] = sealedIn(event);
        const text = envelope && (await openText(this.vault, row, { eventId: event.id, field, envelope }));
        const memberId = event.type === 'MatchAssigned.v1' ? event.data.memberId : null;
        const { time: at, actor } = event.metadata;
        return { change: REVIEW_CHANGES[event.type], at, by: actorOf(actor), text, memberId };
      }),
    );
  }
}
