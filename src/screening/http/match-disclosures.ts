import { Injectable } from '@nestjs/common';
import { type AuditAction } from '../../contract/collected.js';
import { type AuditEntry, AuditTrail } from '../../kernel/access.js';
import { newUuid } from '../../kernel/ids.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { Judge } from '../decisions/judge.js';
import { matchId as matchIdOf } from '../domain/stored-decision.js';
import { type RevealedMatch, RevealedMatches } from '../review/revealed-matches.js';
import { type ShownMatch } from '../review/shown-match.js';
import { type MatchResponse, toMatch, toRevealed } from './match.response.js';

const NOTHING: RevealedMatch = { subject: undefined, compared: null };

type Caller = RequestContext<TenantPrincipal>;

/** Matches as an answer has them. What it opens of persons is one audit entry, recorded first. */
@Injectable()
export class MatchDisclosures {
  constructor(
    private readonly revealed: RevealedMatches,
    private readonly judge: Judge,
    private readonly audit: AuditTrail,
  ) {}

  async show(matches: readonly ShownMatch[], context: Caller): Promise<MatchResponse[]> {
    const records = matches.filter(isOpened).length;
    if (records > 0) await this.record('matches_read', { about: { records } }, context);
    return matches.map(toMatch);
  }

  async reveal(matches: readonly ShownMatch[], context: Caller): Promise<MatchResponse[]> {
    const revealed = await this.revealed.reveal(matches.map(({ row }) => row));
    const records = revealed.filter(({ subject }) => subject !== undefined).length;
    if (records > 0) await this.record('matches_revealed', { about: { records } }, context);
    return matches.map((match, index) => toRevealed(match, revealed[index] ?? NOTHING));
  }

  /** With its history, which may hold what was written of the person. */
  async one(match: ShownMatch, context: Caller, isRevealed: boolean): Promise<MatchResponse> {
    const { row } = match;
    const { decisionId, identityId } = row;
    const matchId = matchIdOf(decisionId, row.index);
    const about = { decisionId, matchId, ...(identityId === null ? {} : { identityId }) };
    const [of] = isRevealed ? await this.revealed.reveal([row]) : [];
    if (isRevealed || row.version > 1) {
      const subject = of?.subject ?? (await this.revealed.subjectOf(row));
      const whom = subject === undefined ? {} : this.judge.whom(subject);
      await this.record(isRevealed ? 'matches_revealed' : 'matches_read', { about, ...whom }, context);
    }
    return of === undefined ? toMatch(match) : toRevealed(match, of);
  }

  private record(
    action: AuditAction,
    entry: Pick<AuditEntry, 'about' | 'identityHash' | 'nameHash'>,
    context: Caller,
  ): Promise<void> {
    const { tenantId } = context.principal;
    return this.audit.record({ entryId: newUuid(), tenantId, action, result: 'ok', ...entry, access: context });
  }
}

const isOpened = ({ note, assignedTo }: ShownMatch): boolean => note !== null || assignedTo !== null;
