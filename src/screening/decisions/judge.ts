import { Injectable } from '@nestjs/common';
import { dismissedAmong } from '../../../projections/screening/screening.queries.js';
import { type AuditEntry } from '../../kernel/access.js';
import { type TenantId } from '../../kernel/ids.js';
import { KeyedHashes } from '../../platform/crypto/vault.js';
import { ReadModels } from '../../log/project/projection.js';
import { type DecisionSubject } from './opened-decision.js';
import { gravest, type SanctionsStatus, statusOf } from '../domain/judgement.js';
import { dismissalText, personText } from '../domain/person.js';
import { type StoredMatch } from '../domain/stored-decision.js';
import { type ScreeningMatch, type ScreeningOutcome, type ScreeningQuery } from '../screener.js';

export interface JudgedMatch {
  readonly match: ScreeningMatch;
  readonly status: SanctionsStatus;
  /** The tenant judged it to be another person, so it does not count. */
  readonly dismissed: boolean;
}

type AuditedPerson = Pick<AuditEntry, 'identityHash' | 'nameHash'>;

/** An outcome as one tenant sees it. */
export interface Judged {
  readonly status: SanctionsStatus;
  readonly all: readonly JudgedMatch[];
  /** Those that the decision has. */
  readonly shown: readonly JudgedMatch[];
  readonly outcome: ScreeningOutcome;
}

/** The match as a decision keeps it. */
export const storedMatch = ({ match, status, dismissed }: JudgedMatch): StoredMatch => {
  const { list, entryId, entryDigest, score, name, reasons } = match;
  return { list, entryId, entryDigest, score, status, dismissed, name, reasons };
};

/** Matches that a decision has. */
const MAX_SHOWN = 20;

/** What was dismissed makes room for what was not. In their order. */
export const shownOf = <Match extends Pick<JudgedMatch, 'dismissed'>>(matches: readonly Match[]): readonly Match[] => {
  const counted = matches.filter(({ dismissed }) => !dismissed).slice(0, MAX_SHOWN);
  const room = MAX_SHOWN - counted.length;
  const chosen = new Set([...counted, ...matches.filter(({ dismissed }) => dismissed).slice(0, room)]);
  return matches.filter((match) => chosen.has(match));
};

/** Judges what screening found, with the matches that the tenant has dismissed. */
@Injectable()
export class Judge {
  constructor(
    private readonly readModels: ReadModels,
    private readonly hashes: KeyedHashes,
  ) {}

  /** Keyed hash of name, birth date and country. */
  personHash(query: ScreeningQuery): string {
    return this.hashes.screening(personText(query));
  }

  /** The hash under which an audit entry of the decision names the person. */
  auditedPerson({ query, identityHash }: Pick<DecisionSubject, 'query' | 'identityHash'>): AuditedPerson {
    return identityHash === undefined ? { nameHash: this.personHash(query) } : { identityHash };
  }

  dismissalHash(tenantId: TenantId, query: ScreeningQuery, entryDigest: string): string {
    return this.hashes.screening(dismissalText(tenantId, query, entryDigest));
  }

  async judge(tenantId: TenantId, query: ScreeningQuery, outcome: ScreeningOutcome): Promise<Judged> {
    const hashes = outcome.matches.map(({ entryDigest }) => this.dismissalHash(tenantId, query, entryDigest));
    const dismissed = await dismissedAmong(this.readModels, tenantId, hashes);
    const all = outcome.matches.map((match, index): JudgedMatch => {
      return { match, status: statusOf(match, outcome.thresholds), dismissed: dismissed.has(hashes[index] ?? '') };
    });
    const counted = all.filter((each) => !each.dismissed).map(({ status }) => status);
    return { status: gravest(counted), all, shown: shownOf(all), outcome };
  }
}
