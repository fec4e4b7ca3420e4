import { createHash } from 'node:crypto';
import { type VerifierKey } from './checkpoint.js';
import { type LoggedEvent } from './leaf.js';
import { ProofError, type ProvenEvent, verifyProof } from './proof-file.js';

/** What an answer of the API says of the event that its proof proves. */
export interface ProvenAnswer extends ProvenEvent {
  /** Of an audit entry that shares its event with others: its place among the event's entries, from 0, and their number. */
  readonly entry?: { readonly index: number; readonly of: number };
  /** Members of the answer that its event does not tell, or tells sealed. Absent if there are none. */
  readonly unproven?: readonly string[];
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
  const names = [id, eventId].filter((name) => name !== undefined);
  return names.length > 0 && names.every((name) => name === event.id || name === transaction);
};

const entryIn = ({ id, proof_entry: index }: Members, data: Members): ProvenAnswer['entry'] => {
  const { entries, batchId } = data;
  const listed: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const isThere = listed.some((entry) => isMembers(entry) && entry['index'] === index);
  if (typeof index !== 'number' || !isThere || id !== entryIdOf(batchId, index)) return undefined;
  return { index, of: listed.length };
};

/** What the transaction that an event is says of it. Members that the event does not tell are left out. */
const transactionOf = ({ type }: LoggedEvent, data: Members): Members => {
  const { reference, deductionId, chargeId, operation } = data;
  const credits = (name: string): number => Number(data[name]);
  switch (type) {
    case 'CreditsPurchased.v1':
      return { type: 'purchase', amount: credits('credits'), operation: null, reference };
    case 'CreditsRecharged.v1':
      return { type: 'auto_recharge', amount: credits('credits'), operation: null, reference };
    case 'CreditsAdjusted.v1':
      return { type: 'adjustment', amount: credits('amount'), operation: null, reference };
    case 'DebtPaid.v1':
      return { type: 'reversal', amount: -credits('amount'), operation: null, reference };
    case 'CreditsReversed.v1':
      return { type: 'reversal', amount: -credits('taken'), operation: null, reference };
    case 'CreditsRestored.v1':
      return { type: 'reversal', amount: credits('credits') - credits('debtCancelled'), operation: null, reference };
    case 'CreditsReturned.v1':
      return { type: 'refund', amount: credits('amount'), operation, reference };
    case 'OperationCharged.v1':
      return {
        type: 'usage',
        amount: -credits('amount'),
        operation,
        reference: null,
        balance_after: credits('balance'),
      };
    case 'ChargeReversed.v1':
      return { type: 'refund', amount: credits('amount'), operation, reference: chargeId };
    case 'CreditsDeducted.v1':
      return { type: 'usage', amount: -credits('amount'), operation, reference: deductionId };
    case 'DeductionRefunded.v1':
      return { type: 'refund', amount: credits('amount'), operation, reference: deductionId };
    default:
      throw new ProofError(`${type} is no event of a transaction`);
  }
};

/** Members of a transaction that its id, request and time do not cover. */
const OF_TRANSACTIONS = ['type', 'amount', 'balance_after', 'operation', 'reference'];

const sameTime = (one: unknown, other: unknown): boolean => Date.parse(String(one)) === Date.parse(String(other));

/** The first member that says something else than the event. A reversed charge's result is no longer disclosed. */
const contradicted = (answer: Members, data: Members, metadata: Members): string | undefined => {
  const differs = (name: string, isRight: (value: unknown) => boolean): boolean =>
    answer[name] !== undefined && !isRight(answer[name]);
  if (differs('action', (value) => value === data['action'])) return 'action';
  if (differs('result', (value) => value === data['result'] || value === 'not_disclosed')) return 'result';
  if (differs('request_id', (value) => value === metadata['$correlationId'])) return 'request_id';
  return ['timestamp', 'created_at'].find((name) => differs(name, (value) => sameTime(value, metadata['time'])));
};

/** The first member of a transaction that says something else than its event, and those that its event does not tell. */
const comparedTransaction = (
  answer: Members,
  event: LoggedEvent,
  data: Members,
): { readonly wrong: string | undefined; readonly uncovered: readonly string[] } => {
  if (answer['ledger_revision'] !== undefined && Number(answer['ledger_revision']) !== Number(event.revision))
    return { wrong: 'ledger_revision', uncovered: [] };
  const members = OF_TRANSACTIONS.filter((name) => answer[name] !== undefined);
  if (members.length === 0) return { wrong: undefined, uncovered: [] };
  const right = transactionOf(event, data);
  const uncovered = members.filter((name) => right[name] === undefined);
  return { wrong: members.find((name) => !uncovered.includes(name) && answer[name] !== right[name]), uncovered };
};

/** Members of an audit entry. The event holds the first three sealed. */
const SEALED = ['identity_hash', 'ip_address', 'user_agent', 'actor'];

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
  const { wrong: wrongMovement, uncovered } = comparedTransaction(answer, event, data);
  const wrong = contradicted(answer, data, metadata) ?? wrongMovement;
  if (wrong !== undefined) throw new ProofError(`${wrong} is not what event ${event.id} says`);
  const isHidden = answer['result'] === 'not_disclosed' && data['result'] !== 'not_disclosed';
  const hidden = SEALED.filter((name) => answer[name] !== undefined);
  const unproven = [...(isHidden ? ['result'] : []), ...hidden, ...uncovered];
  return { ...proven, ...(entry && { entry }), ...(unproven.length > 0 && { unproven }) };
};

export const describeProven = ({
  event,
  index,
  origin,
  size,
  entry,
  unproven = [],
}: ProvenAnswer): readonly string[] => [
  `Proven: ${event.type} ${event.id} (${event.stream} at ${event.revision}) is leaf ${index} of ${origin},`,
  `which held ${size} events when it was signed.`,
  ...(entry === undefined ? [] : [`The entry is that with index ${entry.index} of the event's ${entry.of}.`]),
  ...(unproven.length === 0 ? [] : [`Not proven, since the event does not tell it: ${unproven.join(', ')}.`]),
];
