import { decodeProtectedHeader } from 'jose';

/** Characters. A credential has about 1,500. */
const MAX_TOKEN_LENGTH = 16_384;

/** JWS compact serialisation (RFC 7515 section 7.1) without padding. */
const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

export interface TokenHeader {
  readonly alg: string;
  readonly kid: string;
}

/** Other libraries read a repeated member otherwise, so what we sign has none (RFC 8725 section 2.8). */
const isAsWritten = (text: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
};

/** Whether the parts are written as the service writes them: plain JSON, no member twice, and canonical base64url. */
export const isCanonical = (token: string): boolean => {
  const parts = token.split('.');
  const decoded = parts.map((part) => Buffer.from(part, 'base64url'));
  const [header, payload] = decoded;
  return (
    decoded.every((bytes, place) => bytes.toString('base64url') === parts[place]) &&
    [header, payload].every((part) => part !== undefined && isAsWritten(part.toString('utf8')))
  );
};

/** The header of a token that may be a credential. Undefined if it has another form, or members that the service writes never. */
export const headerOf = (token: string, wanted = 'JWT'): TokenHeader | undefined => {
  if (token.length > MAX_TOKEN_LENGTH || !COMPACT.test(token)) return undefined;
  try {
    const { alg, kid, typ, ...others } = decodeProtectedHeader(token);
    if (typeof alg !== 'string' || typeof kid !== 'string' || typ !== wanted) return undefined;
    return Object.keys(others).length === 0 ? { alg, kid } : undefined;
  } catch {
    return undefined;
  }
};
