import { type Projection } from '../../log/project/projection.js';
import { type ProjectionPlace, readPlaces } from '../projection-places.js';
import { readDrift } from '../troubles.js';
import { many, type Part, type Reading } from './part.js';

const MAX_LAG_S = 60;
const SLOW_MS = 500;
/** Seconds after which an instance that holds a lead counts as silent. */
const SILENT_AFTER_S = 18;

const timed = async (what: string, ask: () => Promise<unknown>): Promise<Reading> => {
  const began = performance.now();
  await ask();
  const value = Math.round(10 * (performance.now() - began)) / 10;
  return { status: value > SLOW_MS ? 'degraded' : 'up', sentence: `${what} answers in ${value} ms`, value };
};

const eventStore: Part = {
  name: 'event_store',
  unit: 'ms',
  depends: ['every write', 'all read models'],
  action:
    'See whether its process runs and its disk has room. Until then writes are refused with 503, and nothing is charged.',
  read: ({ store }) => timed('The event store', () => store.head()),
};

const postgres: Part = {
  name: 'postgres',
  unit: 'ms',
  depends: ['every read', 'sign-in', 'jobs'],
  action: 'See whether it runs, has room and has free connections. The log is not touched by it.',
  read: ({ database }) => timed('Postgres', () => database.query('SELECT 1')),
};

/** Seconds by which the rows are behind, at least. Null where no process keeps them. */
const lagOf = ({ position, updatedAt }: ProjectionPlace, head: bigint, now: Date): number | null => {
  if (position === null || updatedAt === null) return null;
  return position >= head ? 0 : Math.max(0, Math.round((now.getTime() - updatedAt.getTime()) / 1_000));
};

const standingOf = (place: ProjectionPlace, lag: number | null): Reading => {
  const { failure, setAside } = place;
  if (failure !== undefined)
    return {
      status: 'down',
      sentence: `Stopped at position ${failure.position ?? 'unknown'}: ${failure.cause}`,
      value: lag,
    };
  if (lag === null) return { status: 'down', sentence: 'No process keeps its rows', value: lag };
  if (lag > MAX_LAG_S) return { status: 'degraded', sentence: `${many(lag, 'second')} behind the log`, value: lag };
  if (setAside.length > 0)
    return { status: 'degraded', sentence: `Goes on without ${many(setAside.length, 'event')}`, value: lag };
  return {
    status: 'up',
    sentence: lag === 0 ? 'As new as the log' : `${many(lag, 'second')} behind the log`,
    value: lag,
  };
};

const readModel = ({ name }: Projection): Part => ({
  name: `read_model_${name}`,
  unit: 's',
  depends: ['answers that read it', 'calls that wait for their own write'],
  action: 'Look at the event where it stopped, verify the read model, and rebuild it where its rows differ.',
  read: async ({ database, store, projections, now }) => {
    const { head, projections: places } = await readPlaces(database, store, projections);
    const place = places.find((each) => each.name === name);
    return place === undefined
      ? { status: 'down', sentence: 'It is not known here', value: null }
      : standingOf(place, lagOf(place, head, now));
  },
});

const drift: Part = {
  name: 'drift',
  unit: 'accounts',
  depends: ['balances and usage of the accounts concerned'],
  action: 'Open Drift and parked events, see which row differs, and rebuild its read model.',
  read: async ({ database }) => {
    const { accounts, differing } = await readDrift(database);
    const { length } = differing;
    if (length > 0)
      return { status: 'degraded', sentence: `Rows of ${many(length, 'account')} differ from the log`, value: length };
    return {
      status: 'up',
      sentence: `${many(accounts.checked, 'account')} compared with the log, all equal`,
      value: 0,
    };
  },
};

const leaders: Part = {
  name: 'leaders',
  unit: 'leads',
  depends: ['work that one instance does alone: projections, reactors, sweeps'],
  action: 'See which instance ended. Another takes the lead within seconds, unless none of its role runs.',
  read: async ({ database }) => {
    const [row] = await database.query<{ held: number; silent: number }>(
      `SELECT count(*) FILTER (WHERE age <= $1)::int AS held, count(*) FILTER (WHERE age > $1 AND age < 86400)::int AS silent
       FROM (SELECT extract(epoch FROM now() - heard_at) AS age FROM leaders) AS leads`,
      [SILENT_AFTER_S],
    );
    const { held = 0, silent = 0 } = row ?? {};
    if (silent > 0)
      return { status: 'degraded', sentence: `${many(silent, 'lead')} silent, ${held} held`, value: held };
    return { status: 'up', sentence: `${many(held, 'lead')} held`, value: held };
  },
};

const breaches: Part = {
  name: 'breach_notice',
  unit: 'hours',
  depends: ['the notice to the authority within 72 hours (GDPR, article 33)'],
  action: 'Send the notice, and note it: POST /admin/breaches/{breach_id}/notified.',
  read: async ({ breaches: clocks, now }) => {
    const hours = await clocks.hoursLeft(now);
    if (hours === undefined) return { status: 'up', sentence: 'No clock runs', value: null };
    const left = Math.floor(hours);
    if (left < 0) return { status: 'down', sentence: `The notice is ${many(-left, 'hour')} late`, value: left };
    return { status: 'degraded', sentence: `${many(left, 'hour')} left to notify the authority`, value: left };
  },
};

/** Stores, read models, and what watches over them. */
export const partsOfStores = (projections: readonly Projection[]): readonly Part[] => [
  eventStore,
  postgres,
  ...projections.map(readModel),
  drift,
  leaders,
  breaches,
];
