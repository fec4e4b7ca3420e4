import { meaningOf } from './company-words.js';
import { type NameToken, textOf } from './name-token.js';

/** Legal forms in words, and how they are shortened. Written as tokens are. */
const IN_WORDS: Readonly<Record<string, string>> = {
  'joint stock company': 'jsc',
  'open joint stock company': 'ojsc',
  'public joint stock company': 'pjsc',
  'closed joint stock company': 'cjsc',
  'private joint stock company': 'pjsc',
  'limited liability company': 'llc',
  'limited liability partnership': 'llp',
  'public limited company': 'plc',
  'free zone company': 'fzc',
  'sociedad anonima': 'sa',
  'societe anonyme': 'sa',
  'sociedad de responsabilidad limitada': 'srl',
  'societa per azioni': 'spa',
  'gesellschaft mit beschrankter haftung': 'gmbh',
  aktiengesellschaft: 'ag',
  kommanditgesellschaft: 'kg',
  'aktsionernoe obshchestvo': 'ao',
  'aktsionernoye obshchestvo': 'ao',
  'otkrytoe aktsionernoe obshchestvo': 'oao',
  'publichnoe aktsionernoe obshchestvo': 'pao',
  'zakrytoe aktsionernoe obshchestvo': 'zao',
  'obshchestvo s ogranichennoi otvetstvennostyu': 'ooo',
  'obshchestvo s ogranichennoy otvetstvennostyu': 'ooo',
  aktiebolag: 'ab',
  'naamloze vennootschap': 'nv',
  'besloten vennootschap': 'bv',
  'anonim sirketi': 'as',
  'limited sirketi': 'ltd',
  'sendirian berhad': 'sdn',
  'private limited': 'ltd',
  'pte ltd': 'ltd',
  'pvt ltd': 'ltd',
  'youxian gongsi': 'ltd',
  'youxian zeren gongsi': 'ltd',
  'limited sirket': 'ltd',
  'sherkate sahami': 'jsc',
  'sherkat sahami': 'jsc',
  'federal state unitary enterprise': 'fgup',
  'federalnoe gosudarstvennoe unitarnoe predpriyatie': 'fgup',
  'federalnoye gosudarstvennoye unitarnoye predpriyatiye': 'fgup',
  'state unitary enterprise': 'gup',
  'gosudarstvennoe unitarnoe predpriyatie': 'gup',
  'republican unitary enterprise': 'rup',
  'respublikanskoe unitarnoe predpriyatie': 'rup',
  'scientific production association': 'npo',
  'nauchno proizvodstvennoe obedinenie': 'npo',
  'scientific production enterprise': 'npp',
  'nauchno proizvodstvennoe predpriyatie': 'npp',
  'tovarystvo z obmezhenoyu vidpovidalnistyu': 'tov',
  'obshchestvo s ogranichennoi otvetstvennostiu': 'ooo',
  'sociedad por acciones simplificada': 'sas',
  'empresa unipersonal': 'eu',
  'compania limitada': 'ltda',
};

const forms = Object.entries(IN_WORDS)
  .map(([words, form]) => ({ words: words.split(' '), form }))
  .sort((a, b) => b.words.length - a.words.length);
const beginnings = new Set(forms.map(({ words: [first = ''] }) => first));

/** The words with each legal form in its short spelling, `Joint Stock Company` as `jsc`, and what others mean in English. */
export const shortLegalForms = (tokens: readonly NameToken[]): readonly NameToken[] => withMeanings(shortened(tokens));

/** With what a word means in English, beside how it is read. */
const withMeanings = (tokens: readonly NameToken[]): readonly NameToken[] =>
  tokens.map((token) => {
    const meaning = meaningOf(textOf(token));
    return meaning === undefined ? token : { ...token, readings: [...token.readings, meaning] };
  });

const shortened = (tokens: readonly NameToken[]): readonly NameToken[] => {
  if (!tokens.some((token) => beginnings.has(textOf(token)))) return tokens;
  const short: NameToken[] = [];
  for (let at = 0; at < tokens.length;) {
    const found = forms.find(({ words }) => words.every((word, index) => textAt(tokens, at + index) === word));
    const token = tokens[at];
    if (found !== undefined) short.push({ readings: [found.form] });
    else if (token !== undefined) short.push(token);
    at += found?.words.length ?? 1;
  }
  return short;
};

const textAt = (tokens: readonly NameToken[], at: number): string | undefined => {
  const token = tokens[at];
  return token === undefined ? undefined : textOf(token);
};
