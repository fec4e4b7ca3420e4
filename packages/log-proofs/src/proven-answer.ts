import { createHash } from 'node:crypto';
import { type VerifierKey } from './checkpoint.js';
import { type LoggedEvent } from './leaf.js';
import { ProofError, type ProvenEvent, verifyProof } from './proof-file.js';

/** What an answer of the API says of the event that its proof proves. */
export interface ProvenAnswer extends ProvenEvent {
  /** Of an audit entry that shares its event with others: its place among the event's entries, from 0, and their number. */
  readonly entry?: { readonly index: number; readonly of: number };
}

type Members = Readonly<Record<string, unknown>>;

const ENTRY_NAMESPACE = '3c0a6c7e55cd4d118a100d1f3a7f4b52';

/** The id of a batch's entry: a UUID of version 5 (RFC 9562) of the batch and the entry's place in it. */
const entryIdOf = (batchId: unknown, index: number): string => {
  const name = Buffer.concat([Buffer.from(ENTRY_NAMESPACE, 'hex'), Buffer.from(`${String(batchId)}/${index}`)]);
  const bytes = createHash('sha1').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const membersOf = (bytes: Uint8Array): Members => {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString());
  return isMembers(value) ? value : {};
};

/** Whether the answer's ids are those that this event gives: its own, or that of a transaction at its revision. */
const isNamedBy = ({ id, event_id: eventId }: Members, event: LoggedEvent): boolean => {
  const transaction = `txn_${event.revision}_${event.id.replaceAll('-', '').slice(0, 16)}`;
  return [id, eventId].every((name) => name === undefined || name === event.id || name === transaction);
};

const entryIn = ({ id, proof_entry: index }: Members, data: Members): ProvenAnswer['entry'] => {
  const { entries, batchId } = data;
  const listed: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const isThere = listed.some((entry) => isMembers(entry) && entry['index'] === index);
  if (typeof index !== 'number' || !isThere || id !== entryIdOf(batchId, index)) return undefined;
  return { index, of: listed.length };
};

const sameTime = (one: unknown, other: unknown): boolean => Date.parse(String(one)) === Date.parse(String(other));

/** The first member that tells something else than the event. A reversed charge's result is no longer disclosed. */
const contradicted = (answer: Members, data: Members, metadata: Members): string | undefined => {
  const told = (name: string, isRight: (value: unknown) => boolean): boolean =>
    answer[name] !== undefined && !isRight(answer[name]);
  if (told('action', (value) => value === data['action'])) return 'action';
  if (told('result', (value) => value === data['result'] || value === 'not_disclosed')) return 'result';
  if (told('request_id', (value) => value === metadata['$correlationId'])) return 'request_id';
  return ['timestamp', 'created_at'].find((name) => told(name, (value) => sameTime(value, metadata['time'])));
};

/**
 * Verifies a parsed proof file, or an answer that holds one in `proof`: of /api/v1/proofs, an audit entry or a transaction.
 * Of an answer it also verifies that the event is its own and says the same. Throws ProofError with what does not hold.
 */
export const verifyAnswer = (answer: unknown, keys: readonly VerifierKey[]): ProvenAnswer => {
  if (!isMembers(answer) || answer['proof'] === undefined) return verifyProof(answer, keys);
  if (answer['proof'] === null) throw new ProofError('proof is null: nothing is signed of this event yet');
  const proven = verifyProof(answer['proof'], keys);
  const { event } = proven;
  const [data, metadata] = [membersOf(event.data), membersOf(event.metadata)];
  const shares = (answer['proof_entry'] ?? null) !== null;
  const entry = shares ? entryIn(answer, data) : undefined;
  if (shares ? entry === undefined : !isNamedBy(answer, event))
    throw new ProofError(`the proof is of event ${event.id}, which is not that of ${String(answer['id'])}`);
  const wrong = contradicted(answer, data, metadata);
  if (wrong !== undefined) throw new ProofError(`${wrong} is not what event ${event.id} says`);
  return entry === undefined ? proven : { ...proven, entry };
};

export const describeProven = ({ event, index, origin, size, entry }: ProvenAnswer): readonly string[] => [
  `Proven: ${event.type} ${event.id} (${event.stream} at ${event.revision}) is leaf ${index} of ${origin},`,
  `which held ${size} events when it was signed.`,
  ...(entry === undefined ? [] : [`The entry is that with index ${entry.index} of the event's ${entry.of}.`]),
];
