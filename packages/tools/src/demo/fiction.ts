/**
 * The ranges that Ofcom keeps out of use for radio and television drama, without their last three digits: a thousand numbers
 * each, all possible and none in service.
 */
const DRAMA_RANGES = [
  '+447700900', // mobile
  '+443069990', // anywhere in the United Kingdom
  '+442079460', // London
  '+441632960', // no area
  '+441134960', // Leeds
  '+441144960', // Sheffield
  '+441154960', // Nottingham
  '+441164960', // Leicester
  '+441174960', // Bristol
  '+441184960', // Reading
  '+441214960', // Birmingham
  '+441314960', // Edinburgh
  '+441414960', // Glasgow
  '+441514960', // Liverpool
  '+441614960', // Manchester
  '+441914980', // Tyneside
  '+442920180', // Cardiff
] as const;

const NUMBERS_A_RANGE = 1_000;

/** How many numbers there are before the first comes again. */
export const FICTIONAL_PHONES = DRAMA_RANGES.length * NUMBERS_A_RANGE;

/** The `index`-th number reserved for fiction, E.164. */
export const fictionalPhone = (index: number): string => {
  const within = index % FICTIONAL_PHONES;
  const range = DRAMA_RANGES[Math.floor(within / NUMBERS_A_RANGE)] ?? DRAMA_RANGES[0];
  return `${range}${String(within % NUMBERS_A_RANGE).padStart(3, '0')}`;
};

/** An address under the domain that RFC 2606 reserves for examples; all of one `run` have the same length. */
export const fictionalEmail = (run: string, index: number): string =>
  `p${String(index).padStart(8, '0')}.${run}@example.org`;
