import { type ScreeningMatch, type ScreeningOutcome } from './screening-list.js';

export type Thresholds = ScreeningOutcome['thresholds'];

export type SanctionsStatus = ScreeningOutcome['status'];

/** Of a match that counts. */
export type FoundStatus = Exclude<SanctionsStatus, 'clear'>;

type Scored = Pick<ScreeningMatch, 'score' | 'nameScore' | 'agrees' | 'contradicts' | 'held' | 'identified'>;

/** A confirmed match has nearly the same name, and an exact birth day or an identifier that agrees. */
export const statusOf = (match: Scored, { potential, confirmed }: Thresholds): SanctionsStatus => {
  if (match.nameScore >= confirmed && match.agrees && !match.contradicts) return 'confirmed_match';
  return match.score >= potential || match.held || match.identified ? 'potential_match' : 'clear';
};

const SEVERITY: readonly SanctionsStatus[] = ['clear', 'potential_match', 'confirmed_match'];

/** The gravest of these; clear if there are none. */
export const gravest = (statuses: readonly SanctionsStatus[]): SanctionsStatus =>
  statuses.reduce((worst, next) => (SEVERITY.indexOf(next) > SEVERITY.indexOf(worst) ? next : worst), 'clear');
