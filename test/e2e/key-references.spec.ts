import { Ajv } from 'ajv';
import { verifyCredential } from 'did-jwt-vc';
import { type DIDDocument, type DIDResolver, Resolver, type VerificationMethod } from 'did-resolver';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import {
  issue,
  type Issued,
  issuerTokenFor,
  type IssuingTenant,
  signingKeysOf,
  verdictOf,
} from '../support/credentials.js';
import { freshAddress, type Http } from '../support/load/http.js';
import { person } from '../support/load/people.js';
import { SharedDeployment } from '../support/load/shared-deployment.js';
import { ingestAll } from '../support/load/tenants.js';
import { eventually } from '../support/processes.js';
import { type Ran, runCommand } from '../support/service-command.js';

let deployment: SharedDeployment;
let http: Http;
let tenant: IssuingTenant;

beforeAll(async () => {
  deployment = await SharedDeployment.take();
  ({ http } = deployment);
  const account = await deployment.operator.tenant({ credits: 10_000 });
  tenant = { ...account, bearer: await issuerTokenFor(http, account) };
  await ingestAll(http, tenant, [person(76_001)]);
}, 90_000);

afterAll(() => deployment.leave(), 60_000);

const keys = (...words: string[]): Promise<Ran> => runCommand(['keys', ...words], deployment.env);
const published = async (path: string): Promise<string> =>
  (await http.expect(200, { path, from: freshAddress() })).text;
const documentOf = async (): Promise<DIDDocument> =>
  JSON.parse(await published('/.well-known/did.json')) as DIDDocument;
const keySet = async (): Promise<JSONWebKeySet> =>
  JSON.parse(await published('/.well-known/jwks.json')) as JSONWebKeySet;
/** Shows itself once the registry has its first credential. */
const statusList = async (): Promise<string> => {
  const call = { path: '/credentials/status/revocation/1', from: freshAddress() };
  await eventually('the status list', async () => (await http.send(call)).status === 200);
  return published(call.path);
};

const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? '';
const newCredential = (): Promise<Issued> => issue(http, tenant, person(76_001));

/** The issuer's key that signs now, and its thumbprint (RFC 7638). */
const signerNow = async () => {
  const { keys: signing, close } = signingKeysOf(deployment);
  try {
    const { key } = await signing.signer('credential');
    const { crv, kty, x } = key.export({ format: 'jwk' }) as JWK;
    return { key, thumbprint: await calculateJwkThumbprint({ crv, kty, x } as JWK) };
  } finally {
    await close();
  }
};

/** The claims of this credential under another `kid`, signed by the key that signs now. */
const underKid = async ({ token }: Issued, kidFor: (thumbprint: string) => string): Promise<string> => {
  const { key, thumbprint } = await signerNow();
  return new SignJWT(decodeJwt(token))
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', kid: kidFor(thumbprint) })
    .sign(key);
};

/** As releases before wrote it: `kid` is the bare thumbprint. */
const asBefore = async (issued: Issued): Promise<Issued> => ({
  ...issued,
  token: await underKid(issued, (thumbprint) => thumbprint),
});

const didWeb = (): Resolver => {
  const web: DIDResolver = async (_did, parsed) => {
    expect(parsed.did).toBe((await documentOf()).id);
    return { didResolutionMetadata: {}, didDocumentMetadata: {}, didDocument: await documentOf() };
  };
  return new Resolver({ web });
};

/** The method with exactly this id, if the issuer asserts by it (DID Core 1.0 sections 5.3.2 and 7.2). */
const dereferenced = async (kid: string): Promise<VerificationMethod | undefined> => {
  const { didDocument } = await didWeb().resolve(kid);
  const listed = (didDocument?.assertionMethod ?? []).includes(kid);
  return listed ? didDocument?.verificationMethod?.find(({ id }) => id === kid) : undefined;
};

/** What a verifier makes of a token that takes `kid` for the DID URL of the one key that may have signed. */
const byExactId = async (token: string): Promise<unknown> => {
  const kid = kidOf(token);
  if (!kid.startsWith('did:')) return `the kid ${kid} is no DID URL`;
  const method = await dereferenced(kid);
  if (method === undefined) return `no method ${kid}`;
  const [issuer = ''] = kid.split('#');
  if (issuer !== decodeJwt(token).iss) return `${issuer} is not the issuer`;
  const didAuthenticator = { authenticators: [method], issuer, didResolutionResult: await didWeb().resolve(issuer) };
  const { verifiableCredential } = await verifyCredential(token, didWeb(), { didAuthenticator } as object);
  return verifiableCredential.id === decodeJwt(token).jti ? 'valid' : verifiableCredential;
};

/** The same by the key set: jose takes the one key whose `kid` is the token's. */
const byKeySet = async (token: string, typ = 'JWT'): Promise<unknown> =>
  jwtVerify(token, createLocalJWKSet(await keySet()), { typ }).then(
    () => 'valid',
    (error: unknown) => String(error),
  );

describe('the reference to the key that signed', () => {
  it('is the DID URL of a verification method, in credentials and status lists, and stands in the key set', async () => {
    const { token } = await newCredential();
    const { id, verificationMethod = [] } = await documentOf();
    const { thumbprint } = await signerNow();
    expect(kidOf(token)).toBe(`${id}#${thumbprint}`);
    expect(kidOf(await statusList())).toBe(kidOf(token));
    expect(verificationMethod.map((method) => method.id)).toContain(kidOf(token));
    expect((await keySet()).keys.map(({ kid }) => kid)).toContain(kidOf(token));
  });

  it('leads a verifier that goes by it alone to the right key, before and after a rotation', async () => {
    const retired = await newCredential();
    expect([await byExactId(retired.token), await byKeySet(retired.token)]).toEqual(['valid', 'valid']);
    expect((await keys('rotate-issuer')).status).toBe(0);
    const current = await newCredential();
    expect(kidOf(current.token)).not.toBe(kidOf(retired.token));
    for (const issued of [retired, current]) {
      expect([await byExactId(issued.token), await byKeySet(issued.token)]).toEqual(['valid', 'valid']);
      expect(await verdictOf(http, tenant, issued)).toBe('valid');
    }
    expect(await byKeySet(await statusList(), 'vc+jwt')).toBe('valid');
  });

  it('may be the bare thumbprint of older tokens, here and by the key set, also after a rotation', async () => {
    const older = await asBefore(await newCredential());
    expect(kidOf(older.token)).not.toContain('did:');
    expect([await verdictOf(http, tenant, older), await byKeySet(older.token)]).toEqual(['valid', 'valid']);
    expect((await keys('rotate-issuer')).status).toBe(0);
    await newCredential();
    expect([await verdictOf(http, tenant, older), await byKeySet(older.token)]).toEqual(['valid', 'valid']);
  });

  it('is nobody’s where another DID stands before the thumbprint, or something after it', async () => {
    const issued = await newCredential();
    const { id } = await documentOf();
    const references: ((thumbprint: string) => string)[] = [
      (thumbprint) => `did:web:evil.example#${thumbprint}`,
      (thumbprint) => `${id}.evil.example#${thumbprint}`,
      (thumbprint) => `${id}#${thumbprint}#`,
      (thumbprint) => `${id}##${thumbprint}`,
      (thumbprint) => `${id}?x#${thumbprint}`,
      (thumbprint) => `#${thumbprint}`,
      (thumbprint) => `${id.toUpperCase()}#${thumbprint}`,
    ];
    for (const kidFor of references) {
      const token = await underKid(issued, kidFor);
      expect([kidOf(token), await verdictOf(http, tenant, { ...issued, token })]).toEqual([
        kidOf(token),
        'UNTRUSTED_KEY',
      ]);
    }
  });

  it('names a compromised key to the command as it stands in a token, and as its bare thumbprint', async () => {
    for (const named of [(kid: string) => kid, (kid: string) => kid.split('#').at(-1) ?? '']) {
      const lost = await newCredential();
      const { id } = await documentOf();
      const kid = kidOf(lost.token).startsWith('did:') ? kidOf(lost.token) : `${id}#${kidOf(lost.token)}`;
      const { status, output } = await keys('rotate-issuer', '--compromised', named(kid));
      expect([status, output]).toEqual([0, expect.stringContaining(lost.jti)]);
      expect(await verdictOf(http, tenant, lost)).toBe('UNTRUSTED_KEY');
      expect(await dereferenced(kid)).toBeUndefined();
      expect((await keySet()).keys.map((key) => key.kid)).not.toContain(kid);
    }
  });
});

/**
 * DID Core 1.0 sections 5.1 to 5.3 in their JSON-LD form, the did:web method, and JsonWebKey2020 of the suite jws-2020 with an
 * Ed25519 key (RFC 8037 section 2). What one of these has no word for is refused: it could be a private key.
 */
const DID = '^did:web:[A-Za-z0-9.-]+(%3A[0-9]+)?(:[A-Za-z0-9._%-]+)*$';
const DID_URL = `${DID.slice(0, -1)}#[A-Za-z0-9_-]+$`;
const DOCUMENT = {
  type: 'object',
  additionalProperties: false,
  required: ['@context', 'id', 'verificationMethod', 'assertionMethod'],
  properties: {
    '@context': {
      type: 'array',
      items: [{ const: 'https://www.w3.org/ns/did/v1' }],
      contains: { const: 'https://w3id.org/security/suites/jws-2020/v1' },
      minItems: 2,
      uniqueItems: true,
    },
    id: { type: 'string', pattern: DID },
    verificationMethod: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'type', 'controller', 'publicKeyJwk'],
        properties: {
          id: { type: 'string', pattern: DID_URL },
          type: { const: 'JsonWebKey2020' },
          controller: { type: 'string', pattern: DID },
          publicKeyJwk: {
            type: 'object',
            additionalProperties: false,
            required: ['kty', 'crv', 'x'],
            properties: {
              kty: { const: 'OKP' },
              crv: { const: 'Ed25519' },
              x: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
              kid: { type: 'string' },
              alg: { const: 'EdDSA' },
              use: { const: 'sig' },
            },
          },
        },
      },
    },
    authentication: { $ref: '#/definitions/relationship' },
    assertionMethod: { $ref: '#/definitions/relationship' },
  },
  definitions: {
    relationship: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', pattern: DID_URL },
    },
  },
};

describe('the DID document', () => {
  it('has the form of DID Core, did:web and JsonWebKey2020, and its relationships name its own methods', async () => {
    await newCredential();
    const document = await documentOf();
    const ajv = new Ajv({ strict: false });
    expect([ajv.validate(DOCUMENT, document), ajv.errors]).toEqual([true, null]);
    const methods = document.verificationMethod ?? [];
    for (const named of document.assertionMethod ?? []) expect(methods.map(({ id }) => id)).toContain(named);
    for (const { id, controller, publicKeyJwk } of methods) {
      expect([controller, id]).toEqual([
        document.id,
        `${document.id}#${await calculateJwkThumbprint(publicKeyJwk as JWK)}`,
      ]);
      // A JWK's own kid is recommended to be the fragment (DID Core 1.0 section 5.2.1).
      expect(publicKeyJwk?.kid).toBe(id.split('#').at(-1));
    }
  });
});
