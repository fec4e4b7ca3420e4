import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { type SigningKeys, signJwt } from '../../src/platform/crypto/signing-keys.js';
import {
  type Issued,
  issue,
  issuerTokenFor,
  type IssuingTenant,
  signingKeysOf,
  verify,
} from '../support/credentials.js';
import { type Http, type Json } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { balanceOf, ingestAll } from '../support/load/tenants.js';

let deployment: SharedDeployment;
let http: Http;
let tenant: IssuingTenant;
let good: Issued;
let keys: SigningKeys;
let close: () => Promise<void>;
let ours: { readonly kid: string; readonly key: KeyObject };

const stranger = generateKeyPairSync('ed25519');
const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'spki' }) as string;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  ({ http } = deployment);
  const account = await deployment.operator.tenant({ credits: 10_000 });
  tenant = { ...account, bearer: await issuerTokenFor(http, account) };
  await ingestAll(http, tenant, [person(71_001)]);
  good = await issue(http, tenant, person(71_001));
  ({ keys, close } = signingKeysOf(deployment));
  ours = await keys.signer('credential');
}, 90_000);

afterAll(async () => {
  await close();
  await deployment.leave();
}, 60_000);

const encode = (part: string | object): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** These bytes with a true Ed25519 signature. */
const signed = (header: string | object, payload: string | object, key = ours.key): string => {
  const message = `${encode(header)}.${encode(payload)}`;
  return `${message}.${sign(null, Buffer.from(message), key).toString('base64url')}`;
};

const header = (): Json => ({ ...decodeProtectedHeader(good.token) });
const claims = (): Json => ({ ...decodeJwt(good.token) });
const parts = (): [string, string, string] => good.token.split('.') as [string, string, string];

const expectFault = async (code: string, token: string, publicKey = good.publicKey): Promise<void> => {
  const answer = await verify(http, tenant, token, publicKey);
  expect(answer).toEqual({ valid: false, code, error: expect.any(String), checks: expect.any(Object) });
};

const signedByUs = (changes: Json): Promise<string> =>
  signJwt({ ...ours, kid: String(header()['kid']) }, { ...claims(), ...changes });

it('accepts the credential itself, and what the service would sign alike', async () => {
  expect(await verify(http, tenant, good.token, good.publicKey)).toMatchObject({ valid: true });
  expect(await signedByUs({})).toBe(good.token);
});

describe('another key', () => {
  it('UNTRUSTED_KEY: a token signed by the caller’s own key, with that key', async () => {
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: 'mine' })
      .sign(stranger.privateKey);
    await expectFault('UNTRUSTED_KEY', token, pemOf(stranger.publicKey));
    await expectFault('UNTRUSTED_KEY', token);
  });

  it('UNTRUSTED_KEY: the caller’s own key under our kid, and the true token with another key', async () => {
    await expectFault('UNTRUSTED_KEY', signed(header(), claims(), stranger.privateKey), pemOf(stranger.publicKey));
    await expectFault('UNTRUSTED_KEY', good.token, pemOf(stranger.publicKey));
  });

  it('BAD_SIGNATURE: the caller’s own signature under our kid, with our key', () =>
    expectFault('BAD_SIGNATURE', signed(header(), claims(), stranger.privateKey)));

  it('UNTRUSTED_KEY: points of low order, with a signature that anything passes under', async () => {
    const spki = Buffer.from('302a300506032b6570032100', 'hex');
    const points = [
      `01${'00'.repeat(31)}`,
      '00'.repeat(32),
      `ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f`,
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    ];
    for (const point of points) {
      const der = Buffer.concat([spki, Buffer.from(point, 'hex')]).toString('base64');
      const pem = `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`;
      const forged = Buffer.concat([Buffer.from(point, 'hex'), Buffer.alloc(32)]).toString('base64url');
      await expectFault('UNTRUSTED_KEY', `${encode(header())}.${encode(claims())}.${forged}`, pem);
      await expectFault('BAD_SIGNATURE', `${encode(header())}.${encode(claims())}.${forged}`);
    }
  });

  it('UNTRUSTED_KEY: our own key of another purpose, an erasure certificate included', async () => {
    const certificate = await keys.sign('erasure_certificate', claims());
    const { keys: set } = await keys.published();
    const used = set.find(({ kid }) => kid === decodeProtectedHeader(certificate).kid);
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(used?.x ?? '', 'base64url'),
    ]).toString('base64');
    const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`;
    await expectFault('UNTRUSTED_KEY', certificate, pem);
    await expectFault('UNTRUSTED_KEY', certificate);
  });
});

describe('another algorithm', () => {
  it('BAD_SIGNATURE: none, with and without a signature', async () => {
    const [, body, signature] = parts();
    const none = encode({ ...header(), alg: 'none' });
    await expectFault('BAD_SIGNATURE', `${none}.${body}.`);
    await expectFault('BAD_SIGNATURE', `${none}.${body}.${signature}`);
  });

  it('BAD_SIGNATURE: HS256 with the public key as the secret', async () => {
    const { x } = ours.key.export({ format: 'jwk' });
    for (const secret of [good.publicKey, Buffer.from(x ?? '', 'base64url')]) {
      const message = `${encode({ ...header(), alg: 'HS256' })}.${encode(claims())}`;
      const mac = createHmac('sha256', secret).update(message).digest('base64url');
      await expectFault('BAD_SIGNATURE', `${message}.${mac}`);
    }
  });

  it('BAD_SIGNATURE: ES256 and RS256 under our kid', async () => {
    for (const alg of ['ES256', 'RS256', 'EdDSA ', 'eddsa']) {
      await expectFault('BAD_SIGNATURE', signed({ ...header(), alg }, claims()));
    }
  });
});

describe('another content', () => {
  it('BAD_SIGNATURE: a changed claim, and a changed or cut signature', async () => {
    const [head, body, signature] = parts();
    const subject = { ...(claims()['vc'] as Json), credentialSubject: { tier: 'Tier3' } };
    await expectFault('BAD_SIGNATURE', `${head}.${encode({ ...claims(), vc: subject })}.${signature}`);
    await expectFault('BAD_SIGNATURE', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`);
    await expectFault(
      'BAD_SIGNATURE',
      `${head}.${body}.${Buffer.from(signature, 'base64url').subarray(1).toString('base64url')}`,
    );
    await expectFault('BAD_SIGNATURE', `${head}.${body}.`);
  });

  it('MALFORMED_TOKEN: what is no token, cut or too long', async () => {
    const [head, body, signature] = parts();
    const cut = [good.token.slice(0, head.length + 20), `${head}.${body}`, head, 'nonsense', '..', `${good.token}.x`];
    const long = [`${head}.${encode('x'.repeat(8_000))}.${signature}`, 'x'.repeat(14_000)];
    const odd = [
      ` ${good.token}`,
      `${good.token}\n`,
      `${head}=.${body}.${signature}`,
      `${head}.${body}.${signature}==`,
    ];
    for (const token of [...cut, ...long, ...odd]) await expectFault('MALFORMED_TOKEN', token);
  });

  it('MALFORMED_TOKEN: the same signature in another spelling, whose unused bits are set', async () => {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const [head, body, signature] = parts();
    // 64 bytes leave four bits of the last digit unused (RFC 4648 section 3.5).
    const respelt = `${signature.slice(0, -1)}${digits[digits.indexOf(signature.slice(-1)) + 1]}`;
    expect(Buffer.from(respelt, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
    await expectFault('MALFORMED_TOKEN', `${head}.${body}.${respelt}`);
  });

  it('MALFORMED_TOKEN: another typ, crit, or a key of its own in the header', async () => {
    const jwk = stranger.publicKey.export({ format: 'jwk' });
    const changes = [
      { typ: 'vc+jwt' },
      { typ: 'jwt' },
      { typ: undefined },
      { crit: ['exp'] },
      { crit: ['b64'], b64: false },
      { jwk },
      { jku: 'https://example.org/keys' },
      { x5c: ['MII='] },
      { kid: undefined },
      { kid: 7 },
    ];
    for (const change of changes) await expectFault('MALFORMED_TOKEN', signed({ ...header(), ...change }, claims()));
  });

  it('MALFORMED_TOKEN: a repeated member, though our key signed it, and text that is no JSON', async () => {
    const text = JSON.stringify(claims());
    const twice = text.replace(/^\{/, '{"sub":"did:kyc:user:somebody",');
    const headTwice = JSON.stringify(header()).replace(/^\{/, '{"alg":"none",');
    await expectFault('MALFORMED_TOKEN', signed(header(), twice));
    await expectFault('MALFORMED_TOKEN', signed(headTwice, claims()));
    for (const payload of ['[]', '"text"', 'null', '{}', '{', text.slice(0, -1)]) {
      await expectFault('MALFORMED_TOKEN', signed(header(), payload));
    }
  });

  it('MALFORMED_TOKEN: claims of a wrong type, though our key signed them', async () => {
    for (const change of [{ exp: 'never' }, { nbf: 1.5 }, { jti: 7 }, { iss: undefined }, { vc: 'text' }]) {
      await expectFault('MALFORMED_TOKEN', await signedByUs(change));
    }
  });
});

describe('what our key signed but the service did not issue', () => {
  it('UNKNOWN_ISSUER: for another issuer, such as this one in another environment', async () => {
    await expectFault('UNKNOWN_ISSUER', await signedByUs({ iss: 'did:web:sandbox.example.org' }));
  });

  it('UNKNOWN_CREDENTIAL: a jti that was never issued', async () => {
    for (const jti of [`urn:uuid:${randomUUID()}`, good.jti.toUpperCase(), good.jti.slice(9), 'urn:uuid:x', '']) {
      await expectFault('UNKNOWN_CREDENTIAL', await signedByUs({ jti }));
    }
  });

  it('NOT_YET_VALID and EXPIRED', async () => {
    const now = Math.floor(Date.now() / 1_000);
    await expectFault('NOT_YET_VALID', await signedByUs({ nbf: now + 3_600 }));
    await expectFault('EXPIRED', await signedByUs({ exp: now - 1 }));
  });

  it('SUSPENDED and REVOKED', async () => {
    const issued = await issue(http, tenant, person(71_001));
    const path = `/api/v1/credentials/${issued.jti}`;
    await http.expect(200, { path: `${path}/suspend`, apiKey: tenant.apiKey, body: {} });
    await expectFault('SUSPENDED', issued.token);
    await http.expect(200, { path: `${path}/revoke`, apiKey: tenant.apiKey, body: { reason: 'Lost' } });
    await expectFault('REVOKED', issued.token);
  });
});

describe('a key that is none', () => {
  it('is refused as a field, and nothing is charged', async () => {
    const before = await balanceOf(http, tenant);
    const { privateKey } = stranger;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const pkcs8 = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })).export({
      format: 'pem',
      type: 'pkcs8',
    }) as string;
    const x25519 = pemOf(generateKeyPairSync('x25519').publicKey);
    const spoilt = [
      pkcs8,
      pemOf(rsa),
      x25519,
      'PEM',
      good.publicKey.slice(0, 60),
      `${good.publicKey}${good.publicKey}`,
      7,
      {},
      { kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) },
      { kty: 'OKP', crv: 'Ed25519', x: 'AA' },
      { kty: 'OKP', crv: 'Ed25519', x: `${'A'.repeat(43)}=` },
    ];
    for (const public_key_pem of spoilt) {
      const answer = await http.send({
        path: '/api/v1/verify',
        apiKey: tenant.apiKey,
        body: { token: good.token, public_key_pem },
      });
      expect([public_key_pem, answer.status, answer.code]).toEqual([public_key_pem, 422, 'INVALID_FIELD']);
      expect(answer.json['errors']).toEqual([expect.objectContaining({ field: 'public_key_pem' })]);
    }
    expect(await balanceOf(http, tenant)).toBe(before);
    const { keys } = (await http.expect(200, { path: '/.well-known/jwks.json' })).json as { keys: { kid: string }[] };
    const verdicts = await Promise.all(
      keys.map(async (public_key_pem) => {
        const body = { token: good.token, public_key_pem };
        return (await http.expect(200, { path: '/api/v1/verify', apiKey: tenant.apiKey, body })).json['valid'];
      }),
    );
    expect(verdicts).toContain(true);
  });
});
