import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Hash } from './merkle-tree.js';

/** A tree head (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** `<host>/log/<epoch>`, which is also the name of its key. */
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

/** A public key as a verifier states it: `<name>+<key id>+<base64 of algorithm and key>` (C2SP signed-note). */
export interface VerifierKey {
  readonly name: string;
  readonly id: Buffer;
  readonly key: KeyObject;
}

export class CheckpointError extends Error {
  override readonly name = 'CheckpointError';
}

const ED25519 = Buffer.of(1);
const KEY_BYTES = 32;
const ID_BYTES = 4;
/** Before the 32 bytes of a key in DER (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

const keyId = (name: string, publicKey: Buffer): Buffer =>
  createHash('sha256')
    .update(Buffer.concat([Buffer.from(`${name}\n`), ED25519, publicKey]))
    .digest()
    .subarray(0, ID_BYTES);

const rawKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);

export const verifierKeyOf = (name: string, key: KeyObject): VerifierKey => ({
  name,
  key,
  id: keyId(name, rawKey(key)),
});

export const formatVerifierKey = ({ name, id, key }: VerifierKey): string =>
  `${name}+${id.toString('hex')}+${Buffer.concat([ED25519, rawKey(key)]).toString('base64')}`;

/** Throws CheckpointError if the text is not an Ed25519 verifier key, or its id is another key's. */
export const parseVerifierKey = (text: string): VerifierKey => {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded ?? '', 'base64');
  if (name === undefined || id === undefined || bytes.length !== KEY_BYTES + 1 || bytes[0] !== ED25519[0])
    throw new CheckpointError('the key is not of the form <name>+<id>+<base64 of an Ed25519 key>');
  const publicKey = bytes.subarray(1);
  if (keyId(name, publicKey).toString('hex') !== id)
    throw new CheckpointError(`the id of the key ${name} is not its own`);
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return { name, key, id: Buffer.from(id, 'hex') };
};

const bodyOf = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

/** A signed note (C2SP signed-note) of lines that each end with a line feed. */
export const signNote = (name: string, body: string, privateKey: KeyObject): string => {
  const id = keyId(name, rawKey(createPublicKey(privateKey)));
  const signature = Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]).toString('base64');
  return `${body}\n— ${name} ${signature}\n`;
};

/** A signed note, with the key's name the checkpoint's origin. */
export const signCheckpoint = (checkpoint: Checkpoint, privateKey: KeyObject): string =>
  signNote(checkpoint.origin, bodyOf(checkpoint), privateKey);

const parseBody = (body: string): Checkpoint => {
  const [, origin, size, root] = /^(\S+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$/.exec(body) ?? [];
  if (origin === undefined || root === undefined || !isBase64(root))
    throw new CheckpointError('a checkpoint has three lines: origin, size, and the root in base64');
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
};

const isSignedBy = (line: string, body: string, keys: readonly VerifierKey[]): boolean => {
  const [, name, encoded] = /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
  if (encoded === undefined || !isBase64(encoded)) throw new CheckpointError('a signature line is malformed');
  const bytes = Buffer.from(encoded, 'base64');
  const key = keys.find((known) => known.name === name && known.id.equals(bytes.subarray(0, ID_BYTES)));
  if (key === undefined) return false;
  if (!verify(null, Buffer.from(body), key.key, bytes.subarray(ID_BYTES)))
    throw new CheckpointError(`the signature of ${key.name} does not verify`);
  return true;
};

/**
 * The lines of a signed note. Throws CheckpointError unless a given key of the name that `nameOf` finds in them signed it.
 * Signatures by other keys, of witnesses for example, are passed over.
 */
export const openNote = (note: string, keys: readonly VerifierKey[], nameOf: (body: string) => string): string => {
  const split = note.indexOf('\n\n');
  if (split === -1 || !note.endsWith('\n'))
    throw new CheckpointError('a checkpoint or signed note has a blank line, then signatures');
  const body = note.slice(0, split + 1);
  const signer = nameOf(body);
  const lines = note.slice(split + 2, -1).split('\n');
  const own = keys.filter(({ name }) => name === signer);
  if (!lines.map((line) => isSignedBy(line, body, own)).includes(true))
    throw new CheckpointError(`no known key of ${signer} signed it`);
  return body;
};

/** Reads a signed checkpoint. Throws CheckpointError unless a given key of its origin signed it. */
export const openCheckpoint = (note: string, keys: readonly VerifierKey[]): Checkpoint =>
  parseBody(openNote(note, keys, (body) => parseBody(body).origin));
