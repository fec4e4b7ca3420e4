import { type AddressRange, addressRangeIn } from '../../kernel/address-ranges.js';

/** Whose word on the caller's address counts. */
export interface TrustedProxies {
  /** So many proxies, counted from the service. */
  readonly hops: number;
  readonly ranges: readonly AddressRange[];
}

export const trustsNobody = ({ hops, ranges }: TrustedProxies): boolean => hops === 0 && ranges.length === 0;

const MAX_HOPS = 32;

/** Undefined where the text is none of these. */
export const trustedProxiesIn = (text: string): TrustedProxies | undefined => {
  if (text === 'false') return { hops: 0, ranges: [] };
  if (text === 'true') return { hops: 1, ranges: [] };
  if (/^[1-9]\d?$/.test(text)) return Number(text) <= MAX_HOPS ? { hops: Number(text), ranges: [] } : undefined;
  const ranges = text.split(',').map((part) => addressRangeIn(part.trim()));
  return ranges.every((range) => range !== undefined) ? { hops: 0, ranges } : undefined;
};
