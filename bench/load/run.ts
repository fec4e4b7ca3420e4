import { Connection, type HttpAnswer } from './connection.js';
import { type LoadJob, type LoadResult } from './job.js';
import { Latencies } from './latencies.js';
import { requestMaker } from './requests.js';

/** A request sent more than this many milliseconds after it was due counts as late. Timers are accurate to about one. */
const LATE_MS = 5;
/** The time limit of every job, even where something hangs. */
const MAX_JOB_MS = 3_600_000;

/** The responses within the measured time. */
class Measurement {
  readonly latencies = new Latencies();
  readonly statuses: Record<string, number> = {};
  found = 0;
  failed = 0;
  late = 0;
  fault: string | undefined;

  constructor(
    private readonly from: number,
    private readonly until: number,
  ) {}

  take(dueAt: number, sentAt: number, answer: HttpAnswer): void {
    const now = performance.now();
    if (answer.status >= 300) this.fault ??= `${answer.status} ${answer.body}`;
    if (now < this.from || now > this.until) return;
    if (answer.status >= 300) this.failed += 1;
    this.latencies.record(now - dueAt);
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    if (sentAt - dueAt > LATE_MS) this.late += 1;
    if (answer.body.includes('"found":true')) this.found += 1;
  }
}

/** Draws numbers below `count`, the same ones in every run. */
const drawer = (count: number): (() => number) => {
  let state = 0x2545f491;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * count);
  };
};

type Send = (connection: Connection, sequence: number, dueAt: number) => Promise<void>;

/** Each connection sends its next request when it has its response. */
const closedLoop = async (connections: readonly Connection[], until: () => boolean, send: Send): Promise<void> => {
  let sequence = 0;
  const keepBusy = async (connection: Connection): Promise<void> => {
    while (until()) await send(connection, sequence++, performance.now());
  };
  await Promise.all(connections.map(keepBusy));
};

/** Requests fall due at a fixed rate. A request without a free connection waits, and its wait counts. */
const openLoop = (
  connections: readonly Connection[],
  rate: number,
  from: number,
  until: number,
  send: Send,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const free = [...connections];
    const due = (sequence: number): number => from + (sequence * 1_000) / rate;
    const total = Math.floor(((until - from) / 1_000) * rate);
    let next = 0;
    const dispatch = (): void => {
      while (next < total && due(next) <= performance.now()) {
        const connection = free.pop();
        if (connection === undefined) return;
        const sequence = next++;
        send(connection, sequence, due(sequence)).then(() => {
          free.push(connection);
          if (next < total) dispatch();
          else if (free.length === connections.length) finish();
        }, finish);
      }
    };
    const ticker = setInterval(dispatch, 1);
    const finish = (error?: Error): void => {
      clearInterval(ticker);
      if (error === undefined) resolve();
      else reject(error);
    };
  });

const summarise = (measurement: Measurement, seconds: number, cpu: NodeJS.CpuUsage): LoadResult => {
  const { latencies, failed, late, statuses, found, fault } = measurement;
  const [p50 = 0, p99 = 0, worst = 0] = latencies.quantiles(0.5, 0.99, 1);
  const answered = latencies.count - failed;
  const generatorCpu = (cpu.user + cpu.system) / 1_000_000;
  return {
    seconds,
    answered,
    failed,
    perSecond: answered / seconds,
    p50,
    p99,
    worst,
    late,
    statuses,
    found,
    fault,
    generatorCpu,
  };
};

const sender = (job: LoadJob, measurement: Measurement): Send => {
  const makeRequest = requestMaker(job);
  const draw = drawer(job.identities.count);
  return async (connection, sequence, dueAt) => {
    const index = job.identities.first + draw();
    const sentAt = performance.now();
    measurement.take(dueAt, sentAt, await connection.request(makeRequest(sequence, index)));
  };
};

const drive = (job: LoadJob, connections: readonly Connection[], startedAt: number, until: number, send: Send) => {
  if (job.rate !== undefined) return openLoop(connections, job.rate, startedAt, until, send);
  return closedLoop(connections, () => performance.now() < until, send);
};

/** Runs a job and measures it. Calls `onMeasuring` when the warm-up is over. */
export const runJob = async (job: LoadJob, onMeasuring: () => void): Promise<LoadResult> => {
  const opening = Array.from({ length: job.connections }, () => Connection.open(job.host, job.port));
  const connections = await Promise.all(opening);
  const startedAt = performance.now();
  const from = startedAt + job.warmupSeconds * 1_000;
  const until = from + job.seconds * 1_000;
  const measurement = new Measurement(from, until);
  let cpu = process.cpuUsage();
  const measuring = setTimeout(() => {
    cpu = process.cpuUsage();
    onMeasuring();
  }, job.warmupSeconds * 1_000);
  const overdue = setTimeout(() => connections.forEach((connection) => connection.close()), MAX_JOB_MS);
  try {
    await drive(job, connections, startedAt, until, sender(job, measurement));
  } finally {
    clearTimeout(measuring);
    clearTimeout(overdue);
    for (const connection of connections) connection.close();
  }
  return summarise(measurement, job.seconds, process.cpuUsage(cpu));
};
