import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { decrypt, encrypt } from './cipher.js';

describe('AES-256-GCM with associated data', () => {
  const key = randomBytes(32);

  it('gives back what was sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, place) => {
        expect(decrypt(key, place, encrypt(key, place, text)).toString('utf8')).toBe(
          Buffer.from(text).toString('utf8'),
        );
      }),
    );
  });

  it('does not open at another place, under another key, or changed by one bit', () => {
    const sealed = encrypt(key, 'here', 'secret');
    expect(() => decrypt(key, 'there', sealed)).toThrow();
    expect(() => decrypt(randomBytes(32), 'here', sealed)).toThrow();
    for (let index = 0; index < sealed.ciphertext.length; index += 1) {
      const ciphertext = Buffer.from(sealed.ciphertext);
      ciphertext[index] = (ciphertext[index] ?? 0) ^ 1;
      expect(() => decrypt(key, 'here', { nonce: sealed.nonce, ciphertext })).toThrow();
    }
  });

  it('refuses a shortened tag', () => {
    const { nonce, ciphertext } = encrypt(key, 'here', '');
    expect(() => decrypt(key, 'here', { nonce, ciphertext: ciphertext.subarray(0, 4) })).toThrow();
  });

  it('never uses a nonce twice', () => {
    const nonces = Array.from({ length: 5_000 }, () => encrypt(key, '', '').nonce.toString('hex'));
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});
