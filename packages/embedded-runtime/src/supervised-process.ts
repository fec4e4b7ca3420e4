import { type ChildProcess, spawn } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { type Duplex, type Writable } from 'node:stream';

/**
 * The keeper is a shell in its own process group. It starts the command and writes the command's process id to descriptor 3.
 * Then it waits there for the time before the next signal, in seconds. A closed descriptor means that the service is gone,
 * however it ended. In both cases the command gets the signals in turn, then SIGKILL. Without a given time that takes 5 s at
 * most. Script and command travel in the environment, so process lists show the command once, under its own name.
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

/** The keeper uses the lower descriptors, and a shell can name only one digit. */
export const INHERITED = 5;

export interface KeptCommand {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Sent in turn to end the command, without the prefix SIG. SIGKILL always follows. */
  readonly signals: readonly string[];
  /** Steps below the service in the scheduler, for the command and what it starts then. The default is 0. */
  readonly niceness?: number;
  /** Open as descriptor INHERITED in the command and in all its children, for as long as one of them lives. */
  readonly inherits?: number;
  /** The user to run as. The default is the service's own user. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** Called with each line of the command's standard output. */
  readonly onLine?: (line: string) => void;
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Number of last lines on standard error that are kept for a message. */
const LINES_KEPT = 12;

/** A child process that ends by itself within 5 s after this process is gone, even by SIGKILL. */
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
    this.control.once('data', (pid: Buffer) => this.begun(Number(pid.toString()), options.niceness));
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

  /** The command's own process id. Undefined until the keeper has written it. */
  get pid(): number | undefined {
    return this.childId;
  }

  /** The command's exit status, or 128 plus the number of the signal that ended it. Undefined until it has ended. */
  get status(): number | undefined {
    return this.exitStatus;
  }

  /** The command's last lines on standard error. */
  get lastWords(): string {
    return this.complaints.join('\n');
  }

  /** Sends the first signal now and the next after `patienceSeconds`. Resolves when the command has ended. */
  async stop(timeoutSeconds: number): Promise<void> {
    if (this.running) this.control.write(`${String(Math.ceil(timeoutSeconds))}\n`);
    await this.ended;
  }

  private begun(pid: number, niceness: number | undefined): void {
    this.childId = pid;
    if (niceness === undefined) return;
    try {
      setPriority(pid, getPriority() + niceness);
    } catch {
      // It has ended already, or the system forbids it. Either way it serves as it would have.
    }
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

  /** The keeper may have been killed alone. Its watcher or this process then ends the command. */
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
