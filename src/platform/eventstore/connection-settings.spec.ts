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

  it.each(['follower', 'random', 'readOnlyReplica'])('is refused where it prefers %s', (preference) => {
    const text = `esdb+discover://cluster.example:2113?tls=true&nodePreference=${preference}`;
    expect(() => readConnectionString(text)).toThrow('nodePreference=leader only');
  });

  it('of one node needs no preference, and both client certificate files together', () => {
    expect(readConnectionString('esdb://127.0.0.1:2113?tls=false').membership).toEqual({
      endpoint: { address: '127.0.0.1', port: 2113 },
    });
    expect(() => readConnectionString('esdb://127.0.0.1:2113?userCertFile=/c')).toThrow('userCertFile and userKeyFile');
  });
});
