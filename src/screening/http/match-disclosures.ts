import { Injectable } from '@nestjs/common';
import { type AuditAction } from '../../contract/collected.js';
import { type AuditEntry, AuditTrail } from '../../kernel/access.js';
import { newUuid } from '../../kernel/ids.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { Judge } from '../decisions/judge.js';
import { RevealedMatches } from '../review/revealed-matches.js';
import { type ShownMatch } from '../review/shown-match.js';
import { type MatchResponse, toMatch, toRevealed } from './match.response.js';

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
    if (matches.length > 0) await this.record('matches_revealed', { about: { records: matches.length } }, context);
    return matches.flatMap((match, index) => {
      const of = revealed[index];
      return of === undefined ? [] : [toRevealed(match, of)];
    });
  }

  /** With its history, which may hold what was written of the person. */
  async one(match: ShownMatch, context: Caller, isRevealed: boolean): Promise<MatchResponse> {
    const { decisionId, identityId } = match.row;
    const about = { decisionId, matchId: matchIdOf(match), ...(identityId === null ? {} : { identityId }) };
    if (!isRevealed) {
      if (match.row.version > 1) await this.record('matches_read', { about }, context);
      return toMatch(match);
    }
    const [of] = await this.revealed.reveal([match.row]);
    if (of === undefined) return toMatch(match);
    await this.record('matches_revealed', { about, ...(of.subject && this.judge.whom(of.subject)) }, context);
    return toRevealed(match, of);
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

const matchIdOf = (match: ShownMatch): string => toMatch(match).match_id;
