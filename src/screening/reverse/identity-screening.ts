import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../kernel/access.js';
import { type Clock } from '../../kernel/clock.js';
import { deriveUuid, type TenantId } from '../../kernel/ids.js';
import { LeafRetirement } from '../../kernel/leaf-retirement.js';
import { isRejection } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { type ErasedSubject, ErasureStep, type Erases } from '../../contract/erasure/erasure-step.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { Metrics } from '../../observability/metrics.js';
import { CLOCK } from '../../platform/tokens.js';
import { statusOf } from '../domain/judgement.js';
import { identityMatchCategory } from '../domain/identity-match.category.js';
import { type FoundMatch, type MatchEvent, matchStream } from '../domain/identity-match.events.js';
import {
  decisionIdOf,
  type KnownMatches,
  type MatchCommand,
  newOf,
  type RecordScreening,
} from '../domain/identity-match.js';
import { matchId } from '../domain/stored-decision.js';
import { type ScreeningKind, type ScreeningMatch, type ScreeningOutcome, type ScreeningQuery } from '../screener.js';

const AUDIT_ENTRY_NAMESPACE = '5b7c2f0a-6d7e-4f0b-8a4a-2c3d9f4e8b10';

/** An identity that was screened in the background. */
export interface ScreenedIdentity {
  readonly tenantId: TenantId;
  readonly identityId: string;
  readonly identityHash: string;
  readonly kind: ScreeningKind;
  /** As it was asked. */
  readonly query: ScreeningQuery;
  readonly outcome: ScreeningOutcome;
  readonly examined: RecordScreening['examined'];
  readonly requestId: string;
  /** Id of the event that caused the screening. */
  readonly causationId: string;
}

const toFound = (match: ScreeningMatch, { thresholds }: ScreeningOutcome): FoundMatch[] => {
  const { list, entryId, entryDigest, score, listVersion } = match;
  const status = statusOf(match, thresholds);
  return status === 'clear' ? [] : [{ list, entryId, entryDigest, score, status, listVersion }];
};

/** A list that cannot be searched counts as a store that is away: what reacts to events waits for it. */
export const waitingForLists = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    throw isRejection(error, 'unavailable') ? new Unavailable('screening_lists', { cause: error }) : error;
  }
};

/** Keeps what screening finds of identities, with an audit entry a hit. Until a person is erased. */
@ErasureStep({ kind: 'screening_matches' })
@Injectable()
export class IdentityScreening implements Erases {
  private readonly log: Aggregates<KnownMatches, MatchCommand, MatchEvent>;
  private readonly countUnscreened: (by: number) => void;

  constructor(
    private readonly audit: AuditTrail,
    private readonly store: EventStore,
    private readonly leaves: LeafRetirement,
    aggregates: AggregateStore,
    @Inject(CLOCK) private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.log = aggregates.of(identityMatchCategory);
    this.countUnscreened = metrics.total(
      'screening_unscreened_total',
      'Identities that were not screened, or not against every list',
    );
  }

  /** Returns the number of new hits. */
  async record(screened: ScreenedIdentity): Promise<number> {
    const { tenantId, identityId, kind, query, outcome, examined, requestId, causationId } = screened;
    // What was dismissed of a name in a check may be another person of that name.
    const matches = outcome.matches.flatMap((match) => toFound(match, outcome));
    const { versions, engineVersion, thresholds } = outcome;
    const { datePolicy } = query;
    const grounds = { versions, engineVersion, thresholds, ...(datePolicy === undefined ? {} : { datePolicy }) };
    const command: RecordScreening = {
      kind: 'record',
      of: kind,
      identityId,
      matches,
      examined,
      grounds,
      causationId,
    };
    const { appended } = await this.log.execute(matchStream(tenantId, identityId), command, {
      metadata: { requestId, causationId, actor: { type: 'system', id: 'screening' } },
      // Before the events: so every hit has its audit entry, even if the process dies.
      beforehand: (known) => this.recordHits(screened, command, newOf(matches, known)),
    });
    return appended.filter(({ type }) => type === 'MatchFound.v1').length;
  }

  /** A name or a list that cannot be read leaves an entry, so that no one takes silence for "clear". */
  async recordUnscreened({
    tenantId,
    identityId,
    identityHash,
    requestId,
    causationId,
  }: Omit<ScreenedIdentity, 'kind' | 'query' | 'outcome' | 'examined'>): Promise<void> {
    this.countUnscreened(1);
    await this.audit.record({
      entryId: deriveUuid(AUDIT_ENTRY_NAMESPACE, ['not_screened', tenantId, identityId, causationId].join('\0')),
      tenantId,
      action: 'sanctions_check',
      result: 'not_screened',
      identityHash,
      access: { requestId, ipAddress: '', userAgent: '', actorId: 'system', startedAt: this.clock.monotonic() },
    });
  }

  async erase({ tenantId, identityId, requestId, decisionId }: ErasedSubject): Promise<number> {
    const stream = matchStream(tenantId, identityId);
    const metadata = { requestId, causationId: decisionId, actor: { type: 'system', id: 'erasure' } } as const;
    const { appended } = await this.log.execute(stream, { kind: 'forget', identityId }, { metadata });
    const { state, revision } = await this.log.load(stream);
    if (!state.hasMatches && revision > 0n) {
      await this.leaves.retire(stream, revision);
      await this.store.truncateBefore(stream, revision);
    }
    return appended.length;
  }

  private async recordHits(
    screened: ScreenedIdentity,
    command: RecordScreening,
    hits: readonly FoundMatch[],
  ): Promise<void> {
    const decisionId = decisionIdOf(command, hits);
    const { tenantId, identityId, identityHash, kind, requestId, causationId } = screened;
    const startedAt = this.clock.monotonic();
    const access = { requestId, ipAddress: '', userAgent: '', actorId: 'system', startedAt };
    for (const [index, { list, entryId, entryDigest, listVersion, status }] of hits.entries()) {
      await this.audit.record({
        entryId: deriveUuid(
          AUDIT_ENTRY_NAMESPACE,
          [tenantId, identityId, list, entryId, entryDigest, listVersion, causationId].join('\0'),
        ),
        tenantId,
        action: kind === 'pep' ? 'pep_check' : 'sanctions_check',
        result: kind === 'pep' ? 'pep' : status,
        identityHash,
        about: { identityId, decisionId, matchId: matchId(decisionId, index) },
        access,
      });
    }
  }
}
