import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import {
  CheckpointError,
  formatVerifierKey,
  openCheckpoint,
  parseVerifierKey,
  signCheckpoint,
  verifierKeyOf,
} from './checkpoint.js';
import { hashLeaf } from './merkle-tree.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const origin = 'kyc.example.org/log/1';
const key = verifierKeyOf(origin, publicKey);
const checkpoint = { origin, size: 20, root: hashLeaf(Buffer.of(7)) };
const note = signCheckpoint(checkpoint, privateKey);

describe('a checkpoint', () => {
  it('is a signed note of three lines that its key opens', () => {
    expect(note.split('\n').slice(0, 4)).toEqual([origin, '20', checkpoint.root.toString('base64'), '']);
    expect(openCheckpoint(note, [parseVerifierKey(formatVerifierKey(key))])).toEqual(checkpoint);
  });

  it('names keys as published ones are named', () => {
    const published = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(formatVerifierKey(parseVerifierKey(published))).toBe(published);
    expect(() => parseVerifierKey(published.replace('c7', 'c8'))).toThrow(
      'the id of the key PeterNeumann is not its own',
    );
  });

  it('passes over the signatures of witnesses', () => {
    const witness =
      signCheckpoint({ ...checkpoint, origin: 'witness.example' }, privateKey)
        .split('\n')
        .at(-2) ?? '';
    expect(openCheckpoint(`${note}${witness}\n`, [key])).toEqual(checkpoint);
  });

  it('opens by no other key, nor by one of another name', () => {
    const other = generateKeyPairSync('ed25519').publicKey;
    expect(() => openCheckpoint(note, [verifierKeyOf(origin, other)])).toThrow(`no known key of ${origin} signed`);
    expect(() => openCheckpoint(note, [verifierKeyOf('elsewhere/log/1', publicKey)])).toThrow(CheckpointError);
  });

  it('opens as nothing else with any byte changed', () => {
    const bytes = Buffer.from(note);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const altered = Buffer.from(bytes);
        altered.writeUInt8(altered.readUInt8(at) ^ change, at);
        expect(() => openCheckpoint(altered.toString('utf8'), [key])).toThrow(CheckpointError);
      }),
      { numRuns: 500 },
    );
  });
});
