#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { keysOf, verifyBundle } from './bundle.js';
import { CheckpointError, openCheckpoint } from './checkpoint.js';
import { verifyConsistency } from './merkle-tree.js';
import { ProofError } from './proof-file.js';
import { describeProven, verifyAnswer } from './proven-answer.js';

const USAGE = `kyc-log-proofs: verifies what the log of a KYC network signed. It needs nothing but the files.

  kyc-log-proofs proof FILE --keys KEYS              a proof file, an answer of /api/v1/proofs, or an entry of the
                                                     audit log or a transaction with its proof
  kyc-log-proofs bundle FOLDER [--keys KEYS]         an evidence bundle, unpacked
  kyc-log-proofs consistency OLD NEW PROOF --keys KEYS
                                                     two checkpoints and the answer of /transparency/consistency

KEYS is the answer of /transparency/keys. Get it from the log's own address, not from whoever sent the files.
Exit status: 0 verified, 1 not verified, 2 not understood, 3 a bundle agrees with itself, by its own keys alone.`;

const AGREES_WITH_ITSELF = 3;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const json = async (file: string): Promise<unknown> => {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProofError(`${file} is not JSON`);
  }
};

const readKeys = async (file: string) => keysOf(await json(file), file);

const proof = async (file: string, keys: string): Promise<void> => {
  for (const line of describeProven(verifyAnswer(await json(file), await readKeys(keys)))) print(line);
};

const bundle = async (folder: string, keys: string | undefined): Promise<void> => {
  const own = keys === undefined ? undefined : await readKeys(keys);
  const { tenant, from, to, madeAt, events, checkpoint, earlier, hasOwnKeys, others } = await verifyBundle(folder, own);
  const verdict = hasOwnKeys ? 'Proven' : 'NOT proven, only consistent with the keys that the bundle itself brings';
  print(
    `${verdict}: ${events} events of ${tenant} from ${from} to ${to}, as of ${madeAt}, stand in ${checkpoint.origin},`,
  );
  print(`which held ${checkpoint.size} events when it was signed, and extends ${earlier} earlier checkpoints.`);
  print('The log’s key signed how many events of each stream belong to it, and they are all here.');
  print(
    'Not proven: that what happened was written to the log, what sealed fields hold, and what the same key might sign',
  );
  print('otherwise for somebody else. Compare the checkpoint with one that you, or a witness, kept.');
  for (const name of others) print(`Not looked at, since it does not belong to the bundle: ${name}`);
  if (hasOwnKeys) return;
  print('Anybody can make such keys: give --keys with what /transparency/keys answers at the log’s own address.');
  process.exitCode = AGREES_WITH_ITSELF;
};

const consistency = async (oldFile: string, newFile: string, proofFile: string, keysFile: string): Promise<void> => {
  const keys = await readKeys(keysFile);
  const [first, second] = [
    openCheckpoint(await readFile(oldFile, 'utf8'), keys),
    openCheckpoint(await readFile(newFile, 'utf8'), keys),
  ];
  const { hashes } = (await json(proofFile)) as { readonly hashes?: readonly string[] };
  const path = (hashes ?? []).map((hash) => Buffer.from(hash, 'base64'));
  const claim = { first: first.size, firstRoot: first.root, second: second.size, secondRoot: second.root, proof: path };
  if (first.origin !== second.origin || !verifyConsistency(claim))
    throw new ProofError(`the tree of ${second.size} events does not extend that of ${first.size}`);
  print(`Proven: ${second.origin} with ${second.size} events only adds to what it held with ${first.size}.`);
};

/** Undefined where the words are not understood. */
const chosen = (words: readonly string[]): Promise<void> | undefined => {
  const at = words.indexOf('--keys');
  const keys = at === -1 ? undefined : words[at + 1];
  const [name, one, two, three, more] = at === -1 ? words : words.toSpliced(at, 2);
  if (more !== undefined || one === undefined || (at !== -1 && keys === undefined)) return undefined;
  if (name === 'bundle' && two === undefined) return bundle(one, keys);
  if (keys === undefined) return undefined;
  if (name === 'proof' && two === undefined) return proof(one, keys);
  if (name === 'consistency' && two !== undefined && three !== undefined) return consistency(one, two, three, keys);
  return undefined;
};

const work = chosen(process.argv.slice(2));
if (work === undefined) {
  print(USAGE);
  process.exitCode = 2;
} else {
  await work.catch((error: unknown) => {
    const isForeseen = error instanceof ProofError || error instanceof CheckpointError;
    print(`NOT PROVEN: ${isForeseen || error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
