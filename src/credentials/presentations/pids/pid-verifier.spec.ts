import { type HeldCredential } from '@kyc/tools/wallet/wallet-client';
import { hash, randomUUID } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { type CompactJWSHeaderParameters, decodeJwt, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { pidAnchorsFile } from '../../../../test/support/certificate.js';
import { ManualClock } from '../../../../test/support/manual-clock.js';
import { certified, MARIA, PidIssuer } from '../../../../test/support/pid-issuer.js';
import { Unavailable } from '../../../kernel/unavailable.js';
import { type OutboundHttp, type OutboundResult } from '../../../platform/outbound/outbound-http.js';
import { type KeyedHashes } from '../../../platform/crypto/vault.js';
import { IssuerStatuses } from './issuer-statuses.js';
import { PidVerifier } from './pid-verifier.js';
import { TrustedIssuers } from './trusted-issuers.js';

const AUDIENCE = 'redirect_uri:https://kyc.example/answers';

let issuer: PidIssuer;

beforeAll(async () => {
  issuer = await PidIssuer.start();
});

afterAll(() => issuer.stop());

type Answer =
  Partial<Extract<OutboundResult, { kind: 'answered' }>> | { readonly kind: 'failed'; readonly reason: string };

/** `list`: what the address of the list answers. */
const verifier = (list: () => Promise<Answer> = async () => ({ excerpt: await issuer.list() })) => {
  const clock = new ManualClock(Date.now());
  const reads = { count: 0 };
  const http = {
    read: async () => {
      reads.count += 1;
      return { kind: 'answered', status: 200, ...(await list()) };
    },
  } as unknown as OutboundHttp;
  const issuers = TrustedIssuers.of(pidAnchorsFile());
  const hashes = { identityHash: (email: string, phone: string) => `${email} ${phone}` } as KeyedHashes;
  const pids = new PidVerifier(issuers, new IssuerStatuses(http, issuers, clock), hashes, clock);
  const verify = (presentation: string, nonce: string, claims: readonly string[] = []) =>
    pids.verifyAnswer(presentation, { nonce, audience: AUDIENCE, claims });
  return { clock, reads, verify };
};

/** With exactly these disclosures, in this order, and the proof of the key over them. */
const presented = async (
  { credential, key }: HeldCredential,
  disclosures: readonly string[],
  nonce: string,
  at = new Date(),
  digest = 'sha256',
) => {
  const bound = [credential.split('~')[0], ...disclosures, ''].join('~');
  const binding = await new SignJWT({ nonce, sd_hash: hash(digest, bound, 'base64url') })
    .setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt' })
    .setAudience(AUDIENCE)
    .setIssuedAt(at)
    .sign(await importJWK(key ?? {}, 'ES256'));
  return `${bound}${binding}`;
};

const disclosuresOf = ({ credential }: HeldCredential): string[] => credential.split('~').slice(1, -1);

const disclosing = (held: HeldCredential, name: string): string[] =>
  disclosuresOf(held).filter((text) => Buffer.from(text, 'base64url').toString().includes(`"${name}"`));

describe('the disclosures of a PID', () => {
  it.each<[string, (mine: string[], others: string[]) => string[], string]>([
    ['none', () => [], 'valid'],
    ['all, in another order', (mine) => mine.toReversed(), 'valid'],
    ['one twice', (mine) => [...mine, ...mine.slice(0, 1)], 'BAD_DISCLOSURE'],
    ["another's", (mine, others) => [...mine, ...others.slice(0, 1)], 'BAD_DISCLOSURE'],
    ['an empty one', (mine) => [...mine, ''], 'BAD_DISCLOSURE'],
    ['one that is no JSON', (mine) => [...mine, 'AAAA'], 'BAD_DISCLOSURE'],
    ['more than two hundred', (mine) => [...mine, ...Array<string>(200).fill('AAAA')], 'BAD_DISCLOSURE'],
    ['one with another value', ([first = '', ...mine]) => [altered(first), ...mine], 'BAD_DISCLOSURE'],
  ])('%s', async (_, chosen, verdict) => {
    const [held, other] = [await issuer.issue(), await issuer.issue()];
    const nonce = randomUUID();
    const presentation = await presented(held, chosen(disclosuresOf(held), disclosuresOf(other)), nonce);
    const found = await verifier().verify(presentation, nonce);
    expect(found.valid ? 'valid' : found.fault).toBe(verdict);
  });

  it('give what was asked alone, within others too', async () => {
    const held = await issuer.issue();
    const nonce = randomUUID();
    const { verify } = verifier();
    const shown = [...disclosing(held, '18'), ...disclosing(held, 'birthdate')];
    const found = await verify(await presented(held, shown, nonce), nonce, ['age_over_18']);
    expect(found).toMatchObject({ valid: true, payload: { age_over_18: true } });
    expect(found).not.toHaveProperty('payload.birthdate');
    const missing = await verify(await presented(held, shown, nonce), nonce, ['age_over_18', 'family_name']);
    expect(missing).toMatchObject({ valid: false, fault: 'MISSING_CLAIM' });
  });

  it('under an algorithm that is none of ours are none', async () => {
    const usual = await issuer.issue();
    const [jwt = '', ...disclosures] = usual.credential.split('~');
    const header = decodeProtectedHeader(jwt) as CompactJWSHeaderParameters;
    const odd = await issuer.sign(header, { ...decodeJwt(jwt), _sd_alg: 'md5' });
    const held = { ...usual, credential: [odd, ...disclosures].join('~') };
    const nonce = randomUUID();
    const presentation = await presented(held, disclosing(held, 'birthdate'), nonce);
    expect(await verifier().verify(presentation, nonce)).toMatchObject({ fault: 'BAD_DISCLOSURE' });
  });
});

const altered = (text: string): string => {
  const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
  return Buffer.from(JSON.stringify([...parts.slice(0, -1), 'Other'])).toString('base64url');
};

describe('a token that is none', () => {
  it.each([
    ['', 'MALFORMED_TOKEN'],
    ['~', 'MALFORMED_TOKEN'],
    ['a.b.c~', 'MALFORMED_TOKEN'],
  ])('%#', async (token, fault) => {
    expect(await verifier().verify(token, 'n')).toMatchObject({ valid: false, fault });
  });
});

describe('a PID', () => {
  const now = Math.floor(Date.now() / 1_000);

  it.each<[object, string]>([
    [{ vct: 'urn:kyc:attestation:1' }, 'WRONG_TYPE'],
    [{ vct: 5 }, 'WRONG_TYPE'],
    [{ vct: 'urn:eudi:pid:de:1' }, 'valid'],
    [{ nbf: now + 3_600 }, 'NOT_YET_VALID'],
    [{ nbf: now + 30 }, 'valid'],
    [{ exp: now - 1 }, 'EXPIRED'],
    [{ exp: undefined }, 'valid'],
    [{ exp: undefined, status: undefined }, 'EXPIRED'],
    [{ status: undefined }, 'valid'],
    [{ status: null }, 'REVOKED'],
    [{ status: { status_list: { uri: 'https://pid.example/1', idx: -1 } } }, 'REVOKED'],
    [{ status: { status_list: { uri: 5, idx: 1 } } }, 'REVOKED'],
    [{ cnf: null }, 'BAD_KEY_BINDING'],
    [{ cnf: { jwk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } } }, 'BAD_KEY_BINDING'],
    [{ filling: 'x'.repeat(40_000) }, 'MALFORMED_TOKEN'],
  ])('that says %j is judged so: %s', async (signed, verdict) => {
    const held = await issuer.issue({ signed: signed as Record<string, unknown> });
    const nonce = randomUUID();
    const found = await verifier().verify(await presented(held, [], nonce), nonce);
    expect(found.valid ? 'valid' : found.fault).toBe(verdict);
  });

  it('that has ended says so first, whatever else is wrong', async () => {
    const held = await issuer.issue({ signed: { exp: 1 } });
    expect(await verifier().verify(`${held.credential}`, 'n', ['email'])).toMatchObject({ fault: 'EXPIRED' });
  });

  it('does not show a claim by its frame alone', async () => {
    const claims = { ...MARIA, nationalities: [], address: {}, place_of_birth: { country: {} } };
    const held = await issuer.issue({ claims });
    const { verify } = verifier();
    for (const claim of ['nationalities', 'address', 'place_of_birth']) {
      const nonce = randomUUID();
      const found = await verify(await presented(held, disclosing(held, claim), nonce), nonce, [claim]);
      expect(found).toMatchObject({ valid: false, fault: 'MISSING_CLAIM' });
    }
  });

  it('names the person where it shows e-mail and phone number', async () => {
    const claims = { ...MARIA, email: 'Maria@Example.org', phone_number: '+4930123456789' };
    const held = await issuer.issue({ claims });
    const nonce = randomUUID();
    const shown = [...disclosing(held, 'email'), ...disclosing(held, 'phone_number')];
    const found = await verifier().verify(await presented(held, shown, nonce), nonce, ['email', 'phone_number']);
    expect(found).toMatchObject({ valid: true, identityHash: 'maria@example.org +4930123456789' });
  });

  it.each(['P-256', 'P-384', 'P-521', 'Ed25519'] as const)('may be signed by a key of %s', async (curve) => {
    const signer = await certified('CN=Signer', { by: issuer.authority, isAuthority: false, curve });
    const held = await issuer.issue({ chain: [signer] });
    const nonce = randomUUID();
    const found = await verifier().verify(await presented(held, [], nonce), nonce);
    expect(found.valid ? 'valid' : found.fault).toBe('valid');
  });

  it('is not taken where it is signed by a key of RSA', async () => {
    const signer = await certified('CN=Signer', { by: issuer.authority, isAuthority: false, curve: 'RSA' });
    const held = await issuer.issue({ chain: [signer] });
    expect(await verifier().verify(held.credential, 'n')).toMatchObject({ fault: 'BAD_SIGNATURE' });
  });

  it('may have digests of SHA-512, and its wallet then proves its key by them', async () => {
    const held = await issuer.issue({ hashAlg: 'sha-512' });
    const nonce = randomUUID();
    const presentation = await presented(held, disclosing(held, 'birthdate'), nonce, new Date(), 'sha512');
    expect(await verifier().verify(presentation, nonce, ['birthdate'])).toMatchObject({ valid: true });
  });
});

describe('the list of the issuer', () => {
  const verdict = async ({ verify, clock }: ReturnType<typeof verifier>, held: HeldCredential): Promise<unknown> => {
    const nonce = randomUUID();
    const found = await verify(await presented(held, [], nonce, clock.now()), nonce);
    return found.valid ? 'valid' : found.fault;
  };

  it.each<[number, string]>([
    [0, 'valid'],
    [1, 'REVOKED'],
    [2, 'SUSPENDED'],
    [3, 'REVOKED'],
  ])('says %d, so the PID is %s', async (value, expected) => {
    const held = await issuer.issue();
    issuer.statuses.setStatus(held.idx, value);
    expect(await verdict(verifier(), held)).toBe(expected);
  });

  it.each<[string, () => Promise<Answer>]>([
    ['an error', async () => ({ status: 500, excerpt: await issuer.list() })],
    ['nothing', () => Promise.resolve({ kind: 'failed', reason: 'it was silent' })],
    ['no list', () => Promise.resolve({ excerpt: 'no list' })],
    ['the list of another address', async () => ({ excerpt: await issuer.list({ sub: 'https://other.example' }) })],
    ['a list of odd times', async () => ({ excerpt: await issuer.list({ ttl: -5 }) })],
    ['a list without an end', async () => ({ excerpt: await issuer.list({ exp: 'never' }) })],
    ['an old list', async () => ({ excerpt: await issuer.list({ exp: 1 }) })],
    ['a list of odd bits', async () => ({ excerpt: await issuer.list({ status_list: { bits: 3, lst: packed(64) } }) })],
    ['a short list', async () => ({ excerpt: await issuer.list({ status_list: { bits: 1, lst: packed(0) } }) })],
    ['a bomb', async () => ({ excerpt: await issuer.list({ status_list: { bits: 1, lst: packed(3_000_000) } }) })],
  ])('where it answers %s, leaves unknown whether the PID is in force', async (_, list) => {
    await expect(verdict(verifier(list), await issuer.issue())).rejects.toThrow(Unavailable);
  });

  it('is read once while it lasts, at most five minutes', async () => {
    const world = verifier(async () => ({ excerpt: await issuer.list({ ttl: 3_600 }) }));
    const held = await issuer.issue({ signed: { exp: 4_102_444_800 } });
    expect([await verdict(world, held), await verdict(world, held), world.reads.count]).toEqual(['valid', 'valid', 1]);
    world.clock.advance(301_000);
    await verdict(world, held);
    expect(world.reads.count).toBe(2);
  });

  it('is not read for what is not valid anyway', async () => {
    const world = verifier();
    expect(await verdict(world, await issuer.issue({ signed: { exp: 1 } }))).toBe('EXPIRED');
    expect(await verdict(world, await issuer.issue({ claims: MARIA, signed: { cnf: {} } }))).toBe('BAD_KEY_BINDING');
    expect(world.reads.count).toBe(0);
  });
});

const packed = (bytes: number): string => deflateSync(Buffer.alloc(bytes)).toString('base64url');
