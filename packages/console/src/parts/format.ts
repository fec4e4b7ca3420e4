export const count = (value: number): string => value.toLocaleString('en');

/** `+5`, `-3`. */
export const signed = (value: number): string => `${value > 0 ? '+' : ''}${count(value)}`;

/** Words of the API as a person reads them: `potential_match` as "potential match". */
export const words = (name: string): string => name.replaceAll('_', ' ');

/** The number with its noun: "1 entry", "3 entries". */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`;
