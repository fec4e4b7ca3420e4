import { Presets, SingleBar } from 'cli-progress';
import { type RebuildProgress } from '../platform/projections/rebuild.js';

/** Progress of a rebuild on stderr: how far, how fast, how much longer. */
export class RebuildBar {
  private readonly bar: SingleBar;
  private readonly began = performance.now();
  private started = false;

  constructor(name: string) {
    const format = `${name} {bar} {percentage}% | {events} events | {rate}/s | {eta_formatted} left`;
    this.bar = new SingleBar({ format, etaBuffer: 50, hideCursor: true, noTTYOutput: false }, Presets.shades_classic);
  }

  show({ position, goal, events }: RebuildProgress): void {
    const rate = Math.round((events * 1_000) / Math.max(1, performance.now() - this.began));
    if (!this.started) this.bar.start(Number(goal), 0, { events, rate });
    this.started = true;
    // Events go on arriving while the log is read: the goal moves with them.
    if (position > goal) this.bar.setTotal(Number(position));
    this.bar.update(Number(position), { events, rate });
  }

  stop(): void {
    if (this.started) this.bar.stop();
    this.started = false;
  }
}
