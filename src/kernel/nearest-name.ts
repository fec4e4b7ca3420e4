import { distance } from 'fastest-levenshtein';

const MIN_PART_LENGTH = 3;
/** Longer names are no one's slip, and their distance would take long. */
const LONGEST = 64;

/** `fullName` and `Full-Name` as `full_name`. */
const plain = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s.-]+/g, '_')
    .toLowerCase();

const isPartOf = (part: string, name: string): boolean =>
  part.length >= MIN_PART_LENGTH && (name.startsWith(`${part}_`) || name.endsWith(`_${part}`));

/** Two swapped letters are two changes, which a short name does not bear. */
const mostAway = (one: string, other: string): number => {
  const shorter = Math.min(one.length, other.length);
  return shorter < 5 ? Math.floor(shorter / 3) : Math.max(2, Math.floor(shorter / 3));
};

/** The known name that was probably meant: a few letters away, written in another style, or a name of which it is a part. */
export const nearestName = (given: string, known: Iterable<string>): string | undefined => {
  if (given.length > LONGEST) return undefined;
  const wanted = plain(given);
  let nearest: { readonly name: string; readonly away: number } | undefined;
  for (const name of known) {
    const candidate = plain(name);
    const away = isPartOf(wanted, candidate) || isPartOf(candidate, wanted) ? 1 : distance(wanted, candidate);
    if (away <= mostAway(wanted, candidate) && away < (nearest?.away ?? Infinity)) nearest = { name, away };
  }
  return nearest?.name;
};
