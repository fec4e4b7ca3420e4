/** Consonants as names are spelled, by their letters. */
const CONSONANTS = pairs(
  'က k ခ kh ဂ g ဃ g င ng စ s ဆ hs ဇ z ဈ z ည ny ဉ ny ဋ t ဌ ht ဍ d ဎ d ဏ n တ t ထ ht ဒ d ဓ d န n ပ p ဖ ph ဗ b ဘ b မ m ယ y ရ y လ l ဝ w သ th ဟ h ဠ l အ -',
);
/** Letters that are a syllable's beginning and vowel at once. */
const WHOLE = pairs('ဣ i ဤ i ဥ u ဦ u ဧ e ဩ aw ဪ aw');
/** Rhymes without tones, the longest first: vowel signs and a closing consonant. */
const RHYMES = [
  ...pairs(
    'ောင် aung ောက် auk ိုင် aing ိုက် aik ိန် ein ိမ် ein ိံ ein ိတ် eik ိပ် eik ုန် on ုမ် on ုံ on ုတ် ok ုပ် ok ွန် un ွမ် un ွံ un ွတ် ut ွပ် ut ွင် win ွက် wet ွဲ we ွယ် we ွေ we ွာ wa ွား wa ော် aw ော aw ို o ိ i ီ i ု u ူ u ေ e ဲ e ယ် e ည် i ဉ် in င် in န် an မ် an ံ an က် et တ် at ပ် at စ် it ာ a ါ a ွ wa',
  ),
].sort(([a], [b]) => b.length - a.length);
const TONES = /[့း]/gu;
const ASAT = '်';
const MEDIALS = pairs('ျ y ြ y');
const BREATH = 'ှ';

function pairs(text: string): Map<string, string> {
  const words = text.split(' ');
  return new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : [])));
}

/** Spellings of beginnings that differ from the sum of their letters. */
const BEGINNINGS = new Map([
  ['khy', 'ch'],
  ['gy', 'gy'],
  ['hy', 'sh'],
]);
/** Other spellings of the same sounds in names. */
const VARIANTS: readonly (readonly [RegExp, string])[] = [
  [/^ht/, 't'],
  [/^hs/, 's'],
  [/^ph/, 'p'],
  [/o$/, 'oe'],
  [/e$/, 'ay'],
  [/i$/, 'yi'],
  [/u$/, 'oo'],
  [/^k(?=[^h])/, 'g'],
  [/on$/, 'one'],
  [/un$/, 'unt'],
  [/ein$/, 'eint'],
];

export const isBurmese = (text: string): boolean => /[\u1000-\u109f]/.test(text);

/** A syllable begins with a consonant that neither closes another nor stands below one. */
const syllablesOf = (word: string): string[] =>
  word.normalize('NFC').match(/[က-အဣ-ဪ](?:(?![က-အဣ-ဪ])[\u1000-\u109f]|[က-အ](?=့?်|့်?))*/gu) ?? [];

const readingOf = (syllable: string): string => {
  const plain = syllable.replace(TONES, '');
  const [letter = '', ...rest] = Array.from(plain);
  const whole = WHOLE.get(letter);
  if (whole !== undefined) return whole;
  let begin = CONSONANTS.get(letter)?.replace('-', '') ?? '';
  let after = rest.join('');
  for (const [medial, sound] of MEDIALS) {
    if (after.includes(medial)) {
      begin += sound;
      after = after.replace(medial, '');
    }
  }
  if (after.includes(BREATH)) {
    begin = `h${begin}`;
    after = after.replace(BREATH, '');
  }
  const rhyme = RHYMES.find(([written]) => after === written || after === `${written}${ASAT}`);
  return (BEGINNINGS.get(begin) ?? begin) + (rhyme?.[1] ?? (after === '' ? 'a' : ''));
};

/** Each syllable as names in Latin letters spell it: they are written apart there. */
export const burmeseReadings = (word: string): string[][] =>
  syllablesOf(word).map((syllable) => {
    const usual = readingOf(syllable);
    const others = VARIANTS.filter(([form]) => form.test(usual)).map(([form, by]) => usual.replace(form, by));
    return [...new Set([usual, ...others])].filter((text) => text !== '');
  });
