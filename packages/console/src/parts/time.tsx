import { useSyncExternalStore } from 'react';
import { stored } from './stored.js';

export type Zone = 'UTC' | 'local';

const zones = stored<Zone>('kyc-console-zone', ['UTC', 'local']);

export const useZone = (): Zone => zones.use();

const PARTS = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;
// Sweden writes dates as ISO 8601 does.
const FORMATS: Readonly<Record<Zone, Intl.DateTimeFormat>> = {
  UTC: new Intl.DateTimeFormat('sv-SE', { ...PARTS, timeZone: 'UTC' }),
  local: new Intl.DateTimeFormat('sv-SE', PARTS),
};

const LOCAL_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Chooses the zone in which all times are shown. */
export const ZoneSwitch = () => {
  const zone = useZone();
  return (
    <button type="button" className="plain" onClick={() => zones.write(zone === 'UTC' ? 'local' : 'UTC')}>
      Times: {zone === 'UTC' ? 'UTC' : `local, ${LOCAL_ZONE}`}
    </button>
  );
};

/** The instants between which days of the shown zone lie, as query: a day there may have 23 or 25 hours. Empty edges are left out. */
export const rangeIn = (
  zone: Zone,
  from: string,
  to: string,
): { readonly start_date?: string; readonly end_date?: string } => {
  const begin = (day: string, later: number): string => {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    const time = zone === 'UTC' ? Date.UTC(year, month - 1, date + later) : new Date(year, month - 1, date + later);
    return new Date(time).toISOString();
  };
  return {
    ...(from === '' ? {} : { start_date: begin(from, 0) }),
    ...(to === '' ? {} : { end_date: begin(to, 1) }),
  };
};

/** The day of a time in the shown zone, YYYY-MM-DD. */
export const dayIn = (zone: Zone, time: number): string => FORMATS[zone].format(time).slice(0, 10);

/** `06:20`, in the zone that was chosen. */
export const Clock = ({ at }: { readonly at: number }) => {
  const zone = useZone();
  return <time dateTime={new Date(at).toISOString()}>{FORMATS[zone].format(at).slice(11, 16)}</time>;
};

export const DAY_MS = 86_400_000;

/** Before any account. Where the API would answer the last days alone, it asks for all. */
export const BEGINNING = '2000-01-01T00:00:00.000Z';

/** As short as a span of this many milliseconds allows: `06:20:35`, `06:20`, `11-26 06:20` or `2026-11-26`. */
export const shortIn = (zone: Zone, time: number, span: number): string => {
  const exact = FORMATS[zone].format(time);
  if (span < 600_000) return exact.slice(11);
  if (span < DAY_MS) return exact.slice(11, 16);
  return span < 7 * DAY_MS ? exact.slice(5, 16) : exact.slice(0, 10);
};

/** `2026-11-26 06:20:35`, as text. */
export const exactIn = (zone: Zone, at: string): string => FORMATS[zone].format(new Date(at));

/** `2026-11-26 06:20:35`, in the zone that was chosen. */
export const Exact = ({ at }: { readonly at: string }) => {
  const zone = useZone();
  return (
    <time dateTime={at} title={`${at}, ${agoOf(new Date(at), Date.now())}`}>
      {exactIn(zone, at)}
    </time>
  );
};

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

const agoOf = (time: Date, now: number): string => {
  const difference = time.getTime() - now;
  const [unit, length] = UNITS.find(([, each]) => Math.abs(difference) >= each) ?? (['second', 1_000] as const);
  return RELATIVE.format(Math.round(difference / length), unit);
};

const TICK = 10_000;
const tickers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** All ages of a page tick together. */
const subscribeToNow = (listener: () => void): (() => void) => {
  tickers.add(listener);
  if (timer === undefined) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of tickers) each();
  }, TICK);
  return () => {
    tickers.delete(listener);
    if (tickers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** Further away, a day is read more easily than a distance. */
const FAR_MS = 45 * DAY_MS;

/** A time as its distance from now; the exact one where the pointer rests. */
export const Ago = ({ at }: { readonly at: string }) => {
  const zone = useZone();
  const ticked = useSyncExternalStore(subscribeToNow, () => now);
  const time = new Date(at);
  return (
    <time dateTime={at} title={`${FORMATS[zone].format(time)} ${zone}`}>
      {Math.abs(time.getTime() - ticked) > FAR_MS
        ? dayIn(zone, time.getTime())
        : agoOf(time, time.getTime() > ticked && time.getTime() - ticked < TICK ? time.getTime() : ticked)}
    </time>
  );
};
