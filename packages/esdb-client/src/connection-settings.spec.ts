import { readConnectionString } from './connection-settings.js';

describe('a connection string', () => {
  it('of a cluster asks for its leader, whether it says so or not', () => {
    for (const query of ['', '&nodePreference=leader']) {
      const { membership } = readConnectionString(`esdb+discover://cluster.example:2113?tls=true${query}`);
      expect(membership).toMatchObject({
        nodePreference: 'leader',
        discover: { address: 'cluster.example', port: 2113 },
      });
    }
  });

  it.each(['esdb', 'kurrentdb', 'kurrent', 'kdb', 'KurrentDB'])('means the same by the scheme %s', (scheme) => {
    const settingsOf = (start: string) => readConnectionString(`${start}://u:p@one.example:2113?tls=true`);
    expect(settingsOf(scheme)).toEqual(settingsOf('esdb'));
    expect(settingsOf(`${scheme}+discover`)).toEqual(settingsOf('esdb+discover'));
  });

  it('of a scheme that there is not is refused', () => {
    expect(() => readConnectionString('postgres://one:2113')).toThrow();
  });

  it.each(['follower', 'random', 'readOnlyReplica'])('is refused where it prefers %s', (preference) => {
    const text = `esdb+discover://cluster.example:2113?tls=true&nodePreference=${preference}`;
    expect(() => readConnectionString(text)).toThrow('nodePreference=leader only');
  });

  it.each([
    ['127.0.0.1:2113?tls=false', 'YWRtaW46aHVudGVyOjI='],
    ['localhost:2113?tls=false', 'YWRtaW46aHVudGVyOjI='],
    // The official client says them under TLS.
    ['127.0.0.1:2113?tls=true', undefined],
    // In the clear they are for no network to see.
    ['eventstore:2113?tls=false', undefined],
    ['127.0.0.1:2113,eventstore:2113?tls=false', undefined],
    ['127.example.org:2113?tls=false', undefined],
  ])('gives its credentials as a header of its own within this machine only: %s', (rest, basic) => {
    const { authorization } = readConnectionString(`esdb://admin:hunter%3A2@${rest}`);
    expect(authorization).toBe(basic === undefined ? undefined : `Basic ${basic}`);
  });

  it('without credentials gives no header', () => {
    expect(readConnectionString('esdb://127.0.0.1:2113?tls=false').authorization).toBeUndefined();
  });

  it('of one node needs no preference, and both client certificate files together', () => {
    expect(readConnectionString('esdb://127.0.0.1:2113?tls=false').membership).toEqual({
      endpoint: { address: '127.0.0.1', port: 2113 },
    });
    expect(() => readConnectionString('esdb://127.0.0.1:2113?userCertFile=/c')).toThrow('userCertFile and userKeyFile');
  });
});
