import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { ManualClock } from '../../../test/support/manual-clock.js';
import { keyFinderOf } from './key-set.js';
import { TokenVerifier } from './token-verifier.js';

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const keys = keyFinderOf({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }] });

const scopesOf = async (claims: JWTPayload): Promise<string[]> => {
  const clock = new ManualClock();
  const exp = Math.floor(clock.now().getTime() / 1_000) + 300;
  const token = await new SignJWT({ iss: 'issuer', aud: 'audience', sub: 's', exp, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .sign(privateKey);
  const { scopes } = await new TokenVerifier({ issuer: 'issuer', audience: 'audience', keys }, clock).verify(token);
  return [...scopes].sort();
};

describe('the scopes of a token', () => {
  it.each<[string, JWTPayload]>([
    ['Keycloak', { scope: 'a b' }],
    ['Entra', { scp: 'a b' }],
    ['Okta', { scp: ['a', 'b'] }],
    ['others', { scope: ['a', 'b'] }],
    ['those that part them by more than a blank', { scope: ' a  b ' }],
    ['those that leave the other claim empty', { scope: '', scp: ['a', 'b'] }],
    ['those that leave the other claim null', { scope: null, scp: 'a b' }],
  ])('are read as %s send them', async (_, claims) => expect(await scopesOf(claims)).toEqual(['a', 'b']));

  it.each<[JWTPayload]>([
    [{}],
    [{ scope: 7 }],
    [{ scope: { a: true } }],
    [{ scp: [7, null, { a: 'a' }, ['a']] }],
    [{ scope: true, scp: false }],
    [{ SCOPE: 'a', scopes: 'a b' }],
  ])('are none in %j', async (claims) => expect(await scopesOf(claims)).toEqual([]));
});
