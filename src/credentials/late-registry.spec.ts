import { generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import { type RegisteredCredential } from '../../projections/credentials/credentials.queries.js';
import { ManualClock } from '../../test/support/manual-clock.js';
import { newUuid } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { CredentialVerifier } from './credential-verifier.js';
import { LateRegistry } from './late-registry.js';
import { jtiOf } from './domain/credential-claims.js';

const ISSUER = 'did:web:issuer.example';
const KID = 'k1';
const credentialId = newUuid();
const clock = new ManualClock();
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const jwk = publicKey.export({ format: 'jwk' });

const token = (): Promise<string> => {
  const seconds = Math.floor(clock.now().getTime() / 1_000);
  const claims = {
    iss: ISSUER,
    sub: 'did:kyc:user:1',
    nbf: seconds,
    exp: seconds + 60,
    jti: jtiOf(credentialId),
    vc: {},
  };
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: `${ISSUER}#${KID}` })
    .sign(privateKey);
};

/** `finds`: what the registry has at each look. `reaches`: whether it comes as far as the log meanwhile. */
const verify = async (finds: readonly (RegisteredCredential | undefined)[], reaches: boolean) => {
  let looks = 0;
  const registry = {
    find: () => Promise.resolve(finds[(looks += 1) - 1]),
    reaches: () => Promise.resolve(reaches),
  } as never;
  const verifier = new CredentialVerifier(
    { find: () => Promise.resolve({ kid: KID, jwk, key: publicKey, pem: '', compromised: false }) } as never,
    { present: () => Promise.resolve({ issuer: ISSUER }) } as never,
    registry,
    new LateRegistry(registry, { head: () => Promise.resolve(7n) } as never),
    clock,
  );
  return verifier.verify(await token(), jwk.x ?? '');
};

const registered: RegisteredCredential = { credentialId, status: 'issued', identityHash: 'ab' };

describe('a credential of which the registry does not know', () => {
  it('is looked for again once the registry has come as far as the log', async () =>
    expect(await verify([undefined, registered], true)).toMatchObject({ valid: true }));

  it('was not issued where the registry then still does not know it', async () =>
    expect(await verify([undefined, undefined], true)).toMatchObject({ valid: false, fault: 'UNKNOWN_CREDENTIAL' }));

  it('is not judged where the registry is too far behind', async () =>
    expect(await verify([undefined], false).catch((error: unknown) => error)).toBeInstanceOf(Unavailable));
});
