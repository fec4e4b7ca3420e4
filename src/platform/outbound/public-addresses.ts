import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** IPv4 of IANA's special-purpose registry, with its few anycast services, multicast, and the 6to4 relays of old. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/**
 * IANA assigns global unicast addresses out of this block alone. What lies outside is refused: loopback, local and multicast
 * addresses, and the forms that embed an IPv4 address (::/96, ::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48).
 */
const GLOBAL_IPV6 = '2000::/3';

/** What the special-purpose registry takes out of it: IETF protocols with Teredo, documentation, 6to4, anycast services. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const LOOPBACK_IPV4 = ['127.0.0.0/8'];
const LOOPBACK_IPV6 = ['::1/128'];

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list;
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const specialIpv4 = listOf(SPECIAL_IPV4);
const globalIpv6 = listOf([GLOBAL_IPV6]);
const specialIpv6 = listOf(SPECIAL_IPV6);
// A list that holds IPv4 addresses would take their mapped forms too.
const loopback = { ipv4: listOf(LOOPBACK_IPV4), ipv6: listOf(LOOPBACK_IPV6) };

/** Whether the address is this machine itself, as 127.0.0.0/8 or ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback[familyOf(address)].check(address, familyOf(address));

/** Whether IANA's registries call the address globally reachable, for a host and not for an anycast service. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
    default:
      return false;
  }
};

/** Whether one of this machine's interfaces has the address at the moment. */
export const isOwnAddress = (address: string): boolean => {
  if (isIP(address) === 0) return false;
  const own = new BlockList();
  for (const { address: each } of Object.values(networkInterfaces()).flatMap((some) => some ?? []))
    own.addAddress(each, familyOf(each));
  return own.check(address, familyOf(address));
};
