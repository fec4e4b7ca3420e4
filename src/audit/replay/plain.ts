type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isEnvelope = (value: unknown): boolean => isObject(value) && 'alg' in value && 'ct' in value;

const isPairs = (value: object): value is Iterable<readonly [string, unknown]> =>
  Symbol.iterator in value && !Array.isArray(value) && !(value instanceof Set);

/**
 * A copy as plain JSON, of an event's data or of a state. Envelopes are left out, since ciphertext is of no use to a
 * reader, or replaced by what they hold where that was opened.
 */
export const plain = (value: unknown, opened: ReadonlyMap<object, unknown> = new Map()): unknown => {
  if (typeof value === 'bigint') return String(value);
  if (!isObject(value) || value instanceof Date) return value;
  if (opened.has(value)) return opened.get(value);
  if (Array.isArray(value) || value instanceof Set) return [...value].map((item) => plain(item, opened));
  const entries = isPairs(value) ? [...value] : Object.entries(value);
  const kept = entries.filter(([, field]) => !isEnvelope(field) || opened.has(field as object));
  return Object.fromEntries(kept.map(([name, field]) => [name, plain(field, opened)]));
};
