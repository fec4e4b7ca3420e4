/** By the place in a block of 128, the same in Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada, Malayalam. */
const INDIC = `
  01n 02n 03h 05a 06a 07i 08i 09u 0Au 0Bri 0De 0Ee 0Fe 10ai 11o 12o 13o 14au 15k 16kh 17g 18gh 19ng 1Ach 1Bchh 1Cj 1Djh 1En 1Ft 20th 21d 22dh 23n
  24t 25th 26d 27dh 28n 29n 2Ap 2Bph 2Cb 2Dbh 2Em 2Fy 30r 31r 32l 33l 34zh 35v 36sh 37sh 38s 39h 3Ea 3Fi 40i 41u 42u 43ri 45e 46e 47e 48ai 49o 4Ao 4Bo 4Cau
  58q 59kh 5Agh 5Bz 5Cr 5Drh 5Ef 5Fy 70n 71- 7An 7Bn 7Cr 7Dl 7El 7Fk
`;
const indic = new Map(
  INDIC.trim()
    .split(/\s+/)
    .map((entry) => [parseInt(entry.slice(0, 2), 16), entry.slice(2).replace('-', '')] as const),
);
const NUKTA: Readonly<Record<string, string>> = {
  k: 'q',
  kh: 'kh',
  g: 'gh',
  j: 'z',
  d: 'r',
  dh: 'rh',
  ph: 'f',
  y: 'y',
};
const isConsonant = (at: number): boolean => (at >= 0x15 && at <= 0x39) || (at >= 0x58 && at <= 0x5f);
const isVowelSign = (at: number): boolean => at >= 0x3e && at <= 0x4c;
/** Blocks (from U+0900, by 128) whose words drop the vowel that is not written: Devanagari, Bengali, Gurmukhi, Gujarati, Odia. */
const DROPS_VOWEL = new Set([0, 1, 2, 3, 4]);
const BENGALI: Readonly<Record<number, string>> = { 0x2f: 'j', 0x5f: 'y' };

interface Part {
  text: string;
  inherent: boolean;
  nasal?: boolean;
}

export const isIndic = (text: string): boolean => /[\u0900-\u0d7f]/.test(text);

/** A word in a script of India as it is mostly spelled. */
export const indicReading = (word: string): string => {
  const codes = Array.from(word.normalize('NFC'))
    .map((char) => (char.codePointAt(0) ?? 0) - 0x900)
    .filter((code) => code >= 0 && code < 0x480);
  const parts: Part[] = [];
  codes.forEach((code, index) => {
    const [block, at] = [code >> 7, code & 127];
    const last = parts.at(-1);
    if (at === 0x3c && last !== undefined)
      last.text = block === 1 && last.text === 'j' ? 'y' : (NUKTA[last.text] ?? last.text);
    else if (at === 0x4d && last !== undefined) last.inherent = false;
    else {
      if (isVowelSign(at) && last !== undefined) last.inherent = false;
      const labial = /^[\x2a-\x2e]$/.test(String.fromCharCode((codes[index + 1] ?? 0) & 127));
      const beforeH = ((codes[index + 1] ?? 0) & 127) === 0x39;
      const text =
        at === 0x02 && (labial || beforeH)
          ? labial
            ? 'm'
            : 'ng'
          : ((block === 1 ? BENGALI[at] : undefined) ?? indic.get(at) ?? '');
      if (text !== '') parts.push({ text, inherent: isConsonant(at), nasal: at === 0x02 || at === 0x70 });
    }
  });
  if (DROPS_VOWEL.has((codes[0] ?? 0) >> 7)) dropVowels(parts);
  return parts.map(({ text, inherent }) => (inherent ? `${text}a` : text)).join('');
};

const isVowel = (text: string | undefined): boolean => text !== undefined && /^[aeiou]/.test(text);
/** From the end: the last one after a single consonant, and one between vowel, consonant and consonant, vowel. */
const dropVowels = (parts: Part[]): void => {
  const hasVowel = (at: number): boolean =>
    (parts[at]?.inherent ?? false) || isVowel(parts[at]?.text) || (parts[at]?.nasal ?? false);
  for (let at = parts.length - 1; at > 0; at -= 1) {
    const part = parts[at];
    if (part?.inherent !== true) continue;
    const before = hasVowel(at - 1);
    if (at === parts.length - 1 ? before : before && !isVowel(parts[at + 1]?.text) && hasVowel(at + 1))
      part.inherent = false;
    else if (at < parts.length - 1 && before && !isVowel(parts[at + 1]?.text) && isVowel(parts[at + 2]?.text))
      part.inherent = false;
  }
};
