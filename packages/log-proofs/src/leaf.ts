import { hash } from 'node:crypto';
import { type Hash } from './merkle-tree.js';

/** An event as the store holds it. `data` and `metadata` are the stored bytes. */
export interface LoggedEvent {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

const FORMAT = 'kyc-leaf-v1';
const EPOCH_FORMAT = 'kyc-epoch-v1';

/** Holds the bytes of one leaf while they are hashed. It grows to the largest leaf yet. */
let scratch = Buffer.alloc(4_096);

const lengthOf = (field: string | Uint8Array): number =>
  typeof field === 'string' ? Buffer.byteLength(field) : field.length;

/** The prefix 0x00 of a leaf (RFC 9162, section 2.1.1), then each field behind its length, 4 bytes, big-endian. */
const prefixed = (fields: readonly (string | Uint8Array)[]): Hash => {
  const most = 1 + fields.reduce((sum, field) => sum + 4 + lengthOf(field), 0);
  if (most > scratch.length) scratch = Buffer.alloc(most);
  scratch[0] = 0;
  let at = 1;
  for (const field of fields) {
    at = scratch.writeUInt32BE(lengthOf(field), at);
    if (typeof field === 'string') at += scratch.write(field, at);
    else {
      scratch.set(field, at);
      at += field.length;
    }
  }
  return hash('sha256', scratch.subarray(0, at), 'buffer');
};

/**
 * The hash of an event's leaf. The salt, 32 bytes, keeps anyone without it from guessing what a leaf hashes. Stores give ids in
 * lower case, so one in upper case was altered.
 */
export const leafOfEvent = ({ stream, revision, id, type, data, metadata }: LoggedEvent, salt: Uint8Array): Hash =>
  prefixed([FORMAT, salt, stream, String(revision), id, type, data, metadata]);

/** The first leaf of a tree that follows another one: it names the last checkpoint seen of the earlier tree. */
export const leafOfEpoch = (previousCheckpoint: string): Hash => prefixed([EPOCH_FORMAT, previousCheckpoint]);
