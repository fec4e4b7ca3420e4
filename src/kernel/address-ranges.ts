import { BlockList, isIP, isIPv4 } from 'node:net';

export interface AddressRange {
  readonly address: string;
  /** Bits that its addresses share. */
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;
const IPV4_IN_IPV6 = /^::ffff:([0-9.]+)$/i;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6');

/** An IPv4 address in its own notation, also over an IPv6 socket. */
export const withoutMapping = (address: string): string => IPV4_IN_IPV6.exec(address)?.[1] ?? address;

/**
 * `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. Undefined where the text is none, or a range of all addresses. IPv4 in the notation of
 * IPv6 is none: its prefix would be read as that of the one or of the other.
 */
export const addressRangeIn = (text: string): AddressRange | undefined => {
  const [address = '', length, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0 || /^::ffff:/i.test(address)) return undefined;
  const longest = BITS[family as keyof typeof BITS];
  if (length === undefined) return { address, prefix: longest };
  const prefix = /^[1-9]\d{0,2}$/.test(length) ? Number(length) : Number.NaN;
  return prefix <= longest ? { address, prefix } : undefined;
};

/** IPv4 is compared with ranges of IPv4 only: a wide range of IPv6 would have all of it, too. */
export class AddressRanges {
  private readonly lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  constructor(private readonly ranges: readonly AddressRange[]) {
    for (const { address, prefix } of ranges) {
      const family = familyOf(address);
      this.lists[family].addSubnet(address, prefix, family);
    }
  }

  /** Ranges as texts that `addressRangeIn` reads. */
  static of(texts: readonly string[]): AddressRanges {
    return new AddressRanges(texts.flatMap((text) => addressRangeIn(text) ?? []));
  }

  /** IPv4 in the notation of IPv6 counts as IPv4. */
  has(text: string): boolean {
    const address = withoutMapping(text);
    if (isIP(address) === 0) return false;
    const family = familyOf(address);
    return this.lists.ipv4.check(address, family) || (family === 'ipv6' && this.lists.ipv6.check(address, family));
  }

  /** Whether one of these ranges has all addresses of the other. */
  hold(text: string): boolean {
    const inner = addressRangeIn(text);
    if (inner === undefined) return false;
    return this.ranges.some((outer) => outer.prefix <= inner.prefix && new AddressRanges([outer]).has(inner.address));
  }
}

const GROUPS = 8;

/** The first groups of an IPv6 address, written out. */
const firstGroups = (address: string, count: number): string => {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, GROUPS - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, count);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
};

/** The network of an address, which names no single caller: /24 of IPv4, /48 of IPv6. Null: it is no address. */
export const networkAround = (address: string): string | null => {
  const plain = withoutMapping(address);
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  return isIP(plain) === 6 ? `${firstGroups(plain, 3)}::/48` : null;
};

/** The addresses that one customer owns: one of IPv4, or a /64 of IPv6. */
export const networkOf = (peer: string): string => {
  const address = withoutMapping(peer);
  return isIP(address) === 6 ? `${firstGroups(address, 4)}::/64` : address;
};
