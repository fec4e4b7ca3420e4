import { Injectable } from '@nestjs/common';
import { identityWithId } from '../../../projections/eligibility/identities.queries.js';
import { type MatchRow, matchesOf, type ScreenedRow } from '../../../projections/screening/screening.queries.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { ReadModels } from '../../log/project/projection.js';
import { type DecisionSubject, type OpenedDecision } from './opened-decision.js';
import { gravest } from '../domain/judgement.js';
import { type StoredDecision, type StoredMatch } from '../domain/stored-decision.js';
import { askedWith } from '../settings/review-settings-desk.js';
import { PERSONAL_FIELD, type PersonalNames, queryOf } from '../reverse/personal-names.js';
import { Screener, type ScreeningMatch, type ScreeningOutcome } from '../screener.js';

/** Decisions of screening in the background. They hold no names: the identity's record as it stands has them. */
@Injectable()
export class ScreenedDecisions {
  constructor(
    private readonly readModels: ReadModels,
    private readonly vault: Vault,
    private readonly screener: Screener,
  ) {}

  /** Undefined where the identity is erased. */
  async open(row: ScreenedRow): Promise<Omit<OpenedDecision, 'row'> | undefined> {
    const { decisionId, kind, grounds } = row;
    const subject = await this.subject(row);
    if (subject === undefined) return undefined;
    const { query: named, ...person } = subject;
    const query = askedWith(named, grounds.datePolicy);
    const found = await matchesOf(this.readModels, decisionId);
    const again = await this.screener.screenAgainst(grounds.versions, kind, query);
    const matches = found.map((match) => toStored(match, again));
    const status = gravest(found.map(({ result }) => result));
    const { versions, engineVersion, thresholds } = grounds;
    const decided = { versions, engineVersion, thresholds };
    const decision: StoredDecision = { kind, status, query, ...decided, matches, total: matches.length };
    return { decision, ...person };
  }

  /** The person as the record stands. Undefined where it is erased. */
  async subject({ tenantId, identityId }: ScreenedRow): Promise<DecisionSubject | undefined> {
    const identity = await identityWithId(this.readModels, tenantId, identityId);
    if (identity === undefined) return undefined;
    const { stream, eventId, personal, identityHash } = identity;
    const opened = await this.vault.open({ tenantId, stream, eventId, field: PERSONAL_FIELD }, personal);
    if (opened === ERASED) return undefined;
    return { query: queryOf(opened as PersonalNames), keyId: personal.key, identityHash };
  }
}

/** Name and reasons are what today's engine says of the same entry. */
const toStored = (row: MatchRow, { matches }: ScreeningOutcome): StoredMatch => {
  const isSame = ({ list, entryId }: ScreeningMatch): boolean => list === row.list && entryId === row.entryId;
  const { name, reasons } = matches.find(isSame) ?? {};
  return {
    list: row.list,
    entryId: row.entryId,
    entryDigest: row.entryDigest ?? '',
    score: row.score,
    status: row.result,
    // What was judged of it came later.
    dismissed: false,
    ...(name === undefined ? {} : { name }),
    ...(reasons === undefined ? {} : { reasons }),
  };
};
