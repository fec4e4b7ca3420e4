import { createRequire } from 'node:module';
import countries, { type LocaleData } from 'i18n-iso-countries/index.js';

const english = createRequire(import.meta.url)('i18n-iso-countries/langs/en.json') as LocaleData;
countries.registerLocale(english);

/** Names by which the lists call a country, beside those of ISO. */
const CALLED: Readonly<Record<string, string>> = {
  afghan: 'AF',
  egyptian: 'EG',
  iranian: 'IR',
  iraqi: 'IQ',
  jordanian: 'JO',
  lebanese: 'LB',
  libyan: 'LY',
  omani: 'OM',
  pakistani: 'PK',
  russian: 'RU',
  saudi: 'SA',
  'saudi arabian': 'SA',
  somali: 'SO',
  sudanese: 'SD',
  syrian: 'SY',
  tunisian: 'TN',
  yemeni: 'YE',
  'bahamas, the': 'BS',
  'bosnia-herzegovina': 'BA',
  'british virgin islands': 'VG',
  brunei: 'BN',
  burma: 'MM',
  'cape verde': 'CV',
  'central african republic': 'CF',
  congo: 'CG',
  'cote d ivoire': 'CI',
  'czech republic': 'CZ',
  'east timor': 'TL',
  england: 'GB',
  'iran (islamic republic of)': 'IR',
  'ivory coast': 'CI',
  "korea, democratic people's republic of": 'KP',
  "democratic people's republic of korea": 'KP',
  'korea, north': 'KP',
  'korea, south': 'KR',
  laos: 'LA',
  macedonia: 'MK',
  moldova: 'MD',
  palestinian: 'PS',
  'region: gaza': 'PS',
  gaza: 'PS',
  'gaza strip': 'PS',
  'hong kong sar': 'HK',
  macau: 'MO',
  'north macedonia, the republic of': 'MK',
  'viet nam': 'VN',
  'west bank': 'PS',
  'state of palestine': 'PS',
  swaziland: 'SZ',
  syria: 'SY',
  'united kingdom of great britain and northern ireland': 'GB',
  'united republic of tanzania': 'TZ',
  'venezuela (bolivarian republic of)': 'VE',
  'bolivia (plurinational state of)': 'BO',
};

/** Countries that are no more, by those that are in their place. */
const SUCCESSORS = new Map(
  Object.entries({
    su: 'RU UA BY UZ KZ GE AZ LT MD LV KG TJ AM TM EE',
    'soviet union': 'RU UA BY UZ KZ GE AZ LT MD LV KG TJ AM TM EE',
    ussr: 'RU UA BY UZ KZ GE AZ LT MD LV KG TJ AM TM EE',
    yu: 'RS ME HR SI BA MK XK',
    yugoslavia: 'RS ME HR SI BA MK XK',
    // Czechoslovakia until 1993, Serbia and Montenegro from 2003.
    cs: 'CZ SK RS ME',
    czechoslovakia: 'CZ SK',
    'serbia and montenegro': 'RS ME',
    zr: 'CD',
    zaire: 'CD',
    dd: 'DE',
    bu: 'MM',
    tp: 'TL',
    an: 'CW SX BQ',
    'netherlands antilles': 'CW SX BQ',
  }),
);
/** Codes that offices of the EU use beside those of ISO. */
const OTHER_CODES = new Map([
  ['EL', 'GR'],
  ['UK', 'GB'],
]);

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

const named = new Map(Object.entries(CALLED));
for (const [code, names] of Object.entries(countries.getNames('en', { select: 'all' }))) {
  for (const name of names) named.set(plain(name), code);
}

const byName = (name: string): string | undefined => named.get(plain(name));

/** `Congo, Democratic Republic of the` is `Democratic Republic of the Congo`. */
const turned = (name: string): string => {
  const [first = '', ...rest] = name.split(', ');
  return [...rest.map((part) => part.replace(/^the /i, '')), first].join(' ');
};

/** The alpha-2 code of an English name, an alpha-2 or an alpha-3 code; undefined where there is none. */
export const alpha2Of = (text: string): string | undefined => {
  const name = text.trim();
  const code = name.toUpperCase();
  if (/^[A-Z]{2}$/.test(code)) return OTHER_CODES.get(code) ?? (countries.isValid(code) ? code : undefined);
  if (/^[A-Z]{3}$/.test(code)) return countries.alpha3ToAlpha2(code) ?? byName(name);
  return byName(name) ?? (name.includes(', ') ? byName(turned(name)) : undefined);
};

/** The same of a text that may name a country that is no more: every one that the person may be of now. */
export const countriesNamed = (text: string): readonly string[] => {
  const successors = SUCCESSORS.get(plain(text.trim()));
  if (successors !== undefined) return successors.split(' ');
  const code = alpha2Of(text);
  return code === undefined ? [] : [code];
};
