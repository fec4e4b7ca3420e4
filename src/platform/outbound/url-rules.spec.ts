import { isLoopbackAddress, isOwnAddress, isPublicAddress } from './public-addresses.js';
import { problemOfUrl } from './url-rules.js';

const rules = { plainHttp: true, isAllowed: isPublicAddress };

const REFUSED_HOSTS = [
  ['this network', '0.0.0.0'],
  ['this network beyond its first address', '0.1.2.3'],
  ['private 10/8', '10.0.0.1'],
  ['shared with carriers', '100.64.0.1'],
  ['the end of what is shared with carriers', '100.127.255.254'],
  ['loopback', '127.0.0.1'],
  ['loopback beyond its first address', '127.8.8.8'],
  ['loopback in hexadecimal', '0x7f.1'],
  ['loopback as one number', '2130706433'],
  ['loopback in octal', '0177.0.0.1'],
  ['link-local, where clouds serve credentials', '169.254.169.254'],
  ['private 172.16/12', '172.31.255.255'],
  ['IETF protocols', '192.0.0.8'],
  ['documentation 1', '192.0.2.1'],
  ['the 6to4 relay', '192.88.99.1'],
  ['private 192.168/16', '192.168.1.1'],
  ['benchmarks', '198.19.0.1'],
  ['documentation 2', '198.51.100.7'],
  ['documentation 3', '203.0.113.7'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '[::]'],
  ['loopback of IPv6', '[::1]'],
  ['loopback in the compatible form', '[::7f00:1]'],
  ['a public address in the compatible form', '[::8.8.8.8]'],
  ['loopback, mapped', '[::ffff:127.0.0.1]'],
  ['a private address, mapped and in hexadecimal', '[::ffff:0a00:1]'],
  ['loopback, translated', '[::ffff:0:7f00:1]'],
  ['loopback through NAT64', '[64:ff9b::127.0.0.1]'],
  ['credentials of a cloud through NAT64', '[64:ff9b::a9fe:a9fe]'],
  ['a local NAT64', '[64:ff9b:1::a00:1]'],
  ['discard-only', '[100::1]'],
  ['Teredo', '[2001:0:7f00:1::1]'],
  ['benchmarks of IPv6', '[2001:2::1]'],
  ['ORCHIDv2', '[2001:20::1]'],
  ['documentation of IPv6', '[2001:db8::1]'],
  ['loopback through 6to4', '[2002:7f00:1::1]'],
  ['a private address through 6to4', '[2002:c0a8:101::1]'],
  ['documentation of IPv6, the newer block', '[3fff::1]'],
  ['segment routing', '[5f00::1]'],
  ['unique local', '[fd00::1]'],
  ['unique local, where a cloud serves credentials', '[fd00:ec2::254]'],
  ['link-local of IPv6', '[fe80::1]'],
  ['site-local', '[fec0::1]'],
  ['multicast of IPv6', '[ff02::1]'],
] as const;

describe('the address of a receiver', () => {
  it.each(REFUSED_HOSTS)('is refused: %s, %s', (_, host) => {
    expect(problemOfUrl(`https://${host}/hook`, rules)).toBe('the address is not publicly reachable');
  });

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '192.0.1.1', '223.255.255.254', '[2606:4700::1111]'])(
    'is allowed: %s',
    (host) => expect(problemOfUrl(`https://${host}/hook`, rules)).toBeUndefined(),
  );

  it.each(['not an address', '', '8.8.8.8.8', '2606:4700::1111%eth0 '])('is public only if it is one: %s', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );

  it.each(['127.0.0.1', '127.255.255.254', '::1'])('is this machine: %s', (address) =>
    expect(isLoopbackAddress(address)).toBe(true),
  );

  it.each(['128.0.0.1', '::2', '::ffff:127.0.0.1', '::ffff:7f00:1', '::7f00:1', '64:ff9b::7f00:1', 'localhost'])(
    'is not this machine: %s',
    (address) => expect(isLoopbackAddress(address)).toBe(false),
  );

  it('is our own if an interface has it', () => {
    expect(isOwnAddress('127.0.0.1')).toBe(true);
    expect(isOwnAddress('8.8.8.8')).toBe(false);
  });
});

describe('the URL of a receiver', () => {
  it.each([
    ['ftp://receiver.example/hook', 'the URL must begin with http:// or https://'],
    ['file:///etc/passwd', 'the URL must begin with http:// or https://'],
    ['/hook', 'the URL is not absolute'],
    ['https://', 'the URL is not absolute'],
    ['https://user@receiver.example/', 'the URL must hold no user name and no password'],
    ['https://:word@receiver.example/', 'the URL must hold no user name and no password'],
    ['https://receiver.example:22/', 'the port must be 80, 443, or 1024 and above'],
    ['https://receiver.example:1023/', 'the port must be 80, 443, or 1024 and above'],
    ['http://receiver.example:0/', 'the port must be 80, 443, or 1024 and above'],
    [`https://receiver.example/${'a'.repeat(2_048)}`, 'the URL is longer than 2048 characters'],
  ])('is refused with what it takes: %s', (url, problem) => expect(problemOfUrl(url, rules)).toBe(problem));

  it.each(['https://receiver.example/', 'https://receiver.example:1024/hook?a=b', 'http://receiver.example:80/'])(
    'is allowed: %s',
    (url) => expect(problemOfUrl(url, rules)).toBeUndefined(),
  );

  it('must be https:// in production', () => {
    expect(problemOfUrl('http://receiver.example/', { ...rules, plainHttp: false })).toBe(
      'the URL must begin with https://',
    );
  });
});
