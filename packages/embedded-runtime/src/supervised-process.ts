import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Duplex, type Writable } from 'node:stream';

/**
 * The keeper: a shell in a process group of its own that starts the command, tells its process id on descriptor 3 and
 * waits there for a patience in seconds. A closed descriptor means that the service is gone, however it ended. Either way
 * the command gets the signals in turn, then SIGKILL: 5 s at most where nobody asked for more. Both travel in the
 * environment, so that process lists show the command once, as itself.
 */
const KEEPER = `
command=$KEPT_COMMAND; signals=$KEPT_SIGNALS; unset KEEPER KEPT_COMMAND KEPT_SIGNALS
exec 4<&0 0</dev/null
eval "exec $command" <&4 3>&- 4<&- &
child=$!
exec 4<&-
echo "$child" >&3
(
  read -r patience <&3 || patience=3
  kill -s CONT "$child"
  for signal in $signals; do
    kill -s "$signal" "$child"
    tenths=$((patience * 10))
    while [ "$tenths" -gt 0 ]; do
      kill -0 "$child" || exit 0
      sleep 0.1
      tenths=$((tenths - 1))
    done
    patience=1
  done
  kill -s KILL "$child"
) 2>/dev/null &
watcher=$!
exec 3>&-
wait "$child" 2>/dev/null
status=$?
kill "$watcher" 2>/dev/null
exit "$status"
`;

/** The keeper uses those below, and a shell can name only one digit. */
export const INHERITED = 5;

export interface KeptCommand {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Sent in turn to end it, without the prefix SIG; SIGKILL follows by itself. */
  readonly signals: readonly string[];
  /** Open in the command and in all that it starts, as descriptor INHERITED, for as long as one of them lives. */
  readonly inherits?: number;
  /** The user to run as; absent: the service's own. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Called with each line of its standard output. */
  readonly onLine?: (line: string) => void;
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** How many of the last lines on standard error are kept for a message. */
const LINES_KEPT = 12;

/** A child process that ends by itself within 5 s when this process is gone, even by SIGKILL. */
export class SupervisedProcess {
  /** Resolves when the command has ended and its pipes are closed. */
  readonly ended: Promise<void>;
  private readonly keeper: ChildProcess;
  private readonly control: Duplex;
  private readonly complaints: string[] = [];
  private childId: number | undefined;
  private hasEnded = false;
  private exitStatus: number | undefined;

  constructor(options: KeptCommand) {
    this.keeper = spawn('/bin/sh', ['-c', 'eval "$KEEPER"'], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'ignore', options.inherits ?? 'ignore'],
      env: {
        ...options.environment,
        KEEPER,
        KEPT_COMMAND: options.command.map(quote).join(' '),
        KEPT_SIGNALS: options.signals.join(' '),
      },
      ...options.account,
    });
    this.control = this.keeper.stdio[3] as Duplex;
    for (const pipe of [this.control, this.keeper.stdin as Writable]) pipe.on('error', () => undefined);
    this.control.once('data', (pid: Buffer) => (this.childId = Number(pid.toString())));
    if (this.keeper.stdout) createInterface(this.keeper.stdout).on('line', (line) => options.onLine?.(line));
    if (this.keeper.stderr) createInterface(this.keeper.stderr).on('line', (line) => this.complain(line));
    this.ended = new Promise<void>((resolve) => {
      this.keeper.once('error', (error) => {
        this.complain(error.message);
        resolve();
      });
      this.keeper.once('exit', (status) => {
        this.exitStatus = status ?? undefined;
        resolve();
      });
    }).then(() => this.finish());
  }

  get running(): boolean {
    return !this.hasEnded;
  }

  /** The command's own process id, once the keeper has told it. */
  get pid(): number | undefined {
    return this.childId;
  }

  /** The command's exit status (128 and the signal's number where one ended it), once it has ended. */
  get status(): number | undefined {
    return this.exitStatus;
  }

  /** What it last wrote to standard error. */
  get lastWords(): string {
    return this.complaints.join('\n');
  }

  /** Ends it: the first signal now, the next after `patienceSeconds`. Resolves when it has ended. */
  async stop(patienceSeconds: number): Promise<void> {
    if (this.running) this.control.write(`${String(Math.ceil(patienceSeconds))}\n`);
    await this.ended;
  }

  private complain(line: string): void {
    this.complaints.push(line);
    if (this.complaints.length > LINES_KEPT) this.complaints.shift();
  }

  private async finish(): Promise<void> {
    this.control.destroy();
    this.keeper.stdin?.destroy();
    await this.childGone();
    this.hasEnded = true;
  }

  /** The keeper may have been killed alone: its watcher, or we, then end the command. */
  private async childGone(): Promise<void> {
    for (let tries = 0; this.childId !== undefined && isAlive(this.childId); tries += 1) {
      if (tries === 50) process.kill(this.childId, 'SIGKILL');
      if (tries === 100) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
