import { openCheckpoint, parseVerifierKey } from '@kyc/log-proofs/checkpoint';
import { verifyConsistency } from '@kyc/log-proofs/merkle-tree';
import { verifyAnswer } from '@kyc/log-proofs/proven-answer';
import { answer, api } from '../api.js';

/** What is known of an entry: proven but for these members, which its event holds sealed; not signed yet; or why it is not proven. */
export type Verdict =
  | { readonly state: 'proven'; readonly unproven: readonly string[] }
  | { readonly state: 'not_signed' }
  | { readonly state: 'false'; readonly why: string };

const readKeys = async () => {
  const { keys } = await answer(api.GET('/transparency/keys'));
  return keys.map(parseVerifierKey);
};

interface Entry {
  readonly id: string;
  readonly proof?: object | null;
}

/** Verifies each entry against its event, its path and the signed checkpoint. By id. */
export const verifyEntries = async (entries: readonly Entry[]): Promise<ReadonlyMap<string, Verdict>> => {
  const keys = await readKeys();
  return new Map(
    entries.map((entry): readonly [string, Verdict] => {
      if ((entry.proof ?? null) === null) return [entry.id, { state: 'not_signed' }];
      try {
        const { unproven = [] } = verifyAnswer(entry, keys);
        return [entry.id, { state: 'proven', unproven }];
      } catch (error) {
        return [entry.id, { state: 'false', why: error instanceof Error ? error.message : String(error) }];
      }
    }),
  );
};

interface Seen {
  readonly origin: string;
  readonly size: number;
  /** The signed note. */
  readonly note: string;
  readonly at: string;
}

const STORED = 'kyc-console-checkpoint';

/** The first checkpoint that this browser ever saw of this log. */
const firstSeen = (): Seen | undefined => {
  const text = localStorage.getItem(STORED);
  return text === null ? undefined : (JSON.parse(text) as Seen);
};

/** The next check begins anew. */
export const forgetSeen = (): void => localStorage.removeItem(STORED);

export interface Growth {
  readonly present: Seen;
  readonly first: Seen;
  /** The proof's hashes, in base64. */
  readonly hashes: readonly string[];
}

const readNote = async (): Promise<string> => {
  const response = await fetch('/console/api/transparency/checkpoint');
  if (response.status === 404) throw new Error('Nothing was signed yet: the first checkpoint comes within a minute.');
  if (!response.ok) throw new Error(`The checkpoint cannot be read: the service answered ${response.status}.`);
  return response.text();
};

/** Throws unless the present checkpoint is signed, and its tree only adds to that of the first one this browser saw. */
export const checkGrowth = async (): Promise<Growth> => {
  const keys = await readKeys();
  const note = await readNote();
  const { origin, size, root } = openCheckpoint(note, keys);
  const present = { origin, size, note, at: new Date().toISOString() };
  const first = firstSeen() ?? present;
  localStorage.setItem(STORED, JSON.stringify(first));
  const before = openCheckpoint(first.note, keys);
  if (before.origin !== origin)
    throw new Error(`The log was ${before.origin} when this browser first saw it, and is ${origin} now.`);
  if (before.size > size) throw new Error(`The log had ${before.size} events once, and has ${size} now.`);
  const query = { first: before.size, second: size };
  const hashes =
    before.size === size ? [] : (await answer(api.GET('/transparency/consistency', { params: { query } }))).hashes;
  const proof = hashes.map((hash) => Buffer.from(hash, 'base64'));
  if (!verifyConsistency({ first: before.size, firstRoot: before.root, second: size, secondRoot: root, proof }))
    throw new Error(`The tree of ${size} events does not extend that of ${before.size} events, which was signed.`);
  return { present, first, hashes };
};
