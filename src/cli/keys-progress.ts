import { Presets, SingleBar } from 'cli-progress';

/** Progress on stderr; nothing where no terminal is attached. */
export const barOf = (title: string, total: number, of = 'keys'): SingleBar => {
  const bar = new SingleBar(
    { format: `${title} {bar} {percentage}% | {value} of {total} ${of} | {eta_formatted} left` },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return bar;
};
