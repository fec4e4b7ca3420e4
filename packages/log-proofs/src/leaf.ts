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

const prefixed = (fields: readonly (string | Uint8Array)[]): Hash => {
  // The prefix 0x00 of a leaf (RFC 9162, section 2.1.1), then each field behind its length, 4 bytes, big-endian.
  const parts: Uint8Array[] = [Buffer.of(0)];
  for (const field of fields) {
    const bytes = typeof field === 'string' ? Buffer.from(field) : field;
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    parts.push(length, bytes);
  }
  return hash('sha256', Buffer.concat(parts), 'buffer');
};

/** The hash of an event's leaf. The salt, 32 bytes, keeps anyone without it from guessing what a leaf hashes. */
export const leafOfEvent = ({ stream, revision, id, type, data, metadata }: LoggedEvent, salt: Uint8Array): Hash =>
  prefixed([FORMAT, salt, stream, String(revision), id.toLowerCase(), type, data, metadata]);

/** The first leaf of a tree that follows another one: it names the last checkpoint seen of the earlier tree. */
export const leafOfEpoch = (previousCheckpoint: string): Hash => prefixed([EPOCH_FORMAT, previousCheckpoint]);
