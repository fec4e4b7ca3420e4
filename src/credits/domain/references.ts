import { refuse } from '../../kernel/rejection.js';
import { type OlderReferences } from './credits.commands.js';
import { type Referenced } from './credits.events.js';
import { type CreditAccount } from './credit-account.js';

/**
 * How long an account remembers a reference beyond its next carry, which comes within a month. Payment providers repeat
 * an announcement for three days. An older one needs a search of the transactions (OlderReferences).
 */
const REMEMBERED_MS = 35 * 86_400_000;

/** What the reference stood for. Undefined if it is new. */
export const find = (
  reference: string,
  { references, referencesForgotten, carriedFor }: CreditAccount,
  older: OlderReferences | undefined,
): Referenced | undefined => {
  const known = references.get(reference);
  if (known !== undefined || !referencesForgotten) return known;
  // A carry after the search makes it out of date.
  if (older === undefined || older.searchedIn !== carriedFor) throw refuse('unavailable');
  return older.found.get(reference);
};

/** Whether this amount was counted under its reference before. */
export const isCounted = (
  { reference, amount }: { readonly reference: string; readonly amount: number },
  account: CreditAccount,
  older: OlderReferences | undefined,
): boolean => {
  const earlier = find(reference, account, older);
  if (earlier !== undefined && earlier.amount !== amount) throw refuse('reference_reused');
  return earlier !== undefined;
};

/** A purchase with reversals and its reversals are kept, since what may be restored or reversed depends on them. */
const isKept = (one: Referenced, time: string): boolean =>
  one.kind === 'reversal' ||
  (one.kind === 'purchase' && one.reversed > 0) ||
  one.carriedAt === null ||
  Date.parse(time) - Date.parse(one.carriedAt) < REMEMBERED_MS;

/** Those that a carry at this time holds. */
export const carriedReferences = <One extends Referenced>(references: readonly One[], time: string): readonly One[] =>
  references.filter((one) => isKept(one, time)).map((one) => ({ ...one, carriedAt: one.carriedAt ?? time }));
