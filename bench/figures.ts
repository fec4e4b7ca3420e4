import { type Groups } from './machine/usage.js';

/** One run of one program under one load. */
export interface Figure {
  readonly program: string;
  readonly load: 'closed' | 'open';
  readonly tenants: number;
  /** Completed requests per second. */
  readonly perSecond: number;
  /** Milliseconds. Under open load they count from the moment at which each request was due. */
  readonly p50: number;
  readonly p99: number;
  /** Number of requests that were sent late, because no connection was free when they were due. */
  readonly late?: number;
  /** Processor time in microseconds for each completed request, by group of processes. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Share of a processor that the program's main thread used. At 1 it is the bound. */
  readonly mainThread?: number;
  /** Megabytes at the end, by group of processes. */
  readonly memory: Readonly<Record<string, number>>;
  readonly remark?: string;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

const medianOf = (figures: readonly Figure[], pick: (figure: Figure) => Readonly<Record<string, number>>) =>
  Object.fromEntries(
    [...new Set(figures.flatMap((figure) => Object.keys(pick(figure))))].map((group) => [
      group,
      median(figures.map((figure) => pick(figure)[group] ?? 0)),
    ]),
  );

/** The median keeps the remarks of every round. */
const remarksOf = (figures: readonly Figure[]): Pick<Figure, 'remark'> => {
  const remarks = figures.flatMap(({ remark }) => remark ?? []);
  return remarks.length === 0 ? {} : { remark: remarks.join('; ') };
};

/** The medians over several runs of the same program and load. */
export const medianFigure = (figures: readonly [Figure, ...Figure[]]): Figure => ({
  ...figures[0],
  perSecond: median(figures.map((figure) => figure.perSecond)),
  p50: median(figures.map((figure) => figure.p50)),
  p99: median(figures.map((figure) => figure.p99)),
  ...(figures[0].late === undefined ? {} : { late: median(figures.map((figure) => figure.late ?? 0)) }),
  ...(figures[0].mainThread === undefined
    ? {}
    : { mainThread: median(figures.map((figure) => figure.mainThread ?? 0)) }),
  cpu: medianOf(figures, (figure) => figure.cpu),
  memory: medianOf(figures, (figure) => figure.memory),
  ...remarksOf(figures),
});

/**
 * Processor time for each completed piece of work, and memory. `count` pieces were completed while the groups used `groups`.
 */
export const perWork = (groups: Groups, count: number): Pick<Figure, 'cpu' | 'memory'> => ({
  cpu: Object.fromEntries(
    Object.entries(groups).map(([group, { cpu }]) => [group, (cpu * 1_000_000) / Math.max(1, count)]),
  ),
  memory: Object.fromEntries(Object.entries(groups).map(([group, { memory }]) => [group, memory])),
});
