import { createHash } from 'node:crypto';
import { accessSync, constants, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

type Program = (require: NodeJS.Require, fileName: string) => void;

/** Beside the bundle, in place of what earlier ones left. A folder that this user may not write costs the next start its time, no more. */
const keep = (bundle: string, compiled: string, code: () => Buffer): void => {
  const folder = dirname(bundle);
  const written = `${compiled}.${process.pid}`;
  try {
    accessSync(folder, constants.W_OK);
    const kept = code();
    writeFileSync(written, Buffer.concat([digestOf(kept), kept]));
    renameSync(written, compiled);
    for (const name of readdirSync(folder))
      if (name.startsWith(`${basename(bundle)}.`) && name.endsWith('.code') && name !== basename(compiled))
        rmSync(join(folder, name), { force: true });
  } catch {
    rmSync(written, { force: true });
  }
};

const DIGEST_BYTES = 32;

const digestOf = (code: Buffer): Buffer => createHash('sha256').update(code).digest();

/** The code behind its digest. V8 does not notice a changed byte, and would crash or run something else. */
const codeIn = (path: string): Buffer | undefined => {
  try {
    const file = readFileSync(path);
    const code = file.subarray(DIGEST_BYTES);
    return file.subarray(0, DIGEST_BYTES).equals(digestOf(code)) ? code : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Runs a program that scripts/bundle.mjs put into one file. Compiling it is a third of a start, so the first run that ends well
 * leaves what V8 compiled beside it, under the program's digest: V8 itself compares only lengths, and refuses code of another V8.
 */
export const runBundle = (path: string, digest: string): void => {
  const compiled = `${path}.${digest}.code`;
  const cachedData = codeIn(compiled);
  // A bundle is ASCII, which takes one byte a letter.
  const script = new Script(readFileSync(path, 'latin1'), {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (script.cachedDataRejected !== false)
    process.once('exit', (status) => {
      if (status === 0) keep(path, compiled, () => script.createCachedData());
    });
  const program = script.runInThisContext() as Program;
  program(createRequire(path), path);
};
