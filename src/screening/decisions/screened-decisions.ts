import { Injectable } from '@nestjs/common';
import { identityWithId } from '../../../projections/eligibility/identities.queries.js';
import { type MatchRow, matchesOf, type ScreenedRow } from '../../../projections/screening/screening.queries.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { ReadModels } from '../../platform/projections/projection.js';
import { type StoredDecision, type StoredMatch } from '../domain/stored-decision.js';
import { PERSONAL_FIELD, type PersonalNames, queryOf } from '../reverse/personal-names.js';
import { type ListId, Screener, type ScreeningMatch, type ScreeningOutcome, type ScreeningQuery } from '../screener.js';

/** Decisions of screening in the background. They hold no names: the identity's record as it stands has them. */
@Injectable()
export class ScreenedDecisions {
  constructor(
    private readonly readModels: ReadModels,
    private readonly vault: Vault,
    private readonly screener: Screener,
  ) {}

  /** Undefined where the identity is erased. */
  async open(row: ScreenedRow): Promise<StoredDecision | undefined> {
    const query = await this.queryOf(row);
    if (query === undefined) return undefined;
    const { grounds, result } = row;
    const found = await matchesOf(this.readModels, row.decisionId);
    const again = await this.screener.screenAgainst(grounds.versions, 'sanctions', query);
    const matches = found.map((match) => toStored(match, again));
    const status = result as StoredDecision['status'];
    return { kind: 'sanctions', status, query, ...grounds, matches, total: matches.length };
  }

  /** Whether the identity's record, as it stands, opens under this data key. */
  async isSealedUnder({ tenantId, identityId }: ScreenedRow, keyId: string): Promise<boolean> {
    return (await identityWithId(this.readModels, tenantId, identityId))?.personal.key === keyId;
  }

  private async queryOf({ tenantId, identityId }: ScreenedRow): Promise<ScreeningQuery | undefined> {
    const identity = await identityWithId(this.readModels, tenantId, identityId);
    if (identity === undefined) return undefined;
    const { stream, eventId, personal } = identity;
    const opened = await this.vault.open({ tenantId, stream, eventId, field: PERSONAL_FIELD }, personal);
    return opened === ERASED ? undefined : queryOf(opened as PersonalNames);
  }
}

/** Name and reasons are what today's engine says of the same entry. */
const toStored = (row: MatchRow, { matches }: ScreeningOutcome): StoredMatch => {
  const isSame = ({ list, entryId }: ScreeningMatch): boolean => list === row.list && entryId === row.entryId;
  const { name, reasons } = matches.find(isSame) ?? {};
  return {
    list: row.list as ListId,
    entryId: row.entryId,
    entryDigest: row.entryDigest ?? '',
    score: row.score,
    status: row.result,
    dismissed: row.status === 'dismissed',
    ...(name === undefined ? {} : { name }),
    ...(reasons === undefined ? {} : { reasons }),
  };
};
