import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Checkpoint,
  CheckpointError,
  openCheckpoint,
  openNote,
  parseVerifierKey,
  type VerifierKey,
} from './checkpoint.js';
import { type LoggedEvent } from './leaf.js';
import { verifyConsistency } from './merkle-tree.js';
import { ProofError, type ProofFile, verifyProof } from './proof-file.js';

export const BUNDLE_FORMAT = 'kyc-evidence-v1';

/** The files of an evidence bundle. */
export const BUNDLE = {
  manifest: 'manifest.json',
  signature: 'manifest.note',
  events: 'events.ndjson',
  entries: 'entries.ndjson',
  checkpoints: 'checkpoints.json',
  keys: 'keys.json',
  readme: 'README.md',
  verifier: 'verify.mjs',
} as const;

/** A line of events.ndjson: a proof file whose checkpoint is the bundle's. */
export type BundledEvent = Omit<ProofFile, 'checkpoint' | 'format'>;

export interface BundleCheckpoints {
  /** The signed note under which every event is proven. */
  readonly checkpoint: string;
  /** Earlier ones, each with the proof that the bundle's tree only adds to it. */
  readonly earlier: readonly { readonly checkpoint: string; readonly hashes: readonly string[] }[];
}

/** Revisions as decimals, both inclusive. */
export interface BundledStream {
  readonly events: number;
  readonly first: string;
  readonly last: string;
}

/** What the log's key signs of a manifest (C2SP signed-note). No checkpoint has these lines. */
export const manifestNote = (manifest: string): string =>
  `${BUNDLE_FORMAT}\n${createHash('sha256').update(manifest).digest('base64')}\n`;

export interface BundleManifest {
  readonly format: typeof BUNDLE_FORMAT;
  readonly tenant: string;
  /** ISO 8601; what was asked for. */
  readonly from: string;
  readonly to: string;
  /** ISO 8601. Events of the period that came later are in no bundle of this time. */
  readonly madeAt: string;
  readonly events: number;
  /** Every stream of the account that has events of the period, with what of it is in the bundle. */
  readonly streams: Readonly<Record<string, BundledStream>>;
  /** SHA-256 of every other file but the signature, hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
}

export interface BundleReport {
  readonly tenant: string;
  readonly from: string;
  readonly to: string;
  readonly madeAt: string;
  readonly events: number;
  readonly checkpoint: Checkpoint;
  readonly earlier: number;
  /** Whether the keys came from outside the bundle. */
  readonly hasOwnKeys: boolean;
  /** Files in the folder that do not belong to the bundle. */
  readonly others: readonly string[];
}

const isEnvelope = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'alg' in value && 'ct' in value;

const open = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(open);
  const kept = Object.entries(value).filter(([, field]) => !isEnvelope(field));
  return Object.fromEntries(kept.map(([name, field]) => [name, open(field)]));
};

const parse = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProofError(`${file} is not JSON`);
  }
};

/** What a reader sees of a stored event: a line of entries.ndjson, without what is sealed. */
export const readableLine = ({ stream, revision, id, type, data, metadata }: LoggedEvent): string => {
  const [written, about] = [data, metadata].map((bytes) => parse(Buffer.from(bytes).toString('utf8'), id));
  return JSON.stringify({ id, type, stream, revision: String(revision), metadata: about, data: open(written) });
};

const digestOf = async (path: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/** Ended by \n alone: Node's readline also ends a line within a name that holds U+2028. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Each stream's revisions follow one another, so that no event of the period is left out in between. */
export class Streams {
  private readonly found = new Map<string, BundledStream>();

  add({ stream, revision }: LoggedEvent): void {
    const before = this.found.get(stream);
    if (before !== undefined && revision !== BigInt(before.last) + 1n)
      throw new ProofError(`${stream} goes from revision ${before.last} to ${revision}: events are left out`);
    const { events = 0, first = String(revision) } = before ?? {};
    this.found.set(stream, { events: events + 1, first, last: String(revision) });
  }

  all(): BundleManifest['streams'] {
    return Object.fromEntries(this.found);
  }

  /** Throws ProofError with the first stream that is not what the manifest says. */
  verify(promised: BundleManifest['streams']): void {
    for (const name of new Set([...Object.keys(promised), ...this.found.keys()])) {
      const [wanted, there] = [promised[name], this.found.get(name)];
      if (wanted === undefined) throw new ProofError(`${name} is not among the streams that were signed`);
      if (there?.events !== wanted.events || there.first !== wanted.first || there.last !== wanted.last)
        throw new ProofError(`${name} was signed with ${wanted.events} events, and ${there?.events ?? 0} are here`);
    }
  }
}

const verifyEvents = async (
  folder: string,
  checkpoint: string,
  keys: readonly VerifierKey[],
  { tenant, streams: promised }: BundleManifest,
) => {
  const entries = linesOf(join(folder, BUNDLE.entries));
  const events = linesOf(join(folder, BUNDLE.events));
  const streams = new Streams();
  let count = 0;
  for (let line = await events.next(); line.done !== true; line = await events.next()) {
    const parts = parse(line.value, BUNDLE.events) as BundledEvent;
    const { event } = verifyProof({ ...parts, format: 'kyc-proof-v1', checkpoint }, keys);
    const [, owner] = /^[^-]+-([^_]+)/.exec(event.stream) ?? [];
    if (owner !== tenant) throw new ProofError(`${event.stream} is not a stream of ${tenant}`);
    streams.add(event);
    const entry = await entries.next();
    if (entry.done === true || entry.value !== readableLine(event))
      throw new ProofError(`${BUNDLE.entries} says something else of event ${event.id} than the proven bytes`);
    count += 1;
  }
  if ((await entries.next()).done !== true)
    throw new ProofError(`${BUNDLE.entries} has more lines than there are proofs`);
  streams.verify(promised);
  return count;
};

const verifyEarlier = (
  { earlier }: BundleCheckpoints,
  { origin, size, root }: Checkpoint,
  keys: readonly VerifierKey[],
): void => {
  for (const { checkpoint: note, hashes } of earlier) {
    const before = openCheckpoint(note, keys);
    const proof = hashes.map((hash) => Buffer.from(hash, 'base64'));
    const { size: first, root: firstRoot } = before;
    if (before.origin !== origin || !verifyConsistency({ first, firstRoot, second: size, secondRoot: root, proof }))
      throw new ProofError(`the tree of ${size} events does not extend that of ${first}, which was signed`);
  }
};

const readManifest = async (folder: string): Promise<BundleManifest> => {
  const manifest = parse(await readFile(join(folder, BUNDLE.manifest), 'utf8'), BUNDLE.manifest) as BundleManifest;
  if ((manifest as Partial<BundleManifest> | null)?.format !== BUNDLE_FORMAT)
    throw new ProofError(`format in ${BUNDLE.manifest} must be ${BUNDLE_FORMAT}`);
  return manifest;
};

const verifyFiles = async (folder: string, manifest: BundleManifest): Promise<void> => {
  for (const name of Object.values(BUNDLE)) {
    if (name === BUNDLE.manifest || name === BUNDLE.signature) continue;
    if ((await digestOf(join(folder, name))) !== manifest.files[name])
      throw new ProofError(`${name} is not the file that the manifest names`);
  }
};

/** From the answer of /transparency/keys. Throws ProofError. */
export const keysOf = (content: unknown, file: string): readonly VerifierKey[] => {
  const { keys } = (content ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.some((key) => typeof key !== 'string'))
    throw new ProofError(`${file} takes what /transparency/keys answers: {"keys": ["<name>+<id>+<key>"]}`);
  return (keys as readonly string[]).map(parseVerifierKey);
};

/**
 * Verifies an unpacked evidence bundle. Throws ProofError with what does not hold. Without keys from outside it only tells
 * that the bundle agrees with itself.
 */
export const verifyBundle = async (folder: string, own?: readonly VerifierKey[]): Promise<BundleReport> => {
  try {
    const manifest = await readManifest(folder);
    const { tenant, from, to, madeAt, events: promised } = manifest;
    const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const keys = own ?? keysOf(parse(await text(BUNDLE.keys), BUNDLE.keys), BUNDLE.keys);
    const checkpoints = parse(await text(BUNDLE.checkpoints), BUNDLE.checkpoints) as BundleCheckpoints;
    const checkpoint = openCheckpoint(checkpoints.checkpoint, keys);
    verifyEarlier(checkpoints, checkpoint, keys);
    // What is wrong with an event or a stream says more than that a file was altered.
    const events = await verifyEvents(folder, checkpoints.checkpoint, keys, manifest);
    if (events !== promised) throw new ProofError(`the manifest promises ${promised} events, and there are ${events}`);
    await verifyFiles(folder, manifest);
    const signed = openNote(await text(BUNDLE.signature), keys, () => checkpoint.origin);
    if (signed !== manifestNote(await text(BUNDLE.manifest)))
      throw new ProofError(`${BUNDLE.manifest} is not the one that was signed`);
    const known = new Set<string>(Object.values(BUNDLE));
    const others = (await readdir(folder)).filter((name) => !known.has(name));
    const earlier = checkpoints.earlier.length;
    return { tenant, from, to, madeAt, events, checkpoint, earlier, hasOwnKeys: own !== undefined, others };
  } catch (error) {
    if (error instanceof CheckpointError) throw new ProofError(error.message, { cause: error });
    throw error;
  }
};
