import { ConfigurationError } from './configuration-error.js';
import { loadConfig } from './load-config.js';

const faultsOf = (environment: Readonly<Record<string, string>>): readonly string[] => {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map(({ variable }) => variable);
  }
};

const TRUSTED = [
  'true',
  '1',
  '2',
  '10.0.0.0/8',
  '10.0.0.7',
  '10.0.0.0/8,192.168.0.0/16',
  ' 10.0.0.0/8 , ::1 ',
  'fd00::/8',
  '2001:db8::1',
];

describe('TRUST_PROXY', () => {
  it.each(TRUSTED)('takes %j', (text) => expect(faultsOf({ TRUST_PROXY: text })).toEqual([]));

  it.each([
    'yes',
    '0',
    '-1',
    '1.5',
    '1e3',
    '01',
    '1000000',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/',
    '10.0.0/8',
    '300.0.0.1',
    'fd00::/129',
    '::/0',
    '10.0.0.0/8,,::1',
    '10.0.0.0/8;::1',
    'proxy.example.org',
    'true,10.0.0.0/8',
    '1,10.0.0.0/8',
    '10.0.0.7:443',
    '[::1]',
  ])('does not take %j', (text) => expect(faultsOf({ TRUST_PROXY: text })).toEqual(['TRUST_PROXY']));

  // A proxy on this machine makes every caller look local.
  it.each(TRUSTED)('as %j says that others may reach the service: no development provider, no loopback', (text) => {
    const { developmentProvider, allowLoopback } = loadConfig({ TRUST_PROXY: text });
    expect([developmentProvider, allowLoopback]).toEqual([false, false]);
  });

  it.each(TRUSTED)('as %j is what TLS_TERMINATED_BY_PROXY needs', (text) => {
    expect(faultsOf({ TLS_TERMINATED_BY_PROXY: 'true', TRUST_PROXY: text })).toEqual([]);
  });
});
