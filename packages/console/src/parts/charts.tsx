import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { type Answers } from '../api.js';
import { count } from './format.js';
import { Badge } from './states.js';
import { DAY_MS, exactIn, shortIn, useZone } from './time.js';

const WIDTH = 800;
const HEIGHT = 200;

/** Three to six round values from at most `lowest` to at least `highest`. */
const ticksFor = (lowest: number, highest: number): readonly number[] => {
  const rough = Math.max(1, (highest - lowest) / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each >= rough) ?? rough;
  const first = Math.floor(lowest / step) * step;
  const count = Math.max(1, Math.ceil((highest - first) / step)) + 1;
  return Array.from({ length: count }, (_, index) => first + index * step);
};

interface PlotProps {
  readonly label: string;
  /** Values of the lines across, the lowest first. */
  readonly ticks: readonly number[];
  /** What each place along the plot is, and its value. `from`: where it begins, 0 to 1; without it all are equally wide. */
  readonly places: readonly { readonly title: string; readonly value: string; readonly from?: number }[];
  /** What stands below the plot, by its place from 0 to 1; without it the first and the last place. */
  readonly axis?: readonly { readonly text: string; readonly at: number }[];
  readonly children: ReactNode;
}

/** A plot with its values at the left and its first and last place below. Arrow keys and the pointer say the value of a place. */
const Plot = ({ label, ticks, places, axis, children }: PlotProps) => {
  const [at, setAt] = useState<number>();
  const [isTable, setTable] = useState(false);
  const [first, last] = [places[0], places.at(-1)];
  const [lowest = 0, highest = 1] = [ticks[0], ticks.at(-1)];
  const chosen = at === undefined ? undefined : places[at];
  const move = ({ key }: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (step === undefined) return;
    setAt(Math.max(0, Math.min(places.length - 1, (at ?? places.length) + step)));
  };
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = (clientX - left) / width;
    const reached = places.findLastIndex(({ from }, index) => (from ?? index / places.length) <= place);
    setAt(Math.max(0, reached));
  };
  const share = (tick: number): number => (tick - lowest) / (highest - lowest || 1);
  return (
    <figure className="plot">
      <div className="ticks" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick} style={{ bottom: `${100 * share(tick)}%` }}>
            {count(tick)}
          </span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="chart"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}. Arrow keys say each value.`}
        tabIndex={0}
        onKeyDown={move}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        {ticks.map((tick) => (
          <line
            key={tick}
            x1={0}
            x2={WIDTH}
            y1={HEIGHT * (1 - share(tick))}
            y2={HEIGHT * (1 - share(tick))}
            className="grid"
          />
        ))}
        {children}
      </svg>
      {axis !== undefined && (
        <div className="axis quiet" aria-hidden="true">
          {axis.map(({ text, at: place }) => (
            <span key={place} style={{ left: `${100 * place}%` }}>
              {text}
            </span>
          ))}
        </div>
      )}
      <div className="ends quiet">
        <span>{axis === undefined && first?.title}</span>
        <output>{chosen !== undefined && `${chosen.title}: ${chosen.value}`}</output>
        <span>{axis === undefined && last?.title}</span>
      </div>
      <details className="values" onToggle={({ currentTarget }) => setTable(currentTarget.open)}>
        <summary>Show as a table</summary>
        {isTable && (
          <div tabIndex={0} role="region" aria-label={`${label}, as a table`}>
            <table>
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">Value</th>
                </tr>
              </thead>
              <tbody>
                {places.map(({ title, value }, index) => (
                  <tr key={index}>
                    <td>{title}</td>
                    <td>{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </details>
    </figure>
  );
};

type Step = Pick<Answers['TransactionResponse'], 'balance_after' | 'created_at' | 'type'>;

const isPurchase = ({ type }: Step): boolean => type === 'purchase' || type === 'auto_recharge';

/** How far a forecast looks, as a part of the time behind it. */
const AHEAD = 1 / 3;

/** Dates below a plot. */
const LABELS = 5;

interface StepLineProps {
  readonly steps: readonly Step[];
  readonly at?: number;
  /** Credits that a day is going to cost: drawn dotted. */
  readonly pace?: number;
}

/** A balance by time, as a step line: it changes at an event, and at no other time. Oldest first; purchases are marked. */
export const StepLine = ({ steps, at, pace = 0 }: StepLineProps) => {
  const zone = useZone();
  const balances = steps.map(({ balance_after }) => balance_after);
  const times = steps.map(({ created_at }) => Date.parse(created_at));
  const [begin = 0, newest = 0] = [times[0], times.at(-1)];
  const last = balances.at(-1) ?? 0;
  const end = pace > 0 ? newest + AHEAD * (newest - begin) : newest;
  const left = Math.max(0, last - (pace * (end - newest)) / DAY_MS);
  const ticks = ticksFor(Math.min(...balances, left), Math.max(...balances));
  const [lowest = 0, highest = 1] = [ticks[0], ticks.at(-1)];
  const share = (index: number): number => ((times[index] ?? begin) - begin) / (end - begin || 1);
  const axis = Array.from({ length: LABELS }, (_, place) => {
    const part = place / (LABELS - 1);
    return { at: part, text: shortIn(zone, begin + part * (end - begin), end - begin) };
  }).filter(({ text }, place, all) => text !== all[place - 1]?.text);
  const x = (index: number): number => WIDTH * share(index);
  const y = (balance: number): number => HEIGHT - (HEIGHT * (balance - lowest)) / (highest - lowest || 1);
  const path = steps.map(({ balance_after }, index) =>
    index === 0 ? `M0 ${y(balance_after)}` : `H${x(index)}V${y(balance_after)}`,
  );
  const places = steps.map((step, index) => ({
    title: exactIn(zone, step.created_at),
    value: `${count(step.balance_after)} credits${isPurchase(step) ? ' after a purchase' : ''}`,
    from: share(index),
  }));
  return (
    <Plot
      label={`Balance by time, purchases marked${pace > 0 ? ', dotted at the present pace' : ''}`}
      ticks={ticks}
      places={places}
      axis={axis}
    >
      <path d={path.join('')} className="line" />
      {pace > 0 && <path d={`M${x(steps.length - 1)} ${y(last)}L${WIDTH} ${y(left)}`} className="line ahead" />}
      {steps.map(
        (step, index) =>
          isPurchase(step) && (
            <line key={index} x1={x(index)} x2={x(index)} y1={HEIGHT - 12} y2={HEIGHT} className="mark" />
          ),
      )}
      {at !== undefined && <line x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} className="mark" />}
    </Plot>
  );
};

interface Bar {
  readonly title: string;
  /** Its layers from below, by the number of their colour. */
  readonly layers: readonly { readonly name: string; readonly value: number }[];
}

const totalOf = ({ layers }: Bar): number => layers.reduce((sum, { value }) => sum + value, 0);

const layersOf = ({ layers }: Bar, between: string): string =>
  layers
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => `${between}${name}: ${count(value)}`)
    .join('');

interface BarsProps {
  readonly label: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

/** Stacked bars, one for each hour or day. A bar shows its numbers where the pointer rests. */
export const Bars = ({ label, unit, bars }: BarsProps) => {
  const ticks = ticksFor(0, Math.max(1, ...bars.map(totalOf)));
  const highest = ticks.at(-1) ?? 1;
  const width = WIDTH / Math.max(1, bars.length);
  const places = bars.map((bar) => ({
    title: bar.title,
    value: `${count(totalOf(bar))} ${unit}${layersOf(bar, ', ')}`,
  }));
  const step = Math.max(1, Math.ceil((bars.length - 1) / (LABELS - 1)));
  const axis = bars.flatMap(({ title }, index) =>
    index % step === 0 ? [{ at: (index + 0.5) / bars.length, text: title.slice(5, 16) }] : [],
  );
  return (
    <Plot label={label} ticks={ticks} places={places} axis={axis}>
      {bars.map((bar, index) => {
        let top = HEIGHT;
        return (
          <g key={index}>
            <title>{`${bar.title}: ${count(totalOf(bar))}${layersOf(bar, '\n')}`}</title>
            <rect x={index * width} y={0} width={width} height={HEIGHT} className="hover" />
            {bar.layers.map(({ name, value }, layer) => {
              const height = (HEIGHT * value) / highest;
              top -= height;
              return (
                <rect
                  key={name}
                  className={`layer-${layer}`}
                  x={index * width + 0.1 * width}
                  y={top}
                  width={0.8 * width}
                  height={height}
                />
              );
            })}
          </g>
        );
      })}
    </Plot>
  );
};

/** What the colours of stacked bars mean. */
export const Legend = ({ names }: { readonly names: readonly string[] }) => (
  <ul className="legend">
    {names.map((name, index) => (
      <li key={name}>
        <svg width="10" height="10" aria-hidden="true">
          <rect width="10" height="10" className={`layer-${index}`} />
        </svg>{' '}
        {name}
      </li>
    ))}
  </ul>
);

const CELL = 14;
const LEVELS = 4;

/** One cell for each day, in columns of weeks; darker is more. */
export const DayHeat = ({ label, days }: { readonly label: string; readonly days: ReadonlyMap<string, number> }) => {
  const dates = [...days.keys()].sort();
  const [first] = dates;
  if (first === undefined) return null;
  const most = Math.max(1, ...days.values());
  const begin = new Date(first).getTime() / 86_400_000;
  const shift = new Date(first).getUTCDay();
  const columns = Math.ceil((dates.length + shift) / 7);
  return (
    <svg
      className="heat"
      width={columns * CELL}
      height={7 * CELL}
      viewBox={`0 0 ${columns * CELL} ${7 * CELL}`}
      role="img"
      aria-label={label}
    >
      {dates.map((date) => {
        const place = Math.round(new Date(date).getTime() / 86_400_000 - begin) + shift;
        const value = days.get(date) ?? 0;
        const level = value === 0 ? 0 : Math.max(1, Math.ceil((LEVELS * value) / most));
        return (
          <rect
            key={date}
            className={`heat-${level}`}
            x={Math.floor(place / 7) * CELL}
            y={(place % 7) * CELL}
            width={CELL - 2}
            height={CELL - 2}
            rx={2}
          >
            <title>{`${date}: ${count(value)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
};

/** A share of a whole as a bar, with marks at thresholds; all in percent. */
export const Gauge = (props: {
  readonly label: string;
  readonly share: number;
  readonly marks?: readonly number[];
}) => {
  const { label, share, marks = [] } = props;
  const filled = Math.max(0, Math.min(100, share));
  return (
    <svg className="gauge" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect width="100" height="6" className="ground" />
      <rect width={filled} height="6" className="filled" />
      {marks.map((mark) => (
        <line key={mark} x1={mark} x2={mark} y1="0" y2="6" className="mark" />
      ))}
    </svg>
  );
};

/** States of the rows shown, as one bar with their counts. `isPart`: further rows are not loaded. */
export const StatusBar = ({ states, isPart }: { readonly states: readonly string[]; readonly isPart: boolean }) => {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  const parts = [...counts].sort();
  if (parts.length < 2) return null;
  let left = 0;
  return (
    <figure className="status">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(([name, value]) => {
          const width = (100 * value) / states.length;
          left += width;
          return <rect key={name} x={left - width} width={width} height="4" className={`state ${name}`} />;
        })}
      </svg>
      <figcaption>
        {isPart && <span>Of the first {count(states.length)}:</span>}
        {parts.map(([name, value]) => (
          <span key={name}>
            <Badge of={name} {...(name === name.toUpperCase() ? { text: name.toLowerCase() } : {})} /> {count(value)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
};

/** The values of the last hour, small, the newest at the right. Gaps where a value is null. */
export const Spark = ({ label, values }: { readonly label: string; readonly values: readonly (number | null)[] }) => {
  const known = values.filter((value) => value !== null);
  const highest = Math.max(1, ...known);
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ x: index, y: 20 - (18 * value) / highest }],
  );
  const path = points.map(({ x, y }, index) => `${points[index - 1]?.x === x - 1 ? 'L' : 'M'}${x} ${y}h0.01`);
  return (
    <svg
      className="spark"
      viewBox={`0 0 ${values.length - 1} 22`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path.join('')} className="line" />
    </svg>
  );
};
