import { type Figure } from './figures.js';

const pad = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
    .join('  ')
    .trimEnd();

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => pad(row, widths)).join('\n');
};

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const groups = (values: Readonly<Record<string, number>>): string =>
  Object.entries(values)
    .map(([group, value]) => `${group} ${whole(value)}`)
    .join(', ');

export const figuresTable = (figures: readonly Figure[]): string =>
  table([
    ['', 'load', 'accounts', 'rate /s', 'p50 ms', 'p99 ms', 'late', 'CPU µs each', 'main thread', 'memory MB', ''],
    ...figures.map((figure) => [
      figure.program,
      figure.load,
      whole(figure.tenants),
      whole(figure.perSecond),
      figure.p50.toFixed(1),
      figure.p99.toFixed(1),
      figure.late === undefined ? '' : whole(figure.late),
      groups(figure.cpu),
      figure.mainThread === undefined ? '' : `${Math.round(100 * figure.mainThread)} %`,
      groups(figure.memory),
      figure.remark ?? '',
    ]),
  ]);

/** A claim of the product about two figures of the same run. A claim without a bound is shown but not judged. */
export interface Aim {
  readonly what: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly unit: string;
}

export const isReached = ({ value, atLeast = -Infinity, atMost = Infinity }: Aim): boolean =>
  value >= atLeast && value <= atMost;

const judgement = (aim: Aim): [string, string] => {
  const { atLeast, atMost, unit } = aim;
  if (atLeast === undefined && atMost === undefined) return ['', ''];
  const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return [`${bound} ${unit}`, isReached(aim) ? 'reached' : 'not reached'];
};

export const aimsTable = (aims: readonly Aim[]): string =>
  table([
    ['', 'measured', 'aim', ''],
    ...aims.map((aim) => [aim.what, `${aim.value.toFixed(2)} ${aim.unit}`, ...judgement(aim)]),
  ]);
