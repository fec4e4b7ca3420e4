import { type Identifier } from '../../domain/screening-list.js';
import { alpha2Of } from '../../matching/countries.js';

/** What a publisher writes into the cell of one alias. */
export interface AliasNotes {
  /** The alias itself; another name that it was listed as, too. */
  readonly names: readonly string[];
  /** Birth dates, as they are written. */
  readonly dates: readonly string[];
  readonly identifiers: readonly Identifier[];
}

/** Remarks about a name, which are no part of it. */
const REMARK = /\s*\((?:birth name|combat name|third|false identity [^()]*)\)/giu;
const LISTED_AS = /[,(]?\s*\b(?:formerly|previously) listed as\b\s*([^(),]*)\)?/giu;
const PLACE = String.raw`(?: in (?!\d|[A-Z][a-z]{2,8}\.? ?\d{4})[\p{L}\p{M}'’ -]{2,40}?)`;
const BORN = new RegExp(
  String.raw`[,(]?\s*\bborn\b${PLACE}?(?: on| in)? ((?:\d{1,2} )?(?:[A-Z][a-z]{2,8}\.? ?)?\d{4}(?:\s?[-–]\s?\d{4})?)(?:${PLACE}(?=[,;()]|$))?\)?`,
  'gu',
);
const PASSPORT = /[,(]?\s*((?:[\p{L}]+ ){0,2})\bpassport (?:number |no\.? ?)?([A-Z]{0,3}\d[\w-]{4,})[^()]*\)?/giu;

/** The words before a passport that name its country, and those that belong to the name. */
const apart = (words: string): { readonly name: string; readonly country: string | undefined } => {
  const all = words.trim().split(' ');
  for (let from = 0; from < all.length; from += 1) {
    const country = alpha2Of(all.slice(from).join(' '));
    if (country !== undefined) return { name: all.slice(0, from).join(' '), country };
  }
  return { name: words.trim(), country: undefined };
};

/** `Ali Hasan, born 1 Jan. 1953 (Oman passport no. 03825239)` names a person, a day and a document. */
export const notesOfAlias = (alias: string): AliasNotes => {
  const found = { names: [] as string[], dates: [] as string[], identifiers: [] as Identifier[] };
  const name = alias
    .replace(REMARK, '')
    .replace(LISTED_AS, (_, other: string) => {
      found.names.push(other.trim());
      return '';
    })
    .replace(BORN, (_, date: string) => {
      found.dates.push(date.replace(/\.(?=\d)/, '. '));
      return '';
    })
    .replace(PASSPORT, (_, words: string, number: string) => {
      const { name: ofName, country } = apart(words);
      found.identifiers.push({ type: 'passport', number, ...(country === undefined ? {} : { country }) });
      return ofName === '' ? '' : ` ${ofName}`;
    })
    .replace(/[\s,(]+$/, '')
    .trim();
  return { ...found, names: [name, ...found.names].filter((text) => text !== '') };
};
