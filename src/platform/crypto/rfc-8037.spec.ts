import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { calculateJwkThumbprint, CompactSign, compactVerify } from 'jose';
import { signJwt } from './signing-keys.js';

/** The example of RFC 8037, Appendix A. */
const PUBLIC = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;
const PRIVATE = { ...PUBLIC, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' } as const;
const THUMBPRINT = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const TEXT = 'Example of Ed25519 signing';
const TOKEN =
  'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg';

const key = createPrivateKey({ key: PRIVATE, format: 'jwk' });
const publicKey = createPublicKey({ key: PUBLIC, format: 'jwk' });

describe('the example of RFC 8037', () => {
  it('has the thumbprint that names a key here', async () => {
    expect(await calculateJwkThumbprint(PUBLIC)).toBe(THUMBPRINT);
    expect(createPublicKey(key).export({ format: 'jwk' })).toEqual(PUBLIC);
  });

  it('is signed byte for byte, and verified', async () => {
    const signing = new CompactSign(Buffer.from(TEXT)).setProtectedHeader({ alg: 'EdDSA' });
    expect(await signing.sign(key)).toBe(TOKEN);
    const { payload } = await compactVerify(TOKEN, publicKey, { algorithms: ['EdDSA'] });
    expect(Buffer.from(payload).toString()).toBe(TEXT);
    await expect(compactVerify(TOKEN.replace('.hgyY', '.hgyZ'), publicKey)).rejects.toThrow('verification failed');
  });

  it('signs our tokens so that another implementation verifies them', async () => {
    const [head = '', body = '', signature = ''] = (await signJwt({ kid: THUMBPRINT, key }, { sub: 'x' })).split('.');
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      typ: 'JWT',
      kid: THUMBPRINT,
    });
    expect(verify(null, Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  });
});
