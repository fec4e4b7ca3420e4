export const count = (value: number): string => value.toLocaleString('en');

/** `+5`, `-3`. */
export const signed = (value: number): string => `${value > 0 ? '+' : ''}${count(value)}`;

/** Words of the API as a person reads them: `potential_match` as "potential match". */
export const words = (name: string): string => name.replaceAll('_', ' ');

const LISTS: Readonly<Record<string, string>> = {
  OFAC_SDN: 'OFAC SDN',
  OFAC_NON_SDN: 'OFAC consolidated',
  EU_CONSOLIDATED: 'EU consolidated',
  UN_SECURITY_COUNCIL: 'UN Security Council',
  UK_SANCTIONS: 'UK sanctions',
  CH_SECO: 'Swiss SECO',
  PEP: 'Office holders (PEP)',
};

/** A list of sanctions or office holders as officers name it. */
export const listName = (id: string): string => LISTS[id] ?? words(id);

/** The same with a capital: `read_model_ledger` as "Read model ledger". */
export const sentence = (name: string): string => {
  const text = words(name).replace(/\bpep\b/, 'PEP');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The number with its noun: "1 entry", "3 entries". */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`;
