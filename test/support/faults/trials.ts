import { Random } from '../load/random.js';
import { type Target } from './targets.js';

/** `npm run test:crash -- --trials 100 --seed 1` sets these; the short run is part of `npm test`. */
const SEED = Number(process.env['CRASH_SEED'] ?? 1);
const ONLY = process.env['CRASH_ONLY'] === undefined ? undefined : Number(process.env['CRASH_ONLY']);

export interface Trial {
  readonly number: number;
  readonly target: 'embedded' | 'two instances';
  readonly part: string;
  /** Milliseconds of load before the strike. */
  readonly after: number;
  readonly random: Random;
  /** Whether every projection is rebuilt and compared at its end: that reads the whole log of all trials before. */
  readonly verified: boolean;
}

export const seed = SEED;

const PARTS = {
  embedded: ['service', 'event store', 'postgres'],
  'two instances': ['postgres', 'redis', 'service', 'event store'],
} as const;

const VERIFIED_EVERY = 5;

/** Everything that a trial leaves to chance, from the seed and its number alone. */
const draw = (number: number, last: boolean): Trial => {
  const random = new Random(SEED * 1_000_003 + number);
  const target = number % 2 === 1 ? 'embedded' : 'two instances';
  const parts = PARTS[target];
  // In turn, so that even a short run strikes different parts.
  const part = parts[(SEED - 1 + Math.floor((number - 1) / 2)) % parts.length] as string;
  const verified = last || number % VERIFIED_EVERY === 0 || number === ONLY;
  return { number, target, part, after: random.between(100, 1_500), random, verified };
};

/** The trials of a run: as many as asked for, or `few` in the short run. */
export const drawTrials = (few: number): readonly Trial[] => {
  const count = Number(process.env['CRASH_TRIALS'] ?? few);
  return Array.from({ length: count }, (_, index) => draw(index + 1, index + 2 >= count)).filter(
    ({ number }) => ONLY === undefined || number === ONLY,
  );
};

/** Deployments that are started when the first trial asks for them. */
export class Targets {
  private readonly started = new Map<Trial['target'], Promise<Target>>();

  constructor(private readonly start: (name: Trial['target']) => Promise<Target>) {}

  of({ target }: Trial): Promise<Target> {
    const known = this.started.get(target) ?? this.start(target);
    this.started.set(target, known);
    return known;
  }

  async stop(): Promise<void> {
    // A target that did not start has stopped what it started; the others are stopped all the same.
    for (const target of await Promise.allSettled(this.started.values()))
      if (target.status === 'fulfilled') await target.value.stop();
  }
}
