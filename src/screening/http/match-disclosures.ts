import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../kernel/access.js';
import { newUuid } from '../../kernel/ids.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
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
    await this.audit.disclosed({ ...by(context), action: 'matches_read', records });
    return matches.map(toMatch);
  }

  async reveal(matches: readonly ShownMatch[], context: Caller): Promise<MatchResponse[]> {
    const revealed = await this.revealed.reveal(matches.map(({ row }) => row));
    const records = revealed.filter(({ subject }) => subject !== undefined).length;
    await this.audit.disclosed({ ...by(context), action: 'matches_revealed', records });
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
      const person = subject === undefined ? {} : this.judge.auditedPerson(subject);
      const action = isRevealed ? 'matches_revealed' : 'matches_read';
      await this.audit.record({ ...by(context), entryId: newUuid(), action, result: 'ok', about, ...person });
    }
    return of === undefined ? toMatch(match) : toRevealed(match, of);
  }
}

const by = (context: Caller) => ({ tenantId: context.principal.tenantId, access: context });

const isOpened = ({ note, assignedTo }: ShownMatch): boolean => note !== null || assignedTo !== null;
