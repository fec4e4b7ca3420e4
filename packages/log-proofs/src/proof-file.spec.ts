import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { signCheckpoint, verifierKeyOf } from './checkpoint.js';
import { leafOfEvent, type LoggedEvent } from './leaf.js';
import { hashChildren, hashLeaf } from './merkle-tree.js';
import { ProofError, verifyProof, writeProof } from './proof-file.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const origin = 'kyc.example.org/log/1';
const keys = [verifierKeyOf(origin, publicKey)];
const event: LoggedEvent = {
  stream: 'credits-t01',
  revision: 4n,
  id: '9f1c2e34-0000-4000-8000-000000000001',
  type: 'CreditsPurchased.v1',
  data: Buffer.from('{"amount":100}'),
  metadata: Buffer.from('{"actor":"x"}'),
};
const salt = Buffer.alloc(32, 9);
const sibling = hashLeaf(Buffer.from('another event'));
const root = hashChildren(sibling, leafOfEvent(event, salt));
const checkpoint = signCheckpoint({ origin, size: 2, root }, privateKey);
const file = writeProof({ event, salt, index: 1, proof: [sibling], checkpoint });

describe('a proof file', () => {
  it('is proven by the keys of its log alone', () => {
    expect(verifyProof(JSON.parse(JSON.stringify(file)), keys)).toMatchObject({ index: 1, origin, size: 2 });
  });

  it.each([
    ['format', { ...file, format: 'other' }],
    ['event', { ...file, event: [] }],
    ['revision', { ...file, event: { ...file.event, revision: '-1' } }],
    ['data', { ...file, event: { ...file.event, data: '*' } }],
    ['salt', { ...file, salt: 7 }],
    ['leaf_index', { ...file, leaf_index: 1.5 }],
    ['hashes', { ...file, hashes: ['short'] }],
    ['checkpoint', { ...file, checkpoint: null }],
    ['a checkpoint', { ...file, checkpoint: '' }],
  ])('names a malformed %s', (name, malformed) => {
    expect(() => verifyProof(malformed, keys)).toThrow(new RegExp(`^${name} `));
  });

  it('says that nothing is proven of an event that differs in any field', () => {
    const others: Partial<typeof file.event>[] = [
      { stream: 'credits-t02' },
      { revision: '5' },
      { id: '9f1c2e34-0000-4000-8000-000000000002' },
      { type: 'CreditsPurchased.v2' },
      { data: Buffer.from('{"amount":900}').toString('base64') },
      { metadata: Buffer.from('{"actor":"y"}').toString('base64') },
    ];
    for (const other of others)
      expect(() => verifyProof({ ...file, event: { ...file.event, ...other } }, keys)).toThrow('is not leaf 1');
  });

  it('proves nothing with any byte of its text changed', () => {
    const bytes = Buffer.from(JSON.stringify(file));
    const opened = (text: string): unknown => {
      try {
        return verifyProof(JSON.parse(text), keys);
      } catch (error) {
        if (error instanceof ProofError || error instanceof SyntaxError) return undefined;
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const altered = Buffer.from(bytes);
        altered.writeUInt8(altered.readUInt8(at) ^ change, at);
        expect(opened(altered.toString('utf8'))).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });
});
