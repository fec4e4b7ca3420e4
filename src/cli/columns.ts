/** A line of a table: the first cell to the left, the others to the right. */
export const columns = (cells: readonly string[], first = 20): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(first) : cell.padStart(14))).join('');
