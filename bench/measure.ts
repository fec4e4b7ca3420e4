import { type Figure, perWork } from './figures.js';
import { type LoadJob, type LoadResult } from './load/job.js';
import { type Groups, mainThreadOf, usageBetween, usageUnder } from './machine/usage.js';
import { type DebitResult, type EmmettJob } from './peers/emmett.js';
import { type PgbenchJob, runPgbench } from './peers/pgbench.js';
import { inProcess } from './processes.js';

/** The time that a run may take beyond its measured time. */
const GRACE_SECONDS = 60;
/** A run with a larger share of failures is invalid. A smaller share stands beside the figure. */
const MAX_FAILED = 0.01;

/** A program under HTTP load, and the processes that work for it. */
export interface HttpTarget {
  readonly program: string;
  readonly pids: readonly number[];
  readonly job: LoadJob;
}

/**
 * Measures one run over HTTP. Throws where too many requests failed or an identity was not found, since the run is then
 * invalid.
 */
export const measureHttp = async ({ program, pids, job }: HttpTarget): Promise<Figure> => {
  let before: Groups = {};
  const within = job.warmupSeconds + job.seconds + GRACE_SECONDS;
  const main = (): number => mainThreadOf(pids[0] ?? 0) ?? Number.NaN;
  let mainBefore = Number.NaN;
  const result = await inProcess<LoadResult>('load/generator', job, within, () => {
    mainBefore = main();
    before = usageUnder(...pids);
  });
  const mainThread = (main() - mainBefore) / job.seconds;
  const used = usageBetween(before, usageUnder(...pids));
  if (result.failed > MAX_FAILED * (result.answered + result.failed)) {
    throw new Error(`${program}: ${result.failed} of ${result.answered + result.failed} failed: ${result.fault ?? ''}`);
  }
  if (result.found !== result.answered) {
    throw new Error(`${program} found ${result.found} of ${result.answered} identities`);
  }
  const { perSecond, p50, p99, late } = result;
  const work = perWork(used, result.answered);
  const generator = { 'load generator': (result.generatorCpu * 1_000_000) / Math.max(1, result.answered) };
  return {
    program,
    load: job.rate === undefined ? 'closed' : 'open',
    tenants: job.apiKeys.length,
    perSecond,
    p50,
    p99,
    ...(job.rate === undefined ? {} : { late }),
    ...(Number.isNaN(mainThread) ? {} : { mainThread }),
    cpu: { ...work.cpu, ...generator },
    memory: work.memory,
    ...(result.failed === 0 ? {} : { remark: `${result.failed} failed` }),
  };
};

/** Measures Emmett's debits. They run in their own process, beside the database with process id `databasePid`. */
export const measureEmmett = async (job: EmmettJob, databasePid: number): Promise<Figure> => {
  let before: Groups = {};
  let pid = databasePid;
  const within = job.warmupSeconds + job.seconds + GRACE_SECONDS;
  const sample = (emmett: number): void => {
    pid = emmett;
    before = usageUnder(databasePid, emmett);
  };
  const running = inProcess<DebitResult>('peers/emmett', job, within, sample);
  // The process ends with its result, so its usage is sampled while it runs.
  let used: Groups = {};
  const sampler = setInterval(() => {
    const now = usageUnder(databasePid, pid);
    if ('program' in now) used = now;
  }, 500);
  const result = await running.finally(() => clearInterval(sampler));
  const { perSecond, p50, p99, conflicts } = result;
  return {
    program: `Emmett, ${job.concurrency} at a time`,
    load: 'closed',
    tenants: job.tenants,
    perSecond,
    p50,
    p99,
    ...perWork(usageBetween(before, used), perSecond * job.seconds),
    ...(conflicts === 0 ? {} : { remark: `${conflicts} given up after 10 conflicts each` }),
  };
};

export const measurePgbench = async (job: PgbenchJob, databasePid: number): Promise<Figure> => {
  const before = usageUnder(databasePid);
  const { transactions, perSecond, p50, p99 } = await runPgbench(job);
  const used = usageBetween(before, usageUnder(databasePid));
  return {
    program: 'pgbench',
    load: job.rate === undefined ? 'closed' : 'open',
    tenants: job.tenants,
    perSecond,
    p50,
    p99,
    ...perWork(used, transactions),
  };
};
