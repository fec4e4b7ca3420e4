import { Presets, SingleBar } from 'cli-progress';

/** How far a file was worked through, by its bytes; shown on a terminal only. */
export class ProgressBar {
  private readonly bar: SingleBar;

  constructor(further: string) {
    const format = `{bar} {percentage}% | {eta_formatted} left | ${further}`;
    this.bar = new SingleBar({ format }, Presets.shades_classic);
  }

  start(bytes: number, payload: Readonly<Record<string, unknown>> = {}): void {
    this.bar.start(bytes, 0, payload);
  }

  update(bytes: number, payload: Readonly<Record<string, unknown>> = {}): void {
    this.bar.update(bytes, payload);
  }

  stop(): void {
    this.bar.stop();
  }
}

/** Clears what the bar shows, so that a line does not begin behind it; the bar draws itself again. */
export const besideTheBar =
  (print: (line: string) => void) =>
  (line: string): void => {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    print(line);
  };
