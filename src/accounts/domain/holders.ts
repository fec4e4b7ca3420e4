import { isMemberId } from '../../kernel/audit-actors.js';
import { type AreApart } from '../../kernel/persons.js';
import { type ApiKey } from './key-grants.js';
import { type Member } from './members.js';

type Keys = ReadonlyMap<string, Pick<ApiKey, 'boundBy' | 'countsAs'>>;

interface Holders {
  readonly keys: Keys;
  readonly members: ReadonlyMap<string, Pick<Member, 'status'>>;
}

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

/**
 * A proposer and an approver are apart where no one may be both: two members, or two keys without a common holder. A key and a member
 * may be one person, since anyone may have been given a key. A proposal ends with its proposer's membership.
 */
export const areApart =
  ({ keys, members }: Holders): AreApart =>
  (proposer, approver) => {
    if (isMemberId(proposer) !== isMemberId(approver)) return false;
    if (isMemberId(proposer))
      return proposer !== approver && [proposer, approver].every((id) => members.get(id)?.status === 'active');
    if (![proposer, approver].every((keyId) => keys.has(keyId))) return false;
    const holders = holdersOf(keys, proposer);
    return [...holdersOf(keys, approver)].every((holder) => !holders.has(holder));
  };
