import { type Identifier, type IdentifierType } from '../../domain/screening-list.js';
import { alpha2Of } from '../../matching/countries.js';

/** What the publishers call each kind, in the order in which they are tried. */
const LABELS: readonly (readonly [IdentifierType, RegExp])[] = [
  ['crypto_address', /^Digital Currency Address(?: - \w+)?:?\s+(.+)$/],
  [
    'imo',
    /^(?:Vessel Registration Identification|International Maritime Organization No\.|(?:Company|Identification) Number IMO)\s+(?:IMO\s+)?(\d{7}.*)$/,
  ],
  ['mmsi', /^MMSI\s+(.+)$/],
  ['bic', /^(?:SWIFT\/BIC|BIC)\s+(.+)$/],
  ['lei', /^Legal Entity Number\s+([A-Z0-9]{18}\d\d.*)$/],
  [
    'passport',
    /^(?:Diplomatic |Stateless Person |Service )?(?:Passport|Travel Document)(?: No\.?| Number| #)?[: ]\s*(.+)$/i,
  ],
  [
    'tax_id',
    /^(?:Tax ID(?: No\.?)?|US FEIN|R\.F\.C\.|RFC|NIT #|RUC #|RIF #|V\.A\.T\. Number|Italian Fiscal Code|Fiscal Code|C\.U\.I\.T\.|RTN|C\.I\.F\.|N\.I\.T\.)\s+(.+)$/i,
  ],
  [
    'national_id',
    /^(?:National(?: Foreign)? ID(?: No\.?| Number)?|National Identification(?: Number| No\.?)?|Identification Number(?! IMO)|(?:[A-Z][a-z]+ )?(?:Personal )?ID(?: Card| No\.| Number)|Personal ID Card|Cedula(?: No\.?)?|Cedula de (?:Ciudadania|Residencia)|C\.U\.R\.P\.|CURP|D\.N\.I\.|DNI|SSN|Driver's License No\.|Electoral Registry No\.|Credencial electoral|Birth Certificate Number|I\.F\.E\.|C\.U\.I\.P?\.|LE Number|Residency Number|N\.I\.E\.|Turkish Identification Number|Numero de Identidad|Tazkira National ID Card|Refugee ID Card|Stateless Person ID Card|Military Registration Number|CNP(?: \([^)]*\))?|Seafarer's Identification Document|Pilot License Number|Citizen's Card Number|Cartilla de Servicio Militar Nacional|Carnet de Identidad|Identity Card(?: No\.| Number)?)[: ]\s*(.+)$/,
  ],
  [
    'registration',
    /^(?:Registration (?:Number|ID)|(?:UK )?Company Number|Business (?:Registration )?(?:Number|Document #)|Commercial Registry Number|Identification Number IMO|Enterprise Number|Government Gazette Number|Folio Mercantil No\.|Trade License No\.|License|Unified Social Credit Code(?: \(USCC\))?|United Social Credit Code Certificate(?: \(USCCC\))?|Legal Entity Number|C\.R\. No\.|Economic Register Number(?: \(CBLS\))?|Matricula Mercantil No|Chamber of Commerce Number|D-U-N-S Number|Central Registration System Number|[\w. ]*Chamber of Comm(?:\.|erce)(?: Membership)? No\.|BIK(?: \(RU\))?|Public Registration Number|Permit Number|File Number|Organization Code|MSB Registration Number|Tourism License No\.|Aircraft (?:Manufacturer's Serial Number \(MSN\)|Tail Number|Construction Number[^:]*?\)|Serial Identification|Mode S Transponder Code)|Previous Aircraft Tail Number|(?:Other )?Vessel Call Sign|Registered Charity No\.)[: ]\s*(.+)$/,
  ],
];

/** What follows a number: `(Egypt)`, `issued 1999`, `expires 20 May 2028`. */
const DATES = /\s+(?:issued|expires|valid|date of issue)\b.*$/i;
const IN_BRACKETS = /\s*\(([^)]*)\)\s*$/;

const numberAndCountry = (text: string): Omit<Identifier, 'type'> | undefined => {
  let number = text.replace(DATES, '').trim();
  let country: string | undefined;
  for (let found = IN_BRACKETS.exec(number); found !== null; found = IN_BRACKETS.exec(number)) {
    country ??= alpha2Of(found[1] ?? '');
    number = number.slice(0, found.index).trim();
  }
  if (!/\d|[A-Z]{6}/.test(number)) return undefined;
  return country === undefined ? { number } : { number, country };
};

/** `Passport A1234567 (Egypt) expires 20 May 2028`; undefined for any other text. */
export const identifierIn = (text: string): Identifier | undefined => {
  const plain = text.trim().replace(/^alt\. /i, '');
  for (const [type, label] of LABELS) {
    const found = numberAndCountry(label.exec(plain)?.[1] ?? '');
    if (found !== undefined) return { type, ...found };
  }
  return undefined;
};

/** An identifier that a publisher gives in parts. */
export const identifierOf = (type: IdentifierType, number: string, country: string): Identifier[] => {
  if (!/\d|[A-Z]{6}/.test(number)) return [];
  const code = alpha2Of(country);
  return [code === undefined ? { type, number } : { type, number, country: code }];
};

/** The longest country that the words name: `Libyan passport no.`, `, South Sudan`. Empty where there is none. */
export const countryAmong = (text: string): string => {
  const words = text.split(/[^\p{L}-]+/u).filter((word) => word !== '');
  for (let length = Math.min(words.length, 5); length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const named = words.slice(from, from + length).join(' ');
      if (named.length > 3 && alpha2Of(named) !== undefined) return named;
    }
  }
  return '';
};

/** A number, and the country that is named before it; empty where none is. */
interface NumberOfText {
  readonly number: string;
  readonly country: string;
}

const DATE = /\b\d{1,4}[./]\d{1,2}[./]\d{1,4}\b/g;
const NUMBER_OF_TEXT = /[A-Z]{0,4}-?\d[\w./-]{3,}\w/g;
const NUMBER_AND_COUNTRY = /^(\S*\d\S*), (\D+)$/;

/** The numbers in a text that may have words too: `Afghan passport number OA296623`, `R00012098, South Sudan`. */
export const numbersIn = (text: string): readonly NumberOfText[] => {
  const [, number, named = ''] = NUMBER_AND_COUNTRY.exec(text.trim()) ?? [];
  if (number !== undefined && alpha2Of(named) !== undefined) return [{ number, country: named }];
  if (!/\s/.test(text) || !/\b[a-z]{3,}\b/.test(text)) return [{ number: text.trim(), country: '' }];
  const plain = text.replace(DATE, '');
  let end = 0;
  return [...plain.matchAll(NUMBER_OF_TEXT)].map((found) => {
    const before = plain.slice(end, found.index);
    end = found.index + found[0].length;
    return { number: found[0], country: countryAmong(before) };
  });
};
