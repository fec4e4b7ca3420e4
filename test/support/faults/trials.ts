import { Random } from '../load/random.js';
import { soak } from '../soak.js';
import { type Target } from './targets.js';

/** `npm run test:crash -- --trials 100 --seed 1` sets these. */
const SEED = Number(process.env['CRASH_SEED'] ?? 1);
const ONLY = process.env['CRASH_ONLY'] === undefined ? undefined : Number(process.env['CRASH_ONLY']);
/** Trials of each mix in `npm run test:long`. `npm test` has one. */
const TRIALS = 6;
const COUNT = Number(process.env['CRASH_TRIALS'] ?? soak(1, TRIALS));
const IS_ALONE = process.env['CRASH_TRIALS'] !== undefined;

export interface Trial {
  readonly number: number;
  readonly target: 'embedded' | 'two instances';
  readonly part: string;
  /** Milliseconds of load before the strike. */
  readonly after: number;
  readonly random: Random;
  /** Rebuilds and compares every projection at the end of the trial. That reads the whole log of all earlier trials. */
  readonly verified: boolean;
}

export const seed = SEED;

const PARTS = {
  embedded: ['service', 'event store', 'postgres'],
  'two instances': ['postgres', 'redis', 'service', 'event store'],
} as const;

const VERIFIED_EVERY = 5;

/** Draws all random choices of a trial from the seed and its number alone. */
const draw = (number: number, last: boolean): Trial => {
  const random = new Random(SEED * 1_000_003 + number);
  const target = number % 2 === 1 ? 'embedded' : 'two instances';
  const parts = PARTS[target];
  // The parts take turns, so that even a short run strikes different ones.
  const part = parts[(SEED - 1 + Math.floor((number - 1) / 2)) % parts.length] as string;
  const verified = last || number % VERIFIED_EVERY === 0 || number === ONLY;
  return { number, target, part, after: random.between(100, 1_500), random, verified };
};

/** The trials of a run. */
export const drawTrials = (): readonly Trial[] =>
  Array.from({ length: COUNT }, (_, index) => draw(index + 1, index + 2 >= COUNT)).filter(
    ({ number }) => ONLY === undefined || number === ONLY,
  );

/** Prints the outcome of each trial of a run alone, and the time until the end. */
class Progress {
  private readonly startedAt = performance.now();
  private ended = 0;

  constructor(private readonly count: number) {}

  end({ number, part, target }: Trial, outcome: string, seconds: number): void {
    this.ended += 1;
    const minutes = (((performance.now() - this.startedAt) / this.ended) * (this.count - this.ended)) / 60_000;
    process.stderr.write(
      `trial ${number}: ${part} of ${target} ${outcome}, ${seconds.toFixed(1)} s; ${this.ended} of ${this.count}, ${minutes.toFixed(0)} min left\n`,
    );
  }
}

/** Deployments, each started by the first trial that needs it. */
export class Targets {
  private readonly started = new Map<Trial['target'], Promise<Target>>();
  private readonly progress = IS_ALONE ? new Progress(ONLY === undefined ? COUNT : 1) : undefined;

  constructor(private readonly start: (name: Trial['target']) => Promise<Target>) {}

  /** Runs a trial. The deployment of a failed trial is discarded, so the next one starts a new one. */
  async during(trial: Trial, work: (target: Target) => Promise<void>): Promise<void> {
    const begun = performance.now();
    const end = (outcome: string): void => this.progress?.end(trial, outcome, (performance.now() - begun) / 1_000);
    try {
      await work(await this.of(trial));
      end('held');
    } catch (error) {
      end(`FAILED (${error instanceof Error ? error.message : String(error)})`);
      await this.discard(trial);
      throw error;
    }
  }

  async stop(): Promise<void> {
    // A target that failed to start has stopped its parts. The others are stopped as well.
    for (const target of await Promise.allSettled(this.started.values()))
      if (target.status === 'fulfilled') await target.value.stop();
  }

  private of({ target }: Trial): Promise<Target> {
    const known = this.started.get(target) ?? this.start(target);
    this.started.set(target, known);
    return known;
  }

  private async discard({ target }: Trial): Promise<void> {
    const failed = this.started.get(target);
    this.started.delete(target);
    // The trial's own error tells the cause of the failure.
    await failed?.then((running) => running.stop()).catch(() => undefined);
  }
}
