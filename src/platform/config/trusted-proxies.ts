import { isIP } from 'node:net';

export interface AddressRange {
  readonly address: string;
  /** Bits that its addresses share. */
  readonly prefix: number;
}

/** Whose word on the caller's address counts. */
export type TrustedProxies =
  | { readonly kind: 'none' }
  /** So many proxies, counted from the service. */
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'ranges'; readonly ranges: readonly AddressRange[] };

const MOST_HOPS = 32;

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
  if (text === 'false') return { kind: 'none' };
  if (text === 'true') return { kind: 'hops', hops: 1 };
  if (/^[1-9]\d?$/.test(text)) return Number(text) <= MOST_HOPS ? { kind: 'hops', hops: Number(text) } : undefined;
  const ranges = text.split(',').map((part) => rangeIn(part.trim()));
  return ranges.every((range) => range !== undefined) ? { kind: 'ranges', ranges } : undefined;
};
