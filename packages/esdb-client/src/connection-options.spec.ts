import { jest } from '@jest/globals';
import fc from 'fast-check';
import { readConnectionString } from './connection-settings.js';
import { problemOfOptions } from './connection-options.js';

const SECRET = 'hunter2';

describe('the options of an event store connection string', () => {
  it.each([
    ['?tlsVerifyCert=false', 'tlsVerifyCert=false'],
    ['?tls=true&TLS_verify-cert= false ', 'tlsVerifyCert=false'],
    ['?tls=true&nodePreferance=leader', 'the option nodePreferance'],
    ['/?dnsDiscover=true', 'the option dnsDiscover'],
    // The client reads the name up to the first =.
    ['?tls&tls=true', 'the option tls'],
    ['?x@y=1', 'an option that there is not'],
  ])('are refused by name where the client would complain with the whole string: %s', (query, named) => {
    const text = `esdb://admin:${SECRET}@es:2113${query}`;
    expect(problemOfOptions(text)).toContain(named);
    expect(problemOfOptions(text)).not.toContain(SECRET);
  });

  it('are taken where the client takes them', () => {
    for (const query of ['', '?tls=false', '/?T-LS=true&tlsVerifyCert=true&connectionName=a=b', '?tlsCAFile=%2Fca'])
      expect(problemOfOptions(`esdb://admin:p%40ss@one:2113,two:2113${query}`)).toBeUndefined();
  });

  it('never bring a password onto the console, whatever they are', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const part = fc.constantFrom(
      ...['tls', 'T-LS', 'tlsVerifyCert', 'other', 'connectionName', 'true', 'false', ' '],
      ...['?', '&', '=', '@', ':', '/', ',', '%', '\n'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        for (const credentials of [`admin:${SECRET}@`, ''])
          try {
            readConnectionString(`esdb://${credentials}es:2113?${parts.join('')}`);
          } catch (error) {
            expect(String(error)).not.toContain(SECRET);
          }
        expect(warn).not.toHaveBeenCalled();
      }),
      { numRuns: 3_000 },
    );
    warn.mockRestore();
  });
});
