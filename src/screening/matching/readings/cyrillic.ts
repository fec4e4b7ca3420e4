/** As any-ascii does not read them: spelled so, folding does the rest. */
const BETTER: Readonly<Record<string, string>> = { ћ: 'ch', ј: 'y', ѓ: 'gj', ќ: 'kj', ң: 'n' };
const BULGARIAN = /[бвгджзклмнпрстфхцчшщ]ъ[бвгджзклмнпрстфхцчшщ]|щ/;

/** A word of Cyrillic letters as lists may spell it, the likeliest first. `per`: any-ascii. */
export const cyrillicReadings = (written: string, per: (text: string) => string): string[] => {
  const word = written.toLowerCase().replace(/[ћјѓќң]/g, (letter) => BETTER[letter] ?? letter);
  const latin = (text: string): string =>
    per(text)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
  const readings = [latin(word)];
  if (/[гґ]/.test(word)) readings.push(latin(word.replace(/г/g, 'h')));
  if (/[іўї]/.test(word) && /г/.test(word)) readings.reverse();
  if (/ё/.test(word)) readings.push(latin(word.replace(/(?<=[жшчщ])ё/g, 'о').replace(/ё/g, 'yo')));
  if (BULGARIAN.test(word)) readings.push(latin(word.replace(/щ/g, 'sht').replace(/ъ(?=.)/g, 'a')));
  if (/ў/.test(word)) readings.push(latin(word.replace(/ў/g, 'v')));
  return [...new Set(readings)];
};
