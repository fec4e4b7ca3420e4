import { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certified, type Certified } from '../../../test/support/pid-issuer.js';
import { ConfigurationError } from './configuration-error.js';
import { loadConfig, warningsOf } from './load-config.js';

const folder = mkdtempSync(join(tmpdir(), 'verifier-'));
afterAll(() => rmSync(folder, { recursive: true }));

const environmentOf = (chain: readonly Certified[], of = chain[0]) => {
  const [certFile, keyFile] = [join(folder, 'verifier.crt'), join(folder, 'verifier.key')];
  writeFileSync(certFile, chain.map(({ certificate }) => certificate.toString('pem')).join('\n'));
  const key = of === undefined ? '' : KeyObject.from(of.keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(keyFile, key);
  return { VERIFIER_CERT_FILE: certFile, VERIFIER_KEY_FILE: keyFile };
};

const problemOf = (chain: readonly Certified[], of?: Certified): string => {
  try {
    loadConfig(environmentOf(chain, of));
    return 'none';
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map(({ variable, problem }) => `${variable} ${problem}`).join();
  }
};

let root: Certified;
let between: Certified;
let verifier: Certified;

beforeAll(async () => {
  root = await certified('CN=Root', { isAuthority: true });
  between = await certified('CN=Between', { by: root, isAuthority: true });
  verifier = await certified('CN=Verifier', { by: between, isAuthority: false });
});

describe('the certificate of a verifier', () => {
  it('is taken with its chain in order, with and without the authority at its end', () => {
    for (const chain of [[verifier], [verifier, between], [verifier, between, root]])
      expect(problemOf(chain)).toBe('none');
  });

  it('is refused where wallets would refuse what it signs', async () => {
    const other = await certified('CN=Other', { by: root, isAuthority: true });
    expect(problemOf([verifier, other])).toMatch(/^VERIFIER_CERT_FILE .* its chain is not in order$/);
    expect(problemOf([verifier, root, between])).toMatch('its chain is not in order');
    expect(problemOf([between, root])).toMatch('it is an authority');
    const wide = await certified('CN=Wide', { by: root, isAuthority: false, curve: 'P-384' });
    expect(problemOf([wide])).toMatch('its key is not of P-256');
    const early = await certified('CN=Early', { by: root, isAuthority: false, from: 2, to: 9 });
    expect(problemOf([early])).toMatch('it begins on');
    expect(problemOf([verifier], other)).toMatch(/^VERIFIER_KEY_FILE takes the key of the certificate/);
  });

  it('does not keep the service from starting once it has ended, but is warned of', async () => {
    const ended = await certified('CN=Ended', { by: root, isAuthority: false, from: -9, to: -1 });
    expect(warningsOf(loadConfig(environmentOf([ended])))).toContainEqual(expect.stringContaining('has ended'));
    expect(warningsOf(loadConfig(environmentOf([verifier])))).not.toContainEqual(expect.stringContaining('has ended'));
  });
});
