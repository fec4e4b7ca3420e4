import fc from 'fast-check';
import * as node from 'node:crypto';
import { createHash, createPublicKey, hash, verify } from './node-crypto.js';

const { privateKey, publicKey } = node.generateKeyPairSync('ed25519');
const key = createPublicKey({ key: publicKey.export({ format: 'der', type: 'spki' }) });
const bytes = fc.uint8Array({ maxLength: 300 });

it('hashes as Node does', () => {
  fc.assert(
    fc.property(bytes, fc.string(), (data, text) => {
      for (const algorithm of ['sha256', 'sha1'] as const) {
        const right = node.createHash(algorithm).update(data).update(text).digest('hex');
        expect(createHash(algorithm).update(data).update(text).digest('hex')).toBe(right);
      }
      expect(hash('sha256', data)).toEqual(node.hash('sha256', data, 'buffer'));
    }),
  );
});

it('verifies signatures as Node does, and none with any bit changed', () => {
  fc.assert(
    fc.property(bytes, fc.nat(63), fc.integer({ min: 1, max: 255 }), (data, at, change) => {
      const signature = node.sign(null, data, privateKey);
      expect(verify(null, data, key, signature)).toBe(true);
      const altered = Buffer.from(signature);
      altered.writeUInt8(altered.readUInt8(at) ^ change, at);
      expect(verify(null, data, key, altered)).toBe(node.verify(null, data, publicKey, altered));
      expect(verify(null, Buffer.from([...data, 1]), key, signature)).toBe(false);
      expect(verify(null, data, key, signature.subarray(1))).toBe(false);
    }),
    { numRuns: 40 },
  );
});
