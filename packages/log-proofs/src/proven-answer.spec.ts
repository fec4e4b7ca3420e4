import { generateKeyPairSync } from 'node:crypto';
import { signCheckpoint, verifierKeyOf } from './checkpoint.js';
import { leafOfEvent, type LoggedEvent } from './leaf.js';
import { type ProofFile, writeProof } from './proof-file.js';
import { describeProven, verifyAnswer } from './proven-answer.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const origin = 'kyc.example.org/log/1';
const keys = [verifierKeyOf(origin, publicKey)];
const salt = Buffer.alloc(32, 9);
const time = '2026-11-01T10:00:00.000Z';

const metadata = Buffer.from(JSON.stringify({ $correlationId: 'r1', time }));

const proofOf = (data: object, of: Partial<LoggedEvent> = {}): ProofFile => {
  const id = '9f1c2e34-0000-4000-8000-000000000001';
  const place = { stream: 'audit-t01', revision: 4n, id, type: 'AccessesRecorded.v1' };
  const event: LoggedEvent = { ...place, data: Buffer.from(JSON.stringify(data)), metadata, ...of };
  const checkpoint = signCheckpoint({ origin, size: 1, root: leafOfEvent(event, salt) }, privateKey);
  return writeProof({ event, salt, index: 0, proof: [], checkpoint });
};

const batch = {
  action: 'data_ingested',
  result: 'ok',
  batchId: '0b0d5a9e-7b54-4f0a-9a44-6f3a2f6ad111',
  entries: [{ index: 6 }, { index: 7 }],
};
const entry = {
  // uuid.v5('0b0d5a9e-7b54-4f0a-9a44-6f3a2f6ad111/7', '3c0a6c7e-55cd-4d11-8a10-0d1f3a7f4b52')
  id: 'ee7a0278-a6bc-5a74-a04b-aeaa313237ea',
  timestamp: '2026-11-01T11:00:00.000+01:00',
  action: 'data_ingested',
  result: 'ok',
  request_id: 'r1',
  proof: proofOf(batch),
  proof_entry: 7,
};

describe('an answer with a proof', () => {
  it('of an entry that shares its event is proven to be the one of this index', () => {
    const proven = verifyAnswer(JSON.parse(JSON.stringify(entry)), keys);
    expect(proven.entry).toEqual({ index: 7, of: 2 });
    expect(describeProven(proven).at(-1)).toBe("The entry is that with index 7 of the event's 2.");
  });

  it.each([
    ['another id', { id: '9f1c2e34-0000-5000-8000-000000000002' }, 'is not that of'],
    ['another index', { proof_entry: 6 }, 'is not that of'],
    ['an index that the event does not have', { proof_entry: 8 }, 'is not that of'],
    ['no index', { proof_entry: null }, 'is not that of'],
    ['another action', { action: 'identity_read' }, 'action is not'],
    ['another result', { result: 'found' }, 'result is not'],
    ['another request', { request_id: 'r2' }, 'request_id is not'],
    ['another time', { timestamp: '2026-11-01T10:00:00.001Z' }, 'timestamp is not'],
    ['no proof', { proof: null }, 'proof is null'],
  ])('is refused with %s', (_what, other, complaint) => {
    expect(() => verifyAnswer({ ...entry, ...other }, keys)).toThrow(complaint);
  });

  it('of an event of its own is proven by the id, also after the outcome was withdrawn', () => {
    const proof = proofOf({ action: 'eligibility_check', result: 'found' }, { type: 'OperationCharged.v1' });
    const { id } = proof.event;
    const check = { id, action: 'eligibility_check', proof, proof_entry: null };
    expect(verifyAnswer({ ...check, result: 'not_disclosed' }, keys)).toMatchObject({ index: 0, event: { id } });
    expect(() => verifyAnswer({ ...check, result: 'not_found' }, keys)).toThrow('result is not');
    expect(verifyAnswer({ event_id: id, proof }, keys).entry).toBeUndefined();
    expect(() => verifyAnswer({ event_id: `${id.slice(0, -1)}2`, proof }, keys)).toThrow('is not that of');
  });

  it('of a transaction is proven by its revision and its event', () => {
    const proof = proofOf({ credits: 5 }, { stream: 'credits-t01', type: 'CreditsPurchased.v1' });
    const transaction = { id: 'txn_4_9f1c2e3400004000', request_id: 'r1', created_at: time, proof };
    expect(verifyAnswer(transaction, keys)).toMatchObject({ event: { revision: 4n } });
    expect(verifyAnswer({ ...transaction, event_id: proof.event.id }, keys).size).toBe(1);
    for (const id of ['txn_5_9f1c2e3400004000', 'txn_4_9f1c2e3400004001'])
      expect(() => verifyAnswer({ ...transaction, id }, keys)).toThrow('is not that of');
  });

  it('of a transaction is refused with another amount, type, balance, operation or reference', () => {
    const data = { amount: 5, balance: 95, operation: 'assess_risk', action: 'risk_assessment', result: 'low' };
    const proof = proofOf(data, { stream: 'credits-t01', type: 'OperationCharged.v1' });
    const members = { type: 'usage', amount: -5, balance_after: 95, operation: 'assess_risk', reference: null };
    const charge = { id: 'txn_4_9f1c2e3400004000', ledger_revision: 4, ...members, created_at: time, proof };
    expect(describeProven(verifyAnswer(charge, keys)).length).toBe(2);
    const others = { type: 'refund', amount: -50, balance_after: 96, operation: 'sanctions_check', reference: 'r' };
    for (const [name, value] of Object.entries({ ...others, ledger_revision: 5 }))
      expect(() => verifyAnswer({ ...charge, [name]: value }, keys)).toThrow(`${name} is not`);
  });

  it('says what its event does not tell', () => {
    const refund = proofOf({ deductionId: 'd1', amount: 10 }, { stream: 'credits-t01', type: 'DeductionRefunded.v1' });
    const transactionMembers = { type: 'refund', amount: 10, balance_after: 12, operation: 'report', reference: 'd1' };
    const answer = { id: 'txn_4_9f1c2e3400004000', ...transactionMembers, proof: refund };
    expect(verifyAnswer(answer, keys).unproven).toEqual(['balance_after', 'operation']);
    const hidden = { ...entry, identity_hash: 'h', ip_address: '192.0.2.1' };
    expect(describeProven(verifyAnswer(hidden, keys)).at(-1)).toContain('identity_hash, ip_address.');
  });

  it('is also a proof file by itself', () => {
    expect(verifyAnswer(entry.proof, keys)).toMatchObject({ index: 0, origin, size: 1 });
  });
});
