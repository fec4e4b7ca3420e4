import cliProgress, { type Options, type Params } from 'cli-progress';
import { type RebuildProgress, type RebuildStage } from '../log/project/rebuild.js';

const READING = '{rate}/s | {eta_formatted} left';

const describe = (stage: RebuildStage): string =>
  stage.doing === 'making indexes' ? `making indexes, ${stage.number} of ${stage.of}` : stage.doing;

interface Shown extends Pick<RebuildStage, 'doing'> {
  readonly text: string;
  readonly began: number;
}

/** Progress of a rebuild on stderr: how far, how fast, how much longer; then what it does that has no measure, and for how long. */
export class RebuildBar {
  private readonly bar: cliProgress.SingleBar;
  private readonly began = performance.now();
  private started = false;
  private stage: Shown | undefined;
  private progress: RebuildProgress = { position: 0n, goal: 0n, events: 0 };

  constructor(name: string, stream: NodeJS.WritableStream = process.stderr) {
    const format = (options: Options, params: Params, payload: object): string => {
      const line = `${name} {bar} {percentage}% | {events} events | ${this.rest(options)}`;
      return cliProgress.Format.Formatter({ ...options, format: line }, params, payload);
    };
    const options = { format, stream, etaBuffer: 50, hideCursor: true, noTTYOutput: false };
    this.bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  }

  show(progress: RebuildProgress): void {
    this.progress = progress;
    this.stage = undefined;
    this.draw();
  }

  /** Shown until there is progress again. */
  showStage(projection: string, stage: RebuildStage): void {
    const began = this.stage?.doing === stage.doing ? this.stage.began : performance.now();
    this.stage = { doing: stage.doing, text: `${projection}: ${describe(stage)}`, began };
    this.draw();
  }

  stop(): void {
    if (this.started) this.bar.stop();
    this.started = false;
    this.stage = undefined;
  }

  private draw(): void {
    const { position, goal, events } = this.progress;
    const rate = Math.round((events * 1_000) / Math.max(1, performance.now() - this.began));
    if (!this.started) this.bar.start(Number(goal), 0, { events, rate });
    this.started = true;
    // Events go on arriving while the log is read: the goal moves with them.
    if (position > goal) this.bar.setTotal(Number(position));
    this.bar.update(Number(position), { events, rate });
  }

  private rest(options: Options): string {
    if (this.stage === undefined) return READING;
    const seconds = Math.floor((performance.now() - this.stage.began) / 1_000);
    return `${this.stage.text} | ${cliProgress.Format.TimeFormat(seconds, options, 1)}`;
  }
}
