/** Spellings of one sound, the longest first wins; a pattern may look ahead. */
export const SOUNDS: readonly (readonly [spelling: string, sound: string])[] = [
  // щ: German, Swedish, Dutch, French, Finnish, Polish, Hungarian, English
  ['schtsch', 'sh'],
  ['sjtsj', 'sh'],
  ['sjtj', 'sh'],
  ['sjch', 'sh'],
  ['shtsh', 'sh'],
  ['shtj', 'sh'],
  ['stsj', 'sh'],
  ['chtch', 'sh'],
  ['szcz', 'sh'],
  ['shch', 'sh'],
  ['scs(?=[aeiou])', 'sh'],
  // ч
  ['tsch', 'ch'],
  ['tch', 'ch'],
  ['tsh', 'ch'],
  ['tsj', 'ch'],
  ['tj(?!a$|ana$)', 'ch'],
  ['cz', 'ch'],
  ['cs(?=[aeiou])', 'ch'],
  // ш
  ['sch', 'sh'],
  ['sj(?!a$)', 'sh'],
  ['sz', 'sh'],
  // ж and дж
  ['dsch', 'j'],
  ['dzh', 'j'],
  ['dzj', 'j'],
  ['dzs', 'j'],
  ['dj', 'j'],
  ['zh', 'j'],
  ['zj(?!a$)', 'j'],
  ['zs(?=[aeiou])', 'j'],
  ['ph', 'f'],
  ['th', 't'],
  ['dh', 'd'],
  ['gh', 'g'],
  ['kh', 'h'],
  ['ck', 'k'],
  ['ts', 'c'],
  ['tz', 'c'],
  // ю, я, е after a consonant or a vowel; й
  ['iou', 'iu'],
  ['you', 'iu'],
  ['aye(?=[vw](?:a?$|[iy][ct]|n))', 'a'],
  ['aje(?=[vw](?:a?$|[iy][ct]|n))', 'a'],
  ['eye(?=[vw](?:a?$|[iy][ct]|n))', 'e'],
  ['eje(?=[vw](?:a?$|[iy][ct]|n))', 'e'],
  ['ee(?=[vw](?:a?$|[iy][ct]|n))', 'e'],
  ['eie(?=[vw](?:a?$|[iy][ct]|n))', 'e'],
  ['oye(?=[vw](?:a?$|[iy][ct]|n))', 'o'],
  ['oje(?=[vw](?:a?$|[iy][ct]|n))', 'o'],
  ['ij(?!a.)', 'i'],
  ['oj$', 'oi'],
  ['uj$', 'ui'],
  ['ou', 'u'],
  ['oo', 'u'],
  ['oy', 'oi'],
  ['ee', 'i'],
  ['ii', 'i'],
  ['iy', 'i'],
  ['yi', 'i'],
  ['yy', 'i'],
  ['yj', 'i'],
  ['ei', 'ai'],
  ['ej$', 'ai'],
  ['ey', 'ai'],
  ['ay', 'ai'],
  ['ae', 'a'],
  ['oe', 'o'],
  ['ue', 'u'],
  ['ye', 'e'],
  ['ie', 'e'],
  ['aa', 'a'],
  ['off$', 'ov'],
  ['eff$', 'ev'],
  ['x', 'ks'],
  ['q', 'k'],
  ['w', 'v'],
  ['y', 'i'],
];
const sorted = [...SOUNDS].sort((a, b) => b[0].replace(/\(.*/, '').length - a[0].replace(/\(.*/, '').length);
const SOUND = new RegExp(sorted.map(([spelling]) => `(${spelling})`).join('|'), 'g');

export const foldedForm = (token: string): string =>
  token
    .replace(SOUND, (...found: unknown[]) => {
      const at = found.slice(1, sorted.length + 1).findIndex((group) => group !== undefined);
      return sorted[at]?.[1] ?? String(found[0]);
    })
    .replace(/(.)\1+/g, '$1');

/** A word as it is written, and as it sounds: a typing error may change either more. */
export interface Form {
  readonly written: string;
  readonly folded: string;
}

export const formOf = (text: string): Form => ({ written: text, folded: foldedForm(text) });

/** The consonants of a folded form, by which names of scripts without short vowels are compared. An h at its end is silent. */
export const skeletonOf = (folded: string): string =>
  folded
    .replace(/(?<=...)(?<![sc])h$/, '')
    .replace(/[aeiouv]/g, '')
    .replace(/p/g, 'b')
    .replace(/j/g, 'g')
    .replace(/(.)\1+/g, '$1');
