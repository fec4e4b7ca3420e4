import { type Queryable } from '../../platform/postgres/database.js';
import { type Projection } from './projection.js';

/**
 * `other_version`: other code made the live rows, so this code's queries do not find them. `unattended`: no one keeps
 * them up to date. `catching_up`: they lack events that the log already held when this process first looked.
 */
export type ReadModelState = 'current' | 'catching_up' | 'unattended' | 'other_version';

export type ReadModelStates = ReadonlyMap<string, ReadModelState>;

export const isCatchingUp = (states: ReadModelStates): boolean => [...states.values()].includes('catching_up');

export interface ReadModelWatchOptions {
  readonly database: Queryable;
  readonly projections: readonly Projection[];
  /** The end of the log. Throws Unavailable. */
  readonly headOfLog: () => Promise<bigint | undefined>;
}

/** Milliseconds; shorter than any restart of Postgres. */
const BELIEVED_FOR = 250;
/** A leader reports every 3 s. After 15 s without a report another one replaces it. */
const UNATTENDED_AFTER = '30 seconds';

const LOOK = `
  SELECT pg_postmaster_start_time()::text AS server, projection, version, position,
    updated_at < now() - interval '${UNATTENDED_AFTER}' AS unattended
  FROM projections.checkpoints WHERE slot = 'live'`;

interface LiveRow {
  readonly server: string;
  readonly projection: string;
  readonly version: string;
  readonly position: string | null;
  readonly unattended: boolean;
}

/** The states of the read models, from their checkpoints in Postgres. It does not matter which process projects. */
export class ReadModelWatch {
  private known: { readonly until: number; readonly states: ReadModelStates } | undefined;
  private looking: Promise<ReadModelStates> | undefined;
  private server: string | undefined;
  /** The position that current rows must have reached. Unknown again whenever rows may have gone back. */
  private goal: bigint | undefined;

  constructor(private readonly options: ReadModelWatchOptions) {}

  /** At most a quarter of a second old; read again each time while rows are catching up. Throws Unavailable. */
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

  /**
   * Commits of rows do not wait for the disk, so a crash of Postgres loses the last ones. A restarted server therefore
   * resets the goal.
   */
  private async judge(rows: readonly LiveRow[]): Promise<ReadModelStates> {
    const server = rows[0]?.server;
    if (server !== this.server) this.goal = undefined;
    this.server = server;
    this.goal ??= (await this.options.headOfLog()) ?? -1n;
    const goal = this.goal;
    const states = new Map(
      this.options.projections.map((projection) => {
        const row = rows.find((live) => live.projection === projection.name);
        return [projection.name, row?.version === projection.version ? stateOf(row, goal) : 'other_version'] as const;
      }),
    );
    // New rows will replace these, and the log may be another one.
    if ([...states.values()].includes('other_version')) this.goal = undefined;
    return states;
  }
}

const stateOf = ({ position, unattended }: LiveRow, goal: bigint): ReadModelState => {
  if (unattended) return 'unattended';
  return position !== null && BigInt(position) >= goal ? 'current' : 'catching_up';
};
