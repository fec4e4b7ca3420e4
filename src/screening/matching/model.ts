import { type Fact, NAME_FEATURES, type NameEvidence } from './evidence.js';
import { WEIGHTS } from './weights.js';

/** What the names say for the same person, as a logit. */
export const logitOfNames = (evidence: NameEvidence): number => {
  let sum = WEIGHTS.base;
  for (const feature of NAME_FEATURES) sum += WEIGHTS[feature] * evidence[feature];
  return sum;
};

const { max, min } = Math;

/** The same of names of which no more is known than what agrees and what is left over, by weight. It runs for each name that shares a word. */
export const logitOfWeights = (
  agrees: number,
  queryUnmatched: number,
  listedLeft: number,
  queryTotal: number,
  listed: number,
): number => {
  const differs = min(queryUnmatched, listedLeft);
  return (
    WEIGHTS.base +
    WEIGHTS.agrees_1 * min(1, agrees) +
    WEIGHTS.agrees_2 * min(1, max(0, agrees - 1)) +
    WEIGHTS.agrees_3 * min(2, max(0, agrees - 2)) +
    WEIGHTS.differs * differs +
    (queryTotal > 0 ? (WEIGHTS.listed_lacks * (queryUnmatched - differs)) / queryTotal : 0) +
    (listed > 0 ? (WEIGHTS.asked_lacks * (listedLeft - differs)) / listed : 0)
  );
};

/** What is lost at least where a whole name is left over. */
export const MIN_LOST = Math.max(WEIGHTS.listed_lacks, WEIGHTS.asked_lacks);

/** What dates, countries and the like add. */
export const logitOfFacts = (facts: readonly Fact[]): number => facts.reduce((sum, fact) => sum + WEIGHTS[fact], 0);

const probability = (logit: number): number => 1 / (1 + Math.exp(-logit));
const logitOfProbability = (share: number): number => Math.log(share / (1 - share));

/** Up to here a score is the probability. Nearly all true pairs have more than 0.999, which would put them in no order. */
const KNEE = 0.85;
const KNEE_LOGIT = logitOfProbability(KNEE);
/** By how much true pairs of the training exceed that logit, on average: so their scores spread evenly above it. */
const SPREAD = 5;

/** 0–1: the likelier the two are the same, the higher. */
export const scoreOfLogit = (logit: number): number =>
  logit <= KNEE_LOGIT ? probability(logit) : 1 - (1 - KNEE) * Math.exp((KNEE_LOGIT - logit) / SPREAD);

export const logitOfScore = (score: number): number =>
  score <= KNEE ? logitOfProbability(score) : KNEE_LOGIT - SPREAD * Math.log((1 - score) / (1 - KNEE));
