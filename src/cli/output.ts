import { once } from 'node:events';

/** What a command prints. Its reader may be slow, as a pager, or go away before the end, as `head`. */
export class Output {
  private gone = false;

  constructor() {
    for (const stream of [process.stdout, process.stderr])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        this.gone = true;
        if (error.code === 'EPIPE') return;
        process.stderr.write(`The output cannot be written: ${error.message}\n`);
        process.exit(1);
      });
  }

  readonly print = (line: string): void => {
    if (!this.gone) process.stdout.write(`${line}\n`);
  };

  /** To standard error, beside rows that a program may read. */
  readonly note = (line: string): void => {
    if (!this.gone) process.stderr.write(`${line}\n`);
  };

  /** Waits until the reader has taken most of what was printed. False: no one reads any more. */
  readonly room = async (): Promise<boolean> => {
    if (!this.gone && process.stdout.writableNeedDrain) await once(process.stdout, 'drain').catch(() => undefined);
    return !this.gone;
  };

  /** Ends the process once all that was printed is read. */
  readonly exit = async (status: number): Promise<void> => {
    const ended = [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((resolve) => void stream.write('', () => resolve())),
    );
    if (!this.gone) await Promise.all(ended);
    process.exit(status);
  };
}
