/** Letters whose marks change the sound, written out before any-ascii takes the marks off. */
const MARKED =
  'š sh|č ch|ž zh|ć ch|đ dj|ś sh|ź z|ż zh|ş sh|ș sh|ț ts|ţ ts|ċ ch|ġ j|ğ g|ŝ sh|ĉ ch|ĵ zh|ʒ zh|ǰ j|ẓ z|ḫ kh|ḥ h|ṭ t|ṣ s|ḍ d|ž zh';
const marked = new Map(MARKED.split('|').map((pair) => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? ''] as const));
export const writtenOut = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^ -~]/g, (letter) => marked.get(letter) ?? letter);

/** Whether a name is spelled as Swedes, Germans, Czechs, Poles and Dutch spell Russian: there ch is kh, and j is y. */
export const isContinental = (name: string): boolean =>
  /tsch|[stz]j|[eiouy]j(?![aeiou])|[aeio]j\b|j[eo]v|jenk|[čšž]|\bj[aeu]|ski[ij]\b/iu.test(name);
/** A word of such a name as English spells it. */
export const anglicised = (word: string): string =>
  word
    .replace(/sjtj|schtsch|szcz|shch/g, 'SHCH')
    .replace(/tsch|tj(?!a$|ana$)/g, 'TCH')
    .replace(/sch|sj/g, 'SH')
    .replace(/zj/g, 'ZH')
    .replace(/(?<![tscz])ch/g, 'kh')
    .replace(/j/g, 'y')
    .replace(/w/g, 'v')
    .toLowerCase();
