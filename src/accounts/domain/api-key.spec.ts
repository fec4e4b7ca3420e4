import fc from 'fast-check';
import { base62, faultOfApiKey, formatApiKey, parseApiKey } from './api-key.js';

const base62Text = (length: number) =>
  fc.bigInt({ min: 0n, max: 62n ** BigInt(length) - 1n }).map((value) => base62(value, length));
const parts = fc.record({
  environment: fc.constantFrom('sandbox', 'production'),
  keyId: base62Text(8),
  secret: base62Text(32),
});

describe('the form of an API key', () => {
  it('names the environment and ends in the CRC-32 of what stands before', () => {
    const key = formatApiKey({ environment: 'sandbox', keyId: '0aZ1bY2c', secret: 'A'.repeat(32) });
    expect(key).toMatch(/^kyc_sandbox_0aZ1bY2c_A{32}[0-9A-Za-z]{6}$/);
    expect(formatApiKey({ environment: 'production', keyId: '0aZ1bY2c', secret: 'A'.repeat(32) })).toMatch(
      /^kyc_live_/,
    );
  });

  it('is read back to its parts', () =>
    fc.assert(fc.property(parts, (key) => expect(parseApiKey(formatApiKey(key))).toEqual(key))));

  it('refuses a key with any one character changed', () =>
    fc.assert(
      fc.property(parts, fc.nat(), fc.constantFrom('0', 'a', 'Z', '_', '-'), (key, place, character) => {
        const text = formatApiKey(key);
        const at = place % text.length;
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        expect(changed === text || parseApiKey(changed) === undefined).toBe(true);
      }),
    ));

  it.each([
    ['of the other environment', (key: string) => key, 'production', /of the sandbox environment, .* the production$/],
    ['with a mistyped character', (key: string) => key.replace('A', 'B'), 'sandbox', /checksum/],
    ['that is cut', (key: string) => key.slice(0, -1), 'sandbox', /not whole/],
  ])('tells what is wrong with a key %s, and nothing of the key', (_case, spoil, environment, expectedFault) => {
    const key = formatApiKey({ environment: 'sandbox', keyId: '0aZ1bY2c', secret: 'A'.repeat(32) });
    const fault = faultOfApiKey(spoil(key), environment);
    expect(fault).toMatch(expectedFault);
    expect(fault).not.toMatch(/0aZ1bY2c|AAAA/);
  });

  it('refuses any other text', () =>
    fc.assert(fc.property(fc.string(), (text) => expect(parseApiKey(text)).toBeUndefined())));
});
