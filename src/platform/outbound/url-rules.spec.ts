import { REFUSED_HOSTS } from '../../../test/support/refused-hosts.js';
import { isLoopbackAddress, isOwnAddress, isPublicAddress } from './public-addresses.js';
import { problemOfUrl } from './url-rules.js';

const rules = { plainHttp: true, isAllowed: isPublicAddress };

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
