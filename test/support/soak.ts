/** `npm run test:long` sets it: soaks at their whole counts, and the specs named `*.long.spec.ts`. */
const IS_LONG = process.env['TEST_LONG'] === '1';

/** How many a soak tries: a slice in `npm test`, the whole in `npm run test:long`. */
export const soak = (slice: number, whole: number): number => (IS_LONG ? whole : slice);

/** Parameters of fast-check: a slice is the same each time, the whole draws anew. */
export const soakSeed: { readonly seed?: number } = IS_LONG ? {} : { seed: 1 };
