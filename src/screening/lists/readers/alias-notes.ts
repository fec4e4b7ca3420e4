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

const LISTED_AS = /[,(]?\s*\b(?:formerly|previously) listed as\b\s*([^()]*)\)?/giu;
const BORN =
  /[,(]?\s*\bborn\b(?: in (?!\d|[A-Z][a-z]{2,8}\.? ?\d{4})[\p{L}\p{M}'’ -]+?)?(?: on| in)? ((?:\d{1,2} )?(?:[A-Z][a-z]{2,8}\.? ?)?\d{4})\)?/gu;
const PASSPORT = /[,(]?\s*(?:\b([\p{L}]+) )?\bpassport (?:number |no\.? ?)?([A-Z]{0,3}\d[\w-]{4,})[^()]*\)?/giu;
/** Remarks about a name, which are no part of it. */
const REMARK = /\s*\((?:birth name|combat name|third|false identity [^()]*)\)/giu;

/** `Ali Hasan, born 1 Jan. 1953 (Oman passport no. 03825239)` names a person, a day and a document. */
export const notesOfAlias = (alias: string): AliasNotes => {
  const found = { names: [] as string[], dates: [] as string[], identifiers: [] as Identifier[] };
  const name = alias
    .replace(LISTED_AS, (_, other: string) => {
      found.names.push(other.trim());
      return '';
    })
    .replace(BORN, (_, date: string) => {
      found.dates.push(date.replace(/\.(?=\d)/, '. '));
      return '';
    })
    .replace(PASSPORT, (_, of: string | undefined, number: string) => {
      const country = of === undefined ? undefined : alpha2Of(of);
      found.identifiers.push({ type: 'passport', number, ...(country === undefined ? {} : { country }) });
      return '';
    })
    .replace(REMARK, '')
    .replace(/[\s,(]+$/, '')
    .trim();
  return { ...found, names: [name, ...found.names].filter((text) => text !== '') };
};
