import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';

type Program = (require: NodeJS.Require, fileName: string) => void;

/** A folder that this user may not write costs the next start its time, no more. */
const keep = (path: string, code: Buffer): void => {
  const written = `${path}.${process.pid}`;
  try {
    writeFileSync(written, code);
    renameSync(written, path);
  } catch {
    return;
  }
};

/**
 * Runs a program that scripts/bundle.mjs put into one file. Compiling it is a third of a start, so the first run that ends well
 * leaves what V8 compiled beside it, under the program's digest: V8 itself compares only lengths, and refuses code of another V8.
 */
export const runBundle = (path: string, digest: string): void => {
  const compiled = `${path}.${digest}.code`;
  const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
  // A bundle is ASCII, which takes one byte a letter.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (script.cachedDataRejected !== false)
    process.once('exit', (status) => {
      if (status === 0) keep(compiled, script.createCachedData());
    });
  const program = script.runInThisContext() as Program;
  program(createRequire(path), path);
};
