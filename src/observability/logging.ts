import { hostname } from 'node:os';
import { type LoggerService } from '@nestjs/common';
import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

/** Injection token of the process's logger. */
export const LOGGER = Symbol('Logger');

/** What each line of a process says of it, so that lines of many processes can be distinguished. */
export interface Lineage {
  readonly instance: string;
  readonly role: string;
}

/** Host and process, and the roles in their order. */
export const lineageOf = (roles: ReadonlySet<string>): Lineage => ({
  instance: `${hostname()}:${process.pid}`,
  role: [...roles].join(','),
});

/** Writes one JSON object per line. Lines are buffered and written without blocking; call `flush` before the process ends. */
export const createLogger = (
  level: string,
  stream: DestinationStream = destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 500 }),
  base: Lineage | null = null,
): Logger =>
  pino(
    {
      level,
      base: base === null ? null : { ...base },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  );

/** Errors whose messages we wrote ourselves. Other messages may quote a caller's data. */
const QUOTABLE: ReadonlySet<string> = new Set([
  'InvariantViolation',
  'Unavailable',
  'TypeError',
  'ReferenceError',
  'RangeError',
  'WrongExpectedRevision',
  'KeyMaterialError',
]);

export interface DescribedError {
  readonly type: string;
  readonly code?: string;
  readonly message?: string;
  /** The frames of the stack, without its first line, which repeats the message. */
  readonly frames: readonly string[];
  readonly cause?: DescribedError;
}

/** The parts of an error that a log may hold: never a message that could contain personal data. */
export const describeError = (error: unknown, depth = 2): DescribedError => {
  if (!(error instanceof Error)) return { type: typeof error, frames: [] };
  const { code } = error as { code?: unknown };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    // Node's own errors, which have a code, quote the value that they refuse.
    ...(QUOTABLE.has(error.name) && code === undefined ? { message: error.message } : {}),
    frames: frames.slice(0, 12).map((line) => line.trim()),
    ...(error.cause === undefined || depth === 0 ? {} : { cause: describeError(error.cause, depth - 1) }),
  };
};

/** Writes Nest's own messages to the same log. */
export const nestLogger = (logger: Logger): LoggerService => {
  const line =
    (level: 'info' | 'warn' | 'error' | 'debug' | 'trace' | 'fatal') =>
    (message: unknown, ...rest: unknown[]): void => {
      const context = rest.at(-1);
      // Nest logs a start's error and also throws it. main.ts says what the operator should do about it.
      if (context === 'ExceptionHandler') return;
      const named = typeof context === 'string' ? { context } : {};
      if (message instanceof Error) logger[level]({ ...named, error: describeError(message) }, 'error');
      else logger[level](named, String(message));
    };
  return {
    log: line('debug'),
    warn: line('warn'),
    error: line('error'),
    debug: line('trace'),
    verbose: line('trace'),
    fatal: line('fatal'),
  };
};
