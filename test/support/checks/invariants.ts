import { type Errand, finalOf, hasSucceeded, type Kind } from '../load/journal.js';
import { ADJUSTMENT } from '../load/traffic.js';
import { type LoggedAccess } from './log-reader.js';
import { type Deduction, type Statement } from './statement.js';

export interface Evidence {
  readonly errands: readonly Errand[];
  readonly statement: Statement;
  readonly audit: readonly LoggedAccess[];
  /** Credits of the tenant before the traffic. */
  readonly initial: number;
  /** Acceptances of this tenant's ingestions since the traffic began, by ingestion stream. */
  readonly acceptances: readonly string[];
  /** The balance that the service reports. */
  readonly balance: number;
}

/** The broken invariants in words (docs/architecture.md, Invariants). Empty where every invariant holds. */
export const violations = (evidence: Evidence): string[] => [
  ...neverNegative(evidence),
  ...endsOnce(evidence),
  ...answeredIsDurable(evidence),
  ...unansweredIsFree(evidence),
  ...onceAKey(evidence),
  ...creditedOnce(evidence),
  ...acceptedOnce(evidence),
];

const neverNegative = ({ statement, balance }: Evidence): string[] => [
  ...(statement.lowest < 0 ? [`the balance fell to ${statement.lowest}`] : []),
  ...(statement.balance === balance ? [] : [`the service says ${balance}, its log ${statement.balance}`]),
];

const endsOnce = ({ statement }: Evidence): string[] =>
  [...statement.deductions.values()]
    .filter(({ ends }) => ends.length !== 1)
    .map(({ deductionId, ends }) => `deduction ${deductionId} ended ${ends.length} times: ${ends.join(', ')}`);

const byRequest = ({ deductions }: Statement): Map<string, Deduction> =>
  new Map([...deductions.values()].map((deduction) => [deduction.requestId, deduction]));

const isSettled = (deduction: Deduction | undefined): boolean => deduction?.ends[0] === 'settled';

const answeredIsDurable = ({ errands, statement, audit }: Evidence): string[] => {
  const deductions = byRequest(statement);
  const recorded = new Set(audit.map(({ deductionId }) => deductionId));
  const wrong: string[] = [];
  for (const attempt of checksOf(errands)) {
    if (!hasSucceeded(attempt) || attempt.replayed) continue;
    const deduction = deductions.get(attempt.requestId);
    if (deduction === undefined) wrong.push(`request ${attempt.requestId} was answered without a deduction`);
    else if (!isSettled(deduction))
      wrong.push(`request ${attempt.requestId} was answered and is ${deduction.ends.join()}`);
    else if (attempt.revision !== deduction.revision) wrong.push(`request ${attempt.requestId} names another revision`);
    else if (!recorded.has(deduction.deductionId)) wrong.push(`request ${attempt.requestId} left no audit entry`);
  }
  for (const deduction of statement.deductions.values()) {
    if (isSettled(deduction) && !recorded.has(deduction.deductionId)) {
      wrong.push(`deduction ${deduction.deductionId} is settled without an audit entry`);
    }
  }
  return wrong;
};

/** Tells whether a repeat with the same key received the response of the charged attempt. */
const wasReplayed = ({ key, attempts }: Errand): boolean =>
  key !== undefined && attempts.some((attempt) => hasSucceeded(attempt) && attempt.replayed);

/**
 * An attempt stays free of charge when its caller received a refusal or failure. The exception is a repeat that later received
 * the response. Without any response, both ends are right.
 */
const unansweredIsFree = ({ errands, statement }: Evidence): string[] => {
  const deductions = byRequest(statement);
  return checksOf(errands.filter((errand) => !wasReplayed(errand)))
    .filter((attempt) => attempt.status !== undefined && !hasSucceeded(attempt))
    .filter(({ requestId }) => isSettled(deductions.get(requestId)))
    .map(
      ({ requestId, status, at }) =>
        `request ${requestId} was answered ${status} at ${Math.round(at)} and stayed charged`,
    );
};

const CHARGED: ReadonlySet<Kind> = new Set(['check', 'issue', 'offer']);
const isCharged = ({ kind }: Errand): boolean => CHARGED.has(kind);

const checksOf = (errands: readonly Errand[]) => errands.filter(isCharged).flatMap(({ attempts }) => attempts);

const onceAKey = ({ errands, statement }: Evidence): string[] => {
  const deductions = byRequest(statement);
  const wrong: string[] = [];
  for (const errand of errands) {
    const { key, attempts } = errand;
    if (key === undefined) continue;
    const successes = attempts.filter(hasSucceeded);
    const settled = attempts.filter(({ requestId }) => isSettled(deductions.get(requestId)));
    if (settled.length > 1) wrong.push(`key ${key} was charged ${settled.length} times`);
    if (new Set(successes.map(({ text }) => text)).size > 1) wrong.push(`key ${key} had different answers`);
    if (isCharged(errand) && successes.filter(({ replayed }) => !replayed).length > 1) {
      wrong.push(`key ${key} ran more than once`);
    }
  }
  return wrong;
};

/** Requests with a key are repeated until they succeed. This shows the failed ones with their last response. */
const neverAnswered = (errands: readonly Errand[]): string[] =>
  errands
    .filter((errand) => finalOf(errand) === undefined)
    .map(({ kind, attempts }) => {
      const last = attempts.at(-1);
      return `a keyed ${kind} had no success in ${attempts.length} attempts, last ${last?.status} ${last?.text}`;
    });

const referenceOf = (errand: Errand): unknown =>
  (JSON.parse(finalOf(errand)?.text ?? '{}') as { reference?: unknown }).reference;

const creditedOnce = ({ errands, statement, initial }: Evidence): string[] => {
  const adjustments = errands.filter((errand) => errand.kind === 'adjust');
  const done = adjustments.filter((errand) => finalOf(errand) !== undefined).length;
  const expected = initial + done * ADJUSTMENT;
  const answered = new Set(adjustments.map((errand) => referenceOf(errand)));
  const unanswered = statement.references.filter((reference) => !answered.has(reference));
  return [
    ...neverAnswered(adjustments),
    ...(statement.given === expected
      ? []
      : [`${statement.given} credits were given instead of ${expected}; unanswered: ${unanswered.join(', ')}`]),
    ...(new Set(statement.references).size === statement.references.length ? [] : ['a reference counted twice']),
  ];
};

const acceptedOnce = ({ errands, acceptances }: Evidence): string[] => {
  const ingestions = errands.filter(({ kind }) => kind === 'ingest');
  const answered = ingestions.filter((errand) => finalOf(errand) !== undefined).length;
  return [
    ...neverAnswered(ingestions),
    ...(acceptances.length === answered ? [] : [`${acceptances.length} acceptances of ${answered} ingestions`]),
  ];
};
