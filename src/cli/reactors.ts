import { InvalidArgumentError } from 'commander';
import { validate as isUuid } from 'uuid';
import { retryParked } from '../operations/troubles.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Queryable } from '../platform/postgres/database.js';
import { recorded, type Recording } from './command-line-acts.js';
import { type CommandLine, exampleOf, runCommandLine } from './command-line.js';
import { type Attribution, JUSTIFICATION, OPERATOR } from './operator.js';

export interface ReactorsCommandContext extends Recording {
  readonly database: Queryable;
  readonly store: EventStore;
  /** Takes one line of output. */
  readonly print: (line: string) => void;
}

/** The newest of those that are shown. */
const MAX_DEAD_JOBS = 100;

const columns = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(14))).join('');

interface Place {
  readonly reactor: string;
  readonly version: number;
  readonly position: string | null;
  readonly parked: number;
}

interface Parked {
  readonly reactor: string;
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly attempts: number;
  readonly error: string;
  readonly parkedAt: Date;
}

/** Positions are those of the log; what is parked stands below, oldest first, then dead jobs. */
const status = async (context: ReactorsCommandContext): Promise<number> => {
  const { database, store, print } = context;
  const places = await database.query<Place>(
    `SELECT reactor, version, position, (SELECT count(*)::int FROM parked_events p WHERE p.reactor = c.reactor) AS parked
     FROM reactor_checkpoints c ORDER BY reactor`,
  );
  const parked = await database.query<Parked>(
    `SELECT reactor, event_id AS id, event_type AS type, stream, attempts, error, parked_at AS "parkedAt"
     FROM parked_events ORDER BY reactor, position`,
  );
  const head = (await store.head()) ?? 0n;
  print(columns(['reactor', 'version', 'position', 'head', 'parked']));
  for (const { reactor, version, position, parked: count } of places) {
    print(columns([reactor, `${version}`, position ?? '-', `${head}`, `${count}`]));
  }
  for (const { reactor, id, type, stream, attempts, error, parkedAt } of parked) {
    print(`${reactor} ${id} ${type} of ${stream}, parked ${parkedAt.toISOString()} after ${attempts} tries: ${error}`);
  }
  for (const { queue, id, times, error, diedAt } of await deadJobs(database)) {
    print(`job ${queue}/${id} dead ${times} times, last ${diedAt.toISOString()}: ${error}`);
  }
  return 0;
};

interface DeadJob {
  readonly queue: string;
  readonly id: string;
  readonly times: number;
  readonly error: string;
  readonly diedAt: Date;
}

const deadJobs = (database: Queryable): Promise<DeadJob[]> =>
  database.query<DeadJob>(
    'SELECT queue, job_id AS id, times, error, died_at AS "diedAt" FROM dead_jobs ORDER BY died_at DESC LIMIT $1',
    [MAX_DEAD_JOBS],
  );

const retry = async (
  { database, print }: ReactorsCommandContext,
  reactor: string,
  eventId: string | undefined,
): Promise<number> => {
  const count = await retryParked(database, { reactor, eventId });
  print(count === 0 ? 'Nothing of that is parked.' : `${count} will be tried again within seconds.`);
  return count === 0 ? 1 : 0;
};

/** The operators' log says who gave it up, and why. */
const discard = async (
  { database, print }: ReactorsCommandContext,
  reactor: string,
  eventId: string,
): Promise<number> => {
  const rows = await database.query('DELETE FROM parked_events WHERE reactor = $1 AND event_id = $2 RETURNING 1', [
    reactor,
    eventId,
  ]);
  print(rows.length === 0 ? 'Nothing of that is parked.' : `${eventId} is given up.`);
  return rows.length === 0 ? 1 : 0;
};

const uuid = (text: string): string => {
  if (isUuid(text)) return text;
  throw new InvalidArgumentError('It takes the UUID of a parked event.');
};

/** Answers with the exit status. */
export const reactorsCommand = (words: readonly string[], line: CommandLine<ReactorsCommandContext>): Promise<number> =>
  runCommandLine('reactors', words, line, (command, choose) => {
    command.description('What follows from events.').addHelpText('after', exampleOf('reactors -- status'));
    command
      .command('status')
      .description('show the position of every reactor, what is parked, and the dead jobs')
      .addHelpText('after', exampleOf('reactors -- status'))
      .action(() => choose(status));
    command
      .command('retry')
      .description('try parked events again')
      .argument('<reactor>', 'its name, as status shows it')
      .argument('[event id]', 'the UUID of one event (default: all that the reactor parked)', uuid)
      .option(...OPERATOR)
      .option(...JUSTIFICATION)
      .addHelpText('after', exampleOf('reactors -- retry ingestion-retries'))
      .action((reactor: string, event: string | undefined, by: Attribution) => {
        const act = { action: 'reactors -- retry', by, target: { reactor, event } };
        choose(recorded(act, (context) => retry(context, reactor, event)));
      });
    command
      .command('discard')
      .description('give a parked event up: nothing follows from it')
      .argument('<reactor>', 'its name, as status shows it')
      .argument('<event id>', 'the UUID of the event', uuid)
      .option(...OPERATOR)
      .requiredOption(...JUSTIFICATION)
      .addHelpText('after', exampleOf('reactors -- discard payments EVENT --justification "refunded by hand"'))
      .action((reactor: string, event: string, by: Attribution) => {
        const act = { action: 'reactors -- discard', by, target: { reactor, event } };
        choose(recorded(act, (context) => discard(context, reactor, event)));
      });
  });
