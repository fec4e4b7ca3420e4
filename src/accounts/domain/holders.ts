import { isMemberId } from '../../kernel/audit-actors.js';
import { type AreApart } from '../../kernel/persons.js';
import { type ApiKey } from './key-grants.js';

type Keys = ReadonlyMap<string, Pick<ApiKey, 'boundBy' | 'countsAs'>>;

/**
 * Who may know a key's secret, by the log: its holder, and those of the keys and the members that made or rotated it, through others
 * too. Keys that replaced each other have one holder.
 */
const holdersOf = (keys: Keys, actor: string, known = new Set<string>(), seen = new Set<string>()): Set<string> => {
  if (seen.has(actor)) return known;
  seen.add(actor);
  const key = keys.get(actor);
  known.add(key?.countsAs ?? actor);
  for (const maker of key?.boundBy ?? []) holdersOf(keys, maker, known, seen);
  return known;
};

/** A proposer and an approver are apart where no one may be both. Only another member approves what a member proposed. */
export const areApart =
  (keys: Keys): AreApart =>
  (proposer, approver) => {
    if (![proposer, approver].every((actor) => isMemberId(actor) || keys.has(actor))) return false;
    if (isMemberId(proposer) && !isMemberId(approver)) return false;
    const holders = holdersOf(keys, proposer);
    return [...holdersOf(keys, approver)].every((holder) => !holders.has(holder));
  };
