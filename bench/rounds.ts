import { type Figure, medianFigure } from './figures.js';
import { type LoadJob } from './load/job.js';
import { type HttpTarget, measureHttp } from './measure.js';
import { type BenchOptions } from './options.js';

/** The open loop's rate as a share of the slowest closed loop. No contestant is then saturated. */
const OPEN_SHARE = 0.6;

/** A program that serves checks over HTTP. */
export interface Contestant {
  readonly program: string;
  readonly port: number;
  readonly path: string;
  /** The roots of the process trees that work for it. */
  readonly pids: readonly number[];
  readonly apiKeys: readonly string[];
}

export const targetOf = (
  contestant: Contestant,
  options: BenchOptions,
  identities: number,
  rate?: number,
): HttpTarget => {
  const job: LoadJob = {
    host: '127.0.0.1',
    port: contestant.port,
    path: contestant.path,
    apiKeys: contestant.apiKeys,
    identities: { first: 0, count: identities },
    connections: options.connections,
    warmupSeconds: options.warmupSeconds,
    seconds: options.seconds,
    rate,
  };
  return { program: contestant.program, pids: contestant.pids, job };
};

const say = (figure: Figure): Figure => {
  console.log(
    `${figure.program}, ${figure.tenants} ${figure.tenants === 1 ? 'account' : 'accounts'}, ${figure.load} loop: ${Math.round(figure.perSecond)}/s, p99 ${figure.p99.toFixed(1)} ms`,
  );
  return figure;
};

/** Measures each contestant once a round, one after another. A temporary slowdown of the machine then meets all of them. */
export const measureRounds = async (
  contestants: readonly Contestant[],
  options: BenchOptions,
  identities: number,
  rate?: number,
): Promise<Figure[]> => {
  const rounds: Figure[][] = contestants.map(() => []);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      rounds[index]?.push(say(await measureHttp(targetOf(contestant, options, identities, rate))));
    }
  }
  return rounds.map((figures) => medianFigure(figures as [Figure, ...Figure[]]));
};

/** The rate of the open loop after these closed loops. */
export const openRate = (options: BenchOptions, closed: readonly Figure[]): number =>
  options.rate ?? Math.max(1, Math.floor(OPEN_SHARE * Math.min(...closed.map((figure) => figure.perSecond))));
