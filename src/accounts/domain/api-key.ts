import { crc32 } from 'node:zlib';

/**
 * The form is `kyc_sandbox_` or `kyc_live_`, 8 characters of id, `_`, 32 of secret and 6 of CRC-32. The CRC covers
 * everything before it. Everything after the prefix is base62.
 */
export interface ApiKeyParts {
  readonly environment: string;
  readonly keyId: string;
  readonly secret: string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIXES: Readonly<Record<string, string>> = { sandbox: 'sandbox', production: 'live' };
const ENVIRONMENTS: Readonly<Record<string, string>> = { sandbox: 'sandbox', live: 'production' };
const PATTERN = /^kyc_(sandbox|live)_([0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const CHECKSUM_LENGTH = 6;

export const KEY_ID_LENGTH = 8;
export const SECRET_LENGTH = 32;

/** The lowest `length` base62 digits of a number. */
export const base62 = (value: bigint, length: number): string => {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = BASE62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
};

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_LENGTH);

export const formatApiKey = ({ environment, keyId, secret }: ApiKeyParts): string => {
  const body = `kyc_${PREFIXES[environment] ?? environment}_${keyId}_${secret}`;
  return body + checksum(body);
};

/** Why a text is no API key of this environment. It says nothing of what the service knows. */
export const faultOfApiKey = (text: string, environment: string): string => {
  const parts = parseApiKey(text);
  if (parts !== undefined) {
    return `The API key is of the ${parts.environment} environment, and this deployment is the ${environment}`;
  }
  if (PATTERN.test(text)) return 'The API key has a mistyped character: its checksum does not fit';
  return 'The API key is not whole: it begins with kyc_sandbox_ or kyc_live_, and 47 characters follow';
};

/** Undefined if the form or the checksum is wrong. */
export const parseApiKey = (text: string): ApiKeyParts | undefined => {
  const [, prefix, keyId, secret, sum] = PATTERN.exec(text) ?? [];
  if (prefix === undefined || keyId === undefined || secret === undefined) return undefined;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== sum) return undefined;
  return { environment: ENVIRONMENTS[prefix] ?? prefix, keyId, secret };
};
