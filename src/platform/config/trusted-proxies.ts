import { isIP } from 'node:net';

export interface AddressRange {
  readonly address: string;
  /** Bits that its addresses share. */
  readonly prefix: number;
}

/** Whose word on the caller's address counts. */
export interface TrustedProxies {
  /** So many proxies, counted from the service. */
  readonly hops: number;
  readonly ranges: readonly AddressRange[];
}

export const trustsNobody = ({ hops, ranges }: TrustedProxies): boolean => hops === 0 && ranges.length === 0;

const MAX_HOPS = 32;

const rangeIn = (text: string): AddressRange | undefined => {
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return undefined;
  const longest = family === 4 ? 32 : 128;
  if (length === undefined) return { address, prefix: longest };
  // A range of all addresses would believe everybody.
  const prefix = /^[1-9]\d{0,2}$/.test(length) ? Number(length) : Number.NaN;
  return prefix <= longest ? { address, prefix } : undefined;
};

/** Undefined where the text is none of these. */
export const trustedProxiesIn = (text: string): TrustedProxies | undefined => {
  if (text === 'false') return { hops: 0, ranges: [] };
  if (text === 'true') return { hops: 1, ranges: [] };
  if (/^[1-9]\d?$/.test(text)) return Number(text) <= MAX_HOPS ? { hops: Number(text), ranges: [] } : undefined;
  const ranges = text.split(',').map((part) => rangeIn(part.trim()));
  return ranges.every((range) => range !== undefined) ? { hops: 0, ranges } : undefined;
};
