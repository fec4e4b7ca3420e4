import { type RouteLoad } from '../../kernel/request-log.js';
import { readParked } from '../troubles.js';
import { many, type Part, type PartSources } from './part.js';

/** Of requests, before now. */
const RECENT_MS = 300_000;
const RECENTLY = 'in 5 minutes';
const MAX_FAILED_SHARE = 0.01;
/** Reports and exports are made in the background, so no route has to take so long. */
const MAX_SLOW_MS = 2_000;
const MAX_THROTTLED = 1_000;
const MAX_WAITING_JOBS = 1_000;
/** Seconds by which a notice may be late. */
const LATE_NOTICE_S = 300;

const recently = ({ requests, now }: PartSources): Promise<readonly RouteLoad[]> =>
  requests.loads(new Date(now.getTime() - RECENT_MS));

const total = (loads: readonly RouteLoad[], of: 'requests' | 'failed' | 'throttled'): number =>
  loads.reduce((sum, load) => sum + load[of], 0);

const failures: Part = {
  name: 'requests',
  unit: 'failed',
  depends: ['every caller'],
  action: 'See which route fails, and replay one of its requests.',
  read: async (sources) => {
    const loads = await recently(sources);
    const [all, failed] = [total(loads, 'requests'), total(loads, 'failed')];
    const [worst] = loads.filter((load) => load.failed > 0).sort((one, other) => other.failed - one.failed);
    const most = worst === undefined ? '' : `, most of ${worst.route}`;
    return {
      status: failed > 0 && failed > all * MAX_FAILED_SHARE ? 'degraded' : 'up',
      sentence: `${many(all, 'request')} ${RECENTLY}, ${failed === 0 ? 'none' : failed} answered 5xx${most}`,
      value: failed,
    };
  },
};

/** Routes that take their time by their nature, and say little of the service. */
const isStream = ({ route }: RouteLoad): boolean => /stream$/.test(route);

const slowest: Part = {
  name: 'slowest_route',
  unit: 'ms',
  depends: ['callers of the route'],
  action: 'Compare with the stores above, and see the route’s traces.',
  read: async (sources) => {
    const loads = (await recently(sources)).filter((load) => !isStream(load));
    const [slow] = [...loads].sort((one, other) => other.mostMs - one.mostMs);
    if (slow === undefined) return { status: 'up', sentence: `No requests ${RECENTLY}`, value: null };
    const value = Math.round(slow.mostMs);
    return {
      status: value > MAX_SLOW_MS ? 'degraded' : 'up',
      sentence: `${slow.route} answers 95 of 100 within ${value} ms`,
      value,
    };
  },
};

const floods: Part = {
  name: 'rate_limited',
  unit: 'requests',
  depends: ['the callers concerned alone'],
  action: 'See which account or address it is, and suspend or distrust it where it attacks.',
  read: async (sources) => {
    const value = total(await recently(sources), 'throttled');
    return {
      status: value > MAX_THROTTLED ? 'degraded' : 'up',
      sentence: `${many(value, 'request')} refused by a limit ${RECENTLY}`,
      value,
    };
  },
};

const jobs: Part = {
  name: 'jobs',
  unit: 'waiting',
  depends: ['ingestion', 'reports and exports', 'webhooks'],
  action: 'See whether a process with the role jobs runs. What is due is queued again by itself.',
  read: async ({ queue, database }) => {
    const [depths, state] = await Promise.all([queue.depths(), queue.health()]);
    const [dead] = await database.query<{ died: number }>(
      `SELECT count(*)::int AS died FROM dead_jobs WHERE died_at > now() - interval '1 day'`,
    );
    const waiting = [...depths.values()].reduce((sum, depth) => sum + depth.waiting, 0);
    const running = [...depths.values()].reduce((sum, depth) => sum + depth.running, 0);
    const died = dead?.died ?? 0;
    return {
      status: state === 'degraded' || waiting > MAX_WAITING_JOBS || died > 0 ? 'degraded' : 'up',
      sentence: `${many(waiting, 'job')} due, ${running} running, ${died === 0 ? 'none' : died} died in 24 hours`,
      value: waiting,
    };
  },
};

const parked: Part = {
  name: 'parked_events',
  unit: 'events',
  depends: ['the effects of these events alone'],
  action: 'Open Drift and parked events, mend the cause, and process them again.',
  read: async ({ database }) => {
    const { length } = await readParked(database);
    if (length === 0) return { status: 'up', sentence: 'Every event was processed', value: 0 };
    return { status: 'degraded', sentence: `${many(length, 'event')} could not be processed`, value: length };
  },
};

const mail: Part = {
  name: 'mail',
  unit: 'waiting',
  depends: ['invitations', 'alerts of balances'],
  action: 'See whether the mail server (SMTP_URL) answers. Notices are tried again by themselves.',
  read: async ({ database }) => {
    const [row] = await database.query<{ late: number; waiting: number }>(
      `SELECT count(*)::int AS waiting, count(*) FILTER (WHERE noted_at < now() - make_interval(secs => $1))::int AS late
       FROM mail_notices WHERE due_at IS NOT NULL`,
      [LATE_NOTICE_S],
    );
    const { late = 0, waiting = 0 } = row ?? {};
    return {
      status: late > 0 ? 'degraded' : 'up',
      sentence: waiting === 0 ? 'No notice waits' : `${many(waiting, 'notice')} to send, ${late} late`,
      value: waiting,
    };
  },
};

const webhooks: Part = {
  name: 'webhooks',
  unit: 'failing',
  depends: ['the receivers concerned alone, unless most fail'],
  action: 'Where most receivers fail, see whether this deployment reaches the internet.',
  read: async ({ database }) => {
    const [row] = await database.query<{ all: number; failing: number }>(
      'SELECT count(*)::int AS all, count(failing_since)::int AS failing FROM webhook_receivers',
    );
    const { all = 0, failing = 0 } = row ?? {};
    return {
      status: failing > 1 && failing > all / 2 ? 'degraded' : 'up',
      sentence: `${failing === 0 ? 'None' : failing} of ${many(all, 'receiver')} failing`,
      value: failing,
    };
  },
};

/** What the service does, and for which callers it fails. */
export const PARTS_OF_WORK: readonly Part[] = [failures, slowest, floods, jobs, parked, mail, webhooks];
