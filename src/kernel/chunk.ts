/** Splits the list, in order, into groups of `size`; the last may be smaller. Own code: one line is not worth a dependency. */
export const chunk = <Thing>(things: readonly Thing[], size: number): Thing[][] =>
  Array.from({ length: Math.ceil(things.length / size) }, (_, group) => things.slice(group * size, (group + 1) * size));
