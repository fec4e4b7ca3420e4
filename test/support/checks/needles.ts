import { createHash } from 'node:crypto';

/** A value that must appear nowhere, and one way to write it. */
export interface Needle {
  readonly value: string;
  readonly writing: string;
  readonly bytes: Buffer;
}

/** The part of a value's base64 that does not depend on the surrounding bytes, for each of three alignments. */
const base64Cores = (value: string): string[] =>
  [0, 1, 2].map((offset) => {
    const bytes = Buffer.byteLength(value) + offset;
    const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]).toString('base64');
    return whole.slice(offset === 0 ? 0 : offset + 1, Math.floor((bytes * 8) / 6));
  });

const escaped = (value: string): string =>
  value.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const written = (value: string): Record<string, string> => {
  const [first = '', second = '', third = ''] = base64Cores(value);
  const hex = Buffer.from(value).toString('hex');
  return {
    plain: value,
    'lower case': value.toLowerCase(),
    'upper case': value.toUpperCase(),
    'base64 at 0': first,
    'base64 at 1': second,
    'base64 at 2': third,
    hexadecimal: hex,
    'upper hexadecimal': hex.toUpperCase(),
    'in a URL': encodeURIComponent(value),
    'escaped in JSON': escaped(value),
    'twice in base64': Buffer.from(Buffer.from(value).toString('base64')).toString('base64').slice(0, -4),
  };
};

/** An attacker can search through hashes without a key. They are as revealing as the value. */
const hashed = (value: string): Record<string, string> =>
  Object.fromEntries(
    ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) => {
      const digest = createHash(algorithm).update(value).digest();
      return (['hex', 'base64', 'base64url'] as const).map((encoding) => [
        `${algorithm} in ${encoding}`,
        digest.toString(encoding).replace(/=+$/, ''),
      ]);
    }),
  );

/** Every searched way to write these values. */
export const needlesOf = (values: readonly string[]): Needle[] =>
  values.flatMap((value) => {
    const ways = { ...written(value), ...hashed(value) };
    const texts = Object.entries(ways).map(([writing, text]) => ({ value, writing, bytes: Buffer.from(text) }));
    const wide = { value, writing: 'UTF-16', bytes: Buffer.from(value, 'utf16le') };
    const raw = { value, writing: 'a raw SHA-256', bytes: createHash('sha256').update(value).digest() };
    return [...texts, wide, raw];
  });

/** The needles found in the haystack, in words. */
export const found = (needles: readonly Needle[], haystack: Buffer, where: string): string[] =>
  needles
    .filter(({ bytes }) => haystack.includes(bytes))
    .map(({ value, writing }) => `${where} holds ${value} (${writing})`);
