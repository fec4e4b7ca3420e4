import { count } from './format.js';
import { exactIn, useZone } from './time.js';

interface HourBarsProps {
  readonly label: string;
  readonly hours: readonly { readonly hour: string; readonly delivered: number; readonly failed: number }[];
}

/** A small bar for each hour, what failed on top of what arrived. */
export const HourBars = ({ label, hours }: HourBarsProps) => {
  const zone = useZone();
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed));
  const height = (value: number): number => (28 * value) / most;
  return (
    <svg className="attempts" width={hours.length * 6} height={30} role="img" aria-label={label}>
      {hours.map(({ hour, delivered, failed }, place) => (
        <g key={hour}>
          <title>{`${exactIn(zone, hour).slice(11, 16)}: ${count(delivered)} delivered, ${count(failed)} failed`}</title>
          <rect className="ground" x={place * 6} y={28} width={4} height={2} />
          <rect className="fine" x={place * 6} y={30 - height(delivered)} width={4} height={height(delivered)} />
          <rect
            className="failed"
            x={place * 6}
            y={30 - height(delivered) - height(failed)}
            width={4}
            height={height(failed)}
          />
        </g>
      ))}
    </svg>
  );
};
