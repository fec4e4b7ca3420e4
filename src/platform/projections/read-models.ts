import { type Database } from '../postgres/database.js';
import { CheckpointBoard } from './checkpoint-board.js';
import { readCheckpoint, schemaOf } from './checkpoints.js';
import { type Projection, ReadModels, type Statement } from './projection.js';

const POLL_MS = 25;

/** For DatabaseOptions.searchPath: every live schema. */
export const readModelSearchPath = (projections: readonly Projection[]): string =>
  projections.map(({ name }) => schemaOf(name, 'live')).join(',');

/** `database` looks tables up in the live schemas (readModelSearchPath); `board` is the one of this process's runner. */
export class PostgresReadModels extends ReadModels {
  /** One look at a checkpoint serves all who wait for that projection. */
  private readonly looking = new Map<string, Promise<bigint | undefined>>();

  constructor(
    private readonly database: Database,
    private readonly board: CheckpointBoard = new CheckpointBoard(),
  ) {
    super();
  }

  query<Row extends object>({ text, values, name }: Statement & { readonly name?: string }): Promise<Row[]> {
    return this.database.query<Row>(text, values, name);
  }

  async waitFor(projection: string, position: bigint, budgetMs: number): Promise<boolean> {
    const deadline = performance.now() + budgetMs;
    const reached = (at: bigint | undefined): boolean => at !== undefined && at >= position;
    for (;;) {
      if (reached(this.board.position(projection)) || reached(await this.look(projection))) return true;
      const left = deadline - performance.now();
      if (left <= 0) return false;
      await this.board.nextCommit(projection, Math.min(POLL_MS, left));
    }
  }

  private look(projection: string): Promise<bigint | undefined> {
    const present = this.looking.get(projection);
    if (present !== undefined) return present;
    const look = readCheckpoint(this.database, projection)
      .then((checkpoint) => checkpoint?.position)
      .finally(() => this.looking.delete(projection));
    this.looking.set(projection, look);
    return look;
  }
}
