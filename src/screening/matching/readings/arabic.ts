/** The consonants that each letter represents in Latin names, folded: Arabic, Persian, Dari, Urdu and Pashto. "-" is none. */
const LETTERS = `
  ا - آ - أ - إ - ء - ؤ - ئ - ع - ى - ي - ی - ې - ۍ - ێ - ے - و - ۆ - ۇ - ۈ - ۊ - ۋ - ۀ - ە - ٱ - ﻻ l
  ب b پ b ت t ٹ t ټ t ط t ث t|s ج g چ ch ح h خ h د d ډ d ڈ d ذ d|z ر r ړ r ڑ r ڕ r ز z ژ g ږ g ځ z|g|dz څ c|s س s ش sh|ch ښ sh|h|k
  ص s ض d|z ظ z|d غ g ف f ڤ - ق k|g ڨ g ك k ک k ڭ ng گ g ل l ڵ l م m ن n ں n ڼ n ه h ہ h ھ h ة -|t ۃ -|t
`;
/** Letters that end a word silently. */
const SILENT_AT_END = new Set(['ه', 'ہ', 'ھ', 'ة', 'ۃ', 'ۀ', 'ە', 'ح', 'خ']);
/** Letters that Latin spelling writes with an h after another, though no digraph is meant. */
const BREATHS = new Set(['ه', 'ہ', 'ھ', 'ح']);
/** What Latin letters give, when an h stands after them. */
const WITH_H: Readonly<Record<string, string>> = { t: 't', d: 'd', s: 'sh', z: 'g', k: 'h', g: 'g', b: 'f' };
const MAX_READINGS = 12;

const letters = new Map<string, readonly string[]>();
const entries = LETTERS.trim().split(/\s+/);
entries.forEach((entry, at) => {
  if (at % 2 === 0)
    letters.set(
      entry,
      (entries[at + 1] ?? '').split('|').map((reading) => (reading === '-' ? '' : reading)),
    );
});

const collapse = (skeleton: string): string => skeleton.replace(/(.)\1+/g, '$1');

/** The consonants by which a word in Arabic script may be written in Latin letters, the likeliest first. */
export const arabicSkeletons = (word: string): string[] => {
  let readings: string[] = [''];
  const chars = Array.from(word.normalize('NFKC').replace(/[\p{Mn}\p{Cf}ـ]/gu, ''));
  chars.forEach((char, at) => {
    const last = at === chars.length - 1 && at > 1;
    const options =
      last && SILENT_AT_END.has(char)
        ? letters.get(char)?.includes('t')
          ? ['', 't']
          : ['']
        : (letters.get(char) ?? ['']);
    const breath = BREATHS.has(char) && letters.get(chars[at - 1] ?? '')?.[0] !== '';
    readings = readings.flatMap((reading) => {
      const plain = options.map((option) => reading + option);
      const digraph = WITH_H[reading.at(-1) ?? ''];
      return breath && at > 0 && digraph !== undefined ? [...plain, reading.slice(0, -1) + digraph] : plain;
    });
    readings = readings.slice(0, MAX_READINGS);
  });
  return [...new Set(readings.map(collapse))];
};

/** The article, written together with the name: without it, and as it sounds before it in one word with what stands before. */
export const withoutArticle = (word: string): string | undefined =>
  /^[اأٱ]ل/.test(word) && word.length > 4 ? word.slice(2) : undefined;
