/** A line of a table: the first cell to the left, the others to the right. */
export const columns = (cells: readonly string[], first = 20): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(first) : cell.padStart(14))).join('');

/** What others wrote must not steer the reader's terminal, nor turn a line around. */
const STEERING = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A value as a person reads it. */
export const legible = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(legible).join(', ');
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(STEERING, '\ufffd');
};

/** The members of an object, one on each line. */
export const fields = (members: Readonly<Record<string, unknown>>): string[] => {
  const width = Math.max(...Object.keys(members).map((name) => name.length));
  return Object.entries(members).map(([name, value]) => `${name.padEnd(width)}  ${legible(value)}`);
};

/** Rows under the names of their members; numbers to the right. */
export const table = <Name extends string>(
  names: readonly Name[],
  rows: readonly Readonly<Record<Name, unknown>>[],
): string[] => {
  const cells = rows.map((row) => names.map((name) => legible(row[name])));
  const widths = names.map((name, at) => Math.max(name.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const isNumeric = names.map((name) => rows.some((row) => typeof row[name] === 'number'));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => (isNumeric[at] ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(names), ...cells.map(line)];
};
