import { CheckpointError, openCheckpoint, type VerifierKey } from './checkpoint.js';
import { leafOfEvent, type LoggedEvent } from './leaf.js';
import { type Hash, verifyInclusion } from './merkle-tree.js';

export const PROOF_FORMAT = 'kyc-proof-v1';

/** A proof that an event stands in the log, as JSON. Binary fields are base64. */
export interface ProofFile {
  readonly format: typeof PROOF_FORMAT;
  readonly event: {
    readonly stream: string;
    /** A decimal. */
    readonly revision: string;
    readonly id: string;
    readonly type: string;
    /** The stored bytes; sealed fields stay sealed. */
    readonly data: string;
    readonly metadata: string;
  };
  readonly salt: string;
  readonly leaf_index: number;
  readonly hashes: readonly string[];
  /** The signed note (C2SP tlog-checkpoint) of the tree that holds the leaf. */
  readonly checkpoint: string;
}

export interface ProofParts {
  readonly event: LoggedEvent;
  readonly salt: Uint8Array;
  readonly index: number;
  readonly proof: readonly Hash[];
  readonly checkpoint: string;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const writeProof = ({ event, salt, index, proof, checkpoint }: ProofParts): ProofFile => ({
  format: PROOF_FORMAT,
  event: {
    stream: event.stream,
    revision: String(event.revision),
    id: event.id,
    type: event.type,
    data: base64(event.data),
    metadata: base64(event.metadata),
  },
  salt: base64(salt),
  leaf_index: index,
  hashes: proof.map(base64),
  checkpoint,
});

/** The proof is malformed, or does not prove what it says. */
export class ProofError extends Error {
  override readonly name = 'ProofError';
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textAt = (record: Readonly<Record<string, unknown>>, name: string): string => {
  const value = record[name];
  if (typeof value !== 'string') throw new ProofError(`${name} must be a string`);
  return value;
};

const bytesOf = (name: string, text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new ProofError(`${name} must be base64`);
  return bytes;
};

const hashOf = (value: unknown): Hash => {
  const bytes = bytesOf('hashes', typeof value === 'string' ? value : '');
  if (bytes.length !== 32) throw new ProofError('hashes must be SHA-256 hashes in base64');
  return bytes;
};

const readEvent = (event: Readonly<Record<string, unknown>>): LoggedEvent => {
  const revision = textAt(event, 'revision');
  if (!/^(0|[1-9][0-9]{0,18})$/.test(revision)) throw new ProofError('revision must be a whole number');
  const id = textAt(event, 'id');
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new ProofError('id must be a UUID in lower case');
  return {
    stream: textAt(event, 'stream'),
    revision: BigInt(revision),
    id,
    type: textAt(event, 'type'),
    data: bytesOf('data', textAt(event, 'data')),
    metadata: bytesOf('metadata', textAt(event, 'metadata')),
  };
};

/** Reads a parsed proof file. Throws ProofError that names the field. */
export const readProof = (file: unknown): ProofParts => {
  if (!isRecord(file) || file['format'] !== PROOF_FORMAT) throw new ProofError(`format must be ${PROOF_FORMAT}`);
  const { event, leaf_index: index, hashes } = file;
  if (!isRecord(event)) throw new ProofError('event must be an object');
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0)
    throw new ProofError('leaf_index must be a whole number');
  if (!Array.isArray(hashes)) throw new ProofError('hashes must be a list');
  return {
    event: readEvent(event),
    salt: bytesOf('salt', textAt(file, 'salt')),
    index,
    proof: hashes.map(hashOf),
    checkpoint: textAt(file, 'checkpoint'),
  };
};

export interface ProvenEvent {
  readonly event: LoggedEvent;
  readonly index: number;
  readonly origin: string;
  readonly size: number;
}

/** Verifies a parsed proof file with the keys of its log alone. Throws ProofError with what does not hold. */
export const verifyProof = (file: unknown, keys: readonly VerifierKey[]): ProvenEvent => {
  const { event, salt, index, proof, checkpoint: note } = readProof(file);
  try {
    const { origin, size, root } = openCheckpoint(note, keys);
    if (!verifyInclusion({ leaf: leafOfEvent(event, salt), index, size, proof, root }))
      throw new ProofError(`event ${event.id} is not leaf ${index} of the tree of ${size} events that was signed`);
    return { event, index, origin, size };
  } catch (error) {
    if (error instanceof CheckpointError) throw new ProofError(error.message, { cause: error });
    throw error;
  }
};
