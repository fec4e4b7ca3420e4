import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt, type JWK } from 'jose';
import { bindingFaultOf } from './key-binding.js';
import { type Payload } from '../credential-verifier.js';
import { digestOf, partsOf } from './sd-jwt-parts.js';
import { disclosedOf } from './disclosed.js';
import { shownOf } from './pids/pid.js';

const VECTORS = join(import.meta.dirname, '../../../test/support/vectors/sd-jwt.json');
const vectors = JSON.parse(readFileSync(VECTORS, 'utf8')) as Readonly<Record<string, string>>;
const vector = (name: string) => {
  const parts = partsOf(vectors[name] ?? '');
  return { parts, signed: decodeJwt(parts.jwt) };
};

const RFC = 'RFC 9901, appendix A.3';

describe("others' examples", () => {
  it('of the RFC, a PID that shows nationality and an age, reads as it says', () => {
    const { parts, signed } = vector(RFC);
    expect(disclosedOf(parts, signed)).toEqual({
      iss: 'https://pid-issuer.bund.de.example',
      iat: 1_683_000_000,
      exp: 1_883_000_000,
      vct: 'urn:eudi:pid:de:1',
      cnf: signed['cnf'],
      age_equal_or_over: { '18': true },
      nationalities: ['DE'],
    });
    const asked = ['age_over_18', 'nationalities', 'family_name'];
    expect(shownOf(disclosedOf(parts, signed), asked)).toEqual({ age_over_18: true, nationalities: ['DE'] });
  });

  it('of the RFC proves its key for its verifier, and for no other', async () => {
    const { parts, signed } = vector(RFC);
    const { jwk } = signed['cnf'] as { jwk: JWK };
    const [nonce, audience, now] = ['1234567890', 'https://verifier.example.org', new Date(1_748_361_941_000)];
    expect(await bindingFaultOf(parts, jwk, { nonce, audience }, now)).toBeUndefined();
    expect(await bindingFaultOf(parts, jwk, { nonce: 'other', audience }, now)).toBe('WRONG_NONCE');
    expect(await bindingFaultOf(parts, jwk, { nonce, audience: 'other' }, now)).toBe('WRONG_AUDIENCE');
    const late = new Date(now.getTime() + 361_000);
    expect(await bindingFaultOf(parts, jwk, { nonce, audience }, late)).toBe('STALE_PRESENTATION');
    const fewer = { ...parts, bound: parts.bound.slice(0, parts.bound.lastIndexOf('~', parts.bound.length - 2) + 1) };
    expect(await bindingFaultOf(fewer, jwk, { nonce, audience }, now)).toBe('BAD_KEY_BINDING');
  });

  it.each([
    ['credential-sdjwt-selective', { firstName: 'Jane', lastName: 'Doe', birthDate: '1990-01-01' }],
    [
      'credential-sdjwt-nested',
      {
        address: { country: 'USA', postalCode: '12345', street: '123 Main St', city: 'Anytown' },
        phoneNumbers: [
          { number: '+1-555-123-4567', type: 'work' },
          { number: '+1-555-987-6543', type: 'mobile' },
        ],
      },
    ],
  ])('of the W3C, %s, reads whole', (name, subject) => {
    const { parts, signed } = vector(`w3c/vc-jose-cose-test-suite, ${name}`);
    expect(disclosedOf(parts, signed)).toMatchObject({ credentialSubject: subject });
    expect(disclosedOf({ ...parts, disclosures: [...parts.disclosures, 'WyJ4IiwieCIsMV0'] }, signed)).toBeUndefined();
  });
});

describe('a disclosure', () => {
  const encoded = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
  const read = (signed: Payload, disclosures: readonly string[]) =>
    disclosedOf({ jwt: `${encoded([{}])}.${encoded([{}])}.c`, disclosures, binding: '', bound: '' }, signed);
  const nationality = encoded(['salt', 'nationality', 'DE']);
  const expiry = encoded(['salt', 'exp', 5]);

  it('fills one place alone', () => {
    const digest = digestOf(nationality);
    expect(read({ _sd: [digest] }, [nationality])).toEqual({ nationality: 'DE' });
    expect(read({ _sd: [digest], address: { _sd: [digest] } }, [nationality])).toBeUndefined();
  });

  it('says nothing that stands in clear already, here or within a member', () => {
    const _sd = [digestOf(expiry)];
    expect(read({ _sd }, [expiry])).toEqual({ exp: 5 });
    expect(read({ _sd, exp: 4 }, [expiry])).toBeUndefined();
    expect(read({ term: { _sd, exp: 4 } }, [expiry])).toBeUndefined();
    expect(read({ term: { _sd }, exp: 4 }, [expiry])).toEqual({ term: { exp: 5 }, exp: 4 });
  });

  it('may fill a place of a list', () => {
    const item = encoded(['salt', 'DE']);
    expect(read({ nationalities: [{ '...': digestOf(item) }, 'FR'] }, [item])).toEqual({ nationalities: ['DE', 'FR'] });
  });
});
