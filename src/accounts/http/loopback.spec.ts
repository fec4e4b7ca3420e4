import { isLocal } from './loopback.js';

describe('a caller on this machine', () => {
  it.each([
    ['127.0.0.1', 'localhost:3000'],
    ['::1', '[::1]:3000'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
  ])('comes from %s to %s', (address, host) => expect(isLocal(address, { host })).toBe(true));

  it('does not come from elsewhere', () => {
    for (const address of ['10.0.0.1', '::2', '1127.0.0.1', undefined]) {
      expect(isLocal(address, { host: 'localhost' })).toBe(false);
    }
  });

  it('does not come through a proxy', () =>
    expect(isLocal('127.0.0.1', { host: 'localhost', 'x-forwarded-for': '203.0.113.9' })).toBe(false));

  it('does not come from a page that points a name of its own here', () =>
    expect(isLocal('127.0.0.1', { host: 'attacker.example:3000' })).toBe(false));
});
