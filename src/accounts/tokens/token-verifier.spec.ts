import { jest } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { isRejection } from '../../kernel/rejection.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { RemoteKeySet } from './key-set.js';
import { TokenVerifier } from './token-verifier.js';

const pairOf = async (alg: string, kid: string, named = alg) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: named };
  return { jwk, privateKey };
};

const edwards = await pairOf('EdDSA', 'ed', 'Ed25519');
const elliptic = await pairOf('ES256', 'ec');
const rsa = await pairOf('RS256', 'rsa');
const later = await pairOf('EdDSA', 'later', 'EdDSA');

/** An identity provider whose key set a test may change, and that may be down. */
const provider = (...keys: JWK[]) => {
  const clock = new ManualClock();
  // The age of a key set goes by the wall clock.
  jest.spyOn(Date, 'now').mockImplementation(() => clock.now().getTime());
  const state = { keys, fetches: 0, down: false, faults: 0 };
  const fetchSet = () => {
    state.fetches += 1;
    return state.down ? Promise.reject(new Error('down')) : Promise.resolve({ keys: state.keys });
  };
  const set = new RemoteKeySet('https://issuer/keys', clock, () => (state.faults += 1), fetchSet);
  const trusted = { issuer: 'https://issuer', audience: 'us', keys: set.find.bind(set) };
  const sign = (
    claims: JWTPayload = {},
    key: CryptoKey = edwards.privateKey,
    alg = 'EdDSA',
    kid = 'ed',
    typ?: string,
  ) => {
    const now = Math.floor(clock.now().getTime() / 1_000);
    return new SignJWT({ iss: 'https://issuer', aud: 'us', sub: 's', exp: now + 300, ...claims })
      .setProtectedHeader({ alg, kid, ...(typ === undefined ? {} : { typ }) })
      .sign(key);
  };
  return { clock, state, sign, verifier: new TokenVerifier(trusted, clock) };
};

afterEach(() => {
  jest.restoreAllMocks();
});

const isRefused = async (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => false,
    (error: unknown) => {
      if (!isRejection(error, 'invalid_token')) throw error;
      return true;
    },
  );

describe('a token that counts', () => {
  it.each([
    ['EdDSA', 'ed', edwards],
    ['Ed25519', 'ed', edwards],
    ['ES256', 'ec', elliptic],
    ['RS256', 'rsa', rsa],
  ])('is signed by %s', async (alg, kid, { privateKey }) => {
    const { verifier, sign } = provider(edwards.jwk, elliptic.jwk, rsa.jwk);
    const token = await sign({ scope: 'a b', roles: ['admin', 7] }, privateKey, alg, kid);
    expect(await verifier.verify(token)).toMatchObject({ subject: 's', scopes: new Set(['a', 'b']), roles: ['admin'] });
  });

  it('may be 60 s past its expiry or before its beginning, and no more', async () => {
    const { verifier, sign, clock } = provider(edwards.jwk);
    const now = clock.now().getTime() / 1_000;
    expect(await isRefused(verifier.verify(await sign({ exp: now - 59 })))).toBe(false);
    expect(await isRefused(verifier.verify(await sign({ exp: now - 61 })))).toBe(true);
    expect(await isRefused(verifier.verify(await sign({ nbf: now + 59 })))).toBe(false);
    expect(await isRefused(verifier.verify(await sign({ nbf: now + 61 })))).toBe(true);
  });
});

describe('a token is refused', () => {
  it.each<[string, JWTPayload]>([
    ['without exp', { exp: undefined as never }],
    ['without sub', { sub: undefined as never }],
    ['with an empty sub', { sub: '' }],
    ['whose sub is a number', { sub: 12345 as never }],
    ['whose sub is an object', { sub: { id: 's' } as never }],
    ['whose sub is a list', { sub: ['s'] as never }],
    ['whose sub is null', { sub: null as never }],
    ['whose sub is a boolean', { sub: true as never }],
    ['whose exp is a text', { exp: '9999999999' as never }],
    ['of another issuer', { iss: 'https://other' }],
    ['for another audience', { aud: 'them' }],
  ])('%s', async (_name, claims) => {
    const { verifier, sign } = provider(edwards.jwk);
    expect(await isRefused(verifier.verify(await sign(claims)))).toBe(true);
  });

  it('that is of another kind, by its header or as an ID token', async () => {
    const { verifier, sign } = provider(edwards.jwk);
    const typed = (typ: string): Promise<string> => sign({}, edwards.privateKey, 'EdDSA', 'ed', typ);
    for (const typ of ['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt'])
      expect(await isRefused(verifier.verify(await typed(typ)))).toBe(false);
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'vc+jwt', ''])
      expect([typ, await isRefused(verifier.verify(await typed(typ)))]).toEqual([typ, true]);
    expect(await isRefused(verifier.verify(await sign({ at_hash: 'x' })))).toBe(true);
  });

  it('of an algorithm that is not on the list, unsigned, or signed by a secret', async () => {
    const { verifier, sign } = provider(edwards.jwk, rsa.jwk);
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: 'https://issuer', aud: 'us', sub: 's', exp: now + 300 };
    const secret = new TextEncoder().encode(JSON.stringify(rsa.jwk));
    const symmetric = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'rsa' }).sign(secret);
    const ps256 = await generateKeyPair('PS256');
    for (const token of [
      new UnsecuredJWT(claims).encode(),
      symmetric,
      await sign({}, ps256.privateKey, 'PS256', 'rsa'),
      'not.a.token',
      '',
      'x'.repeat(20_000),
    ]) {
      expect(await isRefused(verifier.verify(token))).toBe(true);
    }
  });

  it('with another signature', async () => {
    const { verifier, sign } = provider(edwards.jwk);
    expect(await isRefused(verifier.verify(await sign({}, later.privateKey)))).toBe(true);
  });

  it('where the deployment trusts no provider', async () => {
    const { sign, clock } = provider(edwards.jwk);
    expect(await isRefused(new TokenVerifier(undefined, clock).verify(await sign()))).toBe(true);
  });
});

describe('the provider’s key set', () => {
  it('is fetched once and kept', async () => {
    const { verifier, sign, state } = provider(edwards.jwk);
    await Promise.all([verifier.verify(await sign()), verifier.verify(await sign())]);
    await verifier.verify(await sign());
    expect(state.fetches).toBe(1);
  });

  it('is fetched once more for a key id that it lacks', async () => {
    const { verifier, sign, state, clock } = provider(edwards.jwk);
    await verifier.verify(await sign());
    state.keys = [edwards.jwk, later.jwk];
    clock.advance(10_000);
    await verifier.verify(await sign({}, later.privateKey, 'EdDSA', 'later'));
    expect(state.fetches).toBe(2);
  });

  it('is not fetched for every made-up key id', async () => {
    const { verifier, sign, state, clock } = provider(edwards.jwk);
    await verifier.verify(await sign());
    clock.advance(10_000);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await isRefused(verifier.verify(await sign({}, later.privateKey, 'EdDSA', `made-up-${attempt}`)))).toBe(
        true,
      );
    }
    expect(state.fetches).toBe(2);
  });

  it('stays in use while the provider does not answer', async () => {
    const { verifier, sign, state, clock } = provider(edwards.jwk);
    await verifier.verify(await sign());
    state.down = true;
    clock.advance(3_600_000);
    expect(await isRefused(verifier.verify(await sign()))).toBe(false);
    expect(state.faults).toBe(1);
  });

  it('is asked for at most every 10 s while the provider does not answer, and then taken anew', async () => {
    const { verifier, sign, state, clock } = provider(edwards.jwk);
    await verifier.verify(await sign());
    state.down = true;
    clock.advance(600_000);
    for (let token = 0; token < 5; token += 1) await verifier.verify(await sign());
    expect(await isRefused(verifier.verify(await sign({}, later.privateKey, 'EdDSA', 'later')))).toBe(true);
    expect(state.fetches).toBe(2);
    clock.advance(9_999);
    await verifier.verify(await sign());
    expect(state.fetches).toBe(2);
    [state.down, state.keys] = [false, [later.jwk]];
    clock.advance(1);
    expect(await isRefused(verifier.verify(await sign()))).toBe(true);
    await verifier.verify(await sign({}, later.privateKey, 'EdDSA', 'later'));
    expect(state.fetches).toBe(3);
  });

  it('is fetched before the first token, and tells a fault without rejecting', async () => {
    const faults: unknown[] = [];
    const answer = () => Promise.reject(new Error('the key set answered 404'));
    await new RemoteKeySet('https://issuer/keys', new ManualClock(), (fault) => faults.push(fault), answer).load();
    expect(faults).toEqual([new Error('the key set answered 404')]);
  });

  it.each([[{ keys: ['no key'] }], [{ keys: 'none' }], [null]])(
    'is unavailable, and the token not refused, where it is %j',
    async (answer) => {
      const { clock, sign } = provider();
      const set = new RemoteKeySet('https://issuer/keys', clock, undefined, () => Promise.resolve(answer as never));
      const trusted = { issuer: 'https://issuer', audience: 'us', keys: set.find.bind(set) };
      await expect(new TokenVerifier(trusted, clock).verify(await sign())).rejects.toThrow(Unavailable);
    },
  );

  it('is unavailable, and the token not refused, where it could never be fetched', async () => {
    const { verifier, sign, state, clock } = provider(edwards.jwk);
    state.down = true;
    await expect(verifier.verify(await sign())).rejects.toThrow(Unavailable);
    await expect(verifier.verify(await sign())).rejects.toThrow(Unavailable);
    state.down = false;
    clock.advance(10_000);
    expect(await isRefused(verifier.verify(await sign()))).toBe(false);
  });
});
