import { AddressRanges, addressRangeIn, networkAround } from './address-ranges.js';

describe('a range of addresses', () => {
  it.each([
    '',
    'x',
    '1.2.3',
    '192.0.2.0/33',
    '192.0.2.0/0',
    '192.0.2.0/24/1',
    '2001:db8::/129',
    '::/0',
    '10.0.0.0/08',
    '::ffff:192.0.2.0/24',
    '::ffff:c000:200/120',
  ])('is not %j', (text) => expect(addressRangeIn(text)).toBeUndefined());

  it('has its addresses, in any notation', () => {
    const ranges = AddressRanges.of(['192.0.2.0/24', '2001:db8::/32', '198.51.100.7']);
    const inside = ['192.0.2.200', '::ffff:192.0.2.1', '::ffff:c000:0201', '2001:DB8:1::7', '198.51.100.7'];
    const outside = ['192.0.3.1', '198.51.100.8', '2001:db9::1', '::1', 'unknown', ''];
    expect(inside.filter((address) => !ranges.has(address))).toEqual([]);
    expect(outside.filter((address) => ranges.has(address))).toEqual([]);
  });

  it('has no IPv4 by a wide range of IPv6', () => {
    expect(['192.0.2.1', '::ffff:192.0.2.1'].some((address) => AddressRanges.of(['::/8', '::/1']).has(address))).toBe(
      false,
    );
    expect(AddressRanges.of(['::/8']).hold('192.0.2.1')).toBe(false);
  });

  it('holds what is no larger', () => {
    const ranges = AddressRanges.of(['192.0.2.0/24', '2001:db8::/32']);
    expect(['192.0.2.0/24', '192.0.2.128/25', '192.0.2.9', '2001:db8:7::/48'].every((one) => ranges.hold(one))).toBe(
      true,
    );
    expect(
      ['192.0.2.0/23', '192.0.3.0/24', '2001:db8::/31', '::ffff:192.0.2.9', 'x'].some((one) => ranges.hold(one)),
    ).toBe(false);
  });
});

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:7:9::1', '2001:db8:7::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['unknown', null],
])('the network around %s is %s', (address, network) => expect(networkAround(address)).toBe(network));
