import { createPublicKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { FAULTY, field } from '../../http/field-rule.js';

const MAX_PEM_LENGTH = 512;
const COORDINATE_BYTES = 32;

/** createPublicKey takes private keys and certificates too, so the label is checked (RFC 7468 section 13). */
const SPKI = /^\s*-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/;

/** Callers give the few keys of the issuer again and again, and reading one costs a fifth of a verification. */
const known = new LRUCache<string, string>({ max: 100 });

/** The coordinate x of an Ed25519 public key. */
const coordinateOf = (pem: string): string | undefined => {
  if (pem.length > MAX_PEM_LENGTH) return undefined;
  const coordinate = known.get(pem) ?? readCoordinate(pem);
  if (coordinate !== undefined) known.set(pem, coordinate);
  return coordinate;
};

const readCoordinate = (pem: string): string | undefined => {
  if (!SPKI.test(pem)) return undefined;
  try {
    const { crv, x } = createPublicKey({ key: pem, format: 'pem' }).export({ format: 'jwk' });
    return crv === 'Ed25519' ? x : undefined;
  } catch {
    return undefined;
  }
};

/** The coordinate of a JWK (RFC 8037 section 2), whatever else it says. */
const coordinateOfJwk = (value: object): string | undefined => {
  const { kty, crv, x } = value as Readonly<Record<string, unknown>>;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return undefined;
  const bytes = Buffer.from(x, 'base64url');
  return bytes.length === COORDINATE_BYTES && bytes.toString('base64url') === x ? x : undefined;
};

const read = (value: unknown): string | undefined => {
  if (typeof value === 'string') return coordinateOf(value);
  return typeof value === 'object' && value !== null ? coordinateOfJwk(value) : undefined;
};

/** An Ed25519 public key: SPKI in PEM (RFC 8410), or a JWK. The value is its coordinate x (RFC 8037 section 2). */
export const PublicKeyField = (): PropertyDecorator =>
  field(
    {
      code: 'INVALID_FIELD',
      detail: 'An Ed25519 public key: SPKI in PEM, the public_key of the issuance, or a JWK of /.well-known/jwks.json',
      optional: false,
      read: (value) => read(value) ?? FAULTY,
    },
    {
      oneOf: [
        { type: 'string', maxLength: MAX_PEM_LENGTH, description: 'SPKI in PEM, as the issuance answers it' },
        {
          type: 'object',
          description: 'A JWK, as /.well-known/jwks.json has it',
          required: ['kty', 'crv', 'x'],
          properties: {
            kty: { type: 'string', enum: ['OKP'] },
            crv: { type: 'string', enum: ['Ed25519'] },
            x: { type: 'string' },
          },
        },
      ],
      example:
        '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n',
    },
  );
