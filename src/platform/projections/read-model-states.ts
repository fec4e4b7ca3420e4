import { type Queryable } from '../postgres/database.js';
import { type Projection } from './projection.js';

/**
 * `other_version`: the live rows were made by other code, which this one's queries do not find. `unattended`: nobody keeps them up
 * with the log. `catching_up`: they lack some of what the log held when this process first looked.
 */
export type ReadModelState = 'current' | 'catching_up' | 'unattended' | 'other_version';

export type ReadModelStates = ReadonlyMap<string, ReadModelState>;

export const isCatchingUp = (states: ReadModelStates): boolean => [...states.values()].includes('catching_up');

export interface ReadModelWatchOptions {
  readonly database: Queryable;
  readonly projections: readonly Projection[];
  /** Where the log ends. Throws Unavailable. */
  readonly headOfLog: () => Promise<bigint | undefined>;
}

/** Milliseconds; shorter than any restart of Postgres takes. */
const BELIEVED_FOR = 250;
/** A leader is heard of every 3 s, and followed by another one after 15. */
const UNATTENDED_AFTER = '30 seconds';

const LOOK = `
  SELECT pg_postmaster_start_time()::text AS server, projection, hash, position,
    updated_at < now() - interval '${UNATTENDED_AFTER}' AS unattended
  FROM projections.checkpoints WHERE slot = 'live'`;

interface LiveRow {
  readonly server: string;
  readonly projection: string;
  readonly hash: string;
  readonly position: string | null;
  readonly unattended: boolean;
}

/** What the read models are worth to this process, by their checkpoints in Postgres, whichever process projects. */
export class ReadModelWatch {
  private known: { readonly until: number; readonly states: ReadModelStates } | undefined;
  private looking: Promise<ReadModelStates> | undefined;
  private server: string | undefined;
  /** What the rows must hold to be believed; unknown again whenever they may have gone back. */
  private goal: bigint | undefined;

  constructor(private readonly options: ReadModelWatchOptions) {}

  /** A quarter of a second old at most; anew each time while rows are catching up. Throws Unavailable. */
  async states(): Promise<ReadModelStates> {
    if (this.known !== undefined && performance.now() < this.known.until) return this.known.states;
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async look(): Promise<ReadModelStates> {
    const until = performance.now() + BELIEVED_FOR;
    try {
      const states = await this.judge(await this.options.database.query<LiveRow>(LOOK, [], 'read-model-states'));
      this.known = isCatchingUp(states) ? undefined : { until, states };
      return states;
    } catch (error) {
      this.goal = undefined;
      throw error;
    }
  }

  /** Commits of rows do not wait for the disk: after a crash of Postgres the last ones are missing. */
  private async judge(rows: readonly LiveRow[]): Promise<ReadModelStates> {
    const server = rows[0]?.server;
    if (server !== this.server) this.goal = undefined;
    this.server = server;
    this.goal ??= (await this.options.headOfLog()) ?? -1n;
    const goal = this.goal;
    const states = new Map(
      this.options.projections.map((projection) => {
        const row = rows.find((live) => live.projection === projection.name);
        return [projection.name, row?.hash === projection.version ? stateOf(row, goal) : 'other_version'] as const;
      }),
    );
    // The rows that take their place are new, and the log may be another one.
    if ([...states.values()].includes('other_version')) this.goal = undefined;
    return states;
  }
}

const stateOf = ({ position, unattended }: LiveRow, goal: bigint): ReadModelState => {
  if (unattended) return 'unattended';
  return position !== null && BigInt(position) >= goal ? 'current' : 'catching_up';
};
