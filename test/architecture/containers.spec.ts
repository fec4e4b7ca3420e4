import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { root } from './source-files.js';

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck?: unknown;
}

const text = (name: string): string => readFileSync(join(root, name), 'utf8');
const compose = parse(text('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
const known = new Set(Object.values(VARIABLES).map(({ name }) => name));

/** `${NAME:?}` becomes an example of what the variable takes, `${NAME:-default}` its default. */
const substitute = (value: string): string =>
  value.replaceAll(/\$\{([A-Z_]+):([?-])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    const variable = Object.values(VARIABLES).find((candidate) => candidate.name === name);
    return kind === '-' ? rest : ((variable && 'example' in variable ? variable.example : undefined) ?? 'secret');
  });

const dockerfile = text('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

const instructions = (name: string): string[] =>
  dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** A version down to its last number, never a moving tag. */
const PINNED = /^[a-z/-]+:\d+\.\d+(\.\d+)?[a-z0-9.-]*$/;

/** What the secret of the container holds. */
const secrets = mkdtempSync(join(tmpdir(), 'secrets-'));
const keyFile = join(secrets, 'keys.json');
const someKey = Buffer.alloc(32).toString('base64');
writeFileSync(keyFile, JSON.stringify({ index_root: someKey, encryption_keys: { 1: someKey } }));
afterAll(() => rmSync(secrets, { recursive: true }));

describe('the image', () => {
  it('is built in stages from pinned images and runs without root', () => {
    const bases = instructions('FROM').map((line) => line.split(' ')[0]);
    expect(bases.length).toBeGreaterThan(1);
    for (const base of bases) expect(base).toMatch(PINNED);
    expect(instructions('USER')).toEqual(['node']);
    expect(instructions('HEALTHCHECK')).toHaveLength(1);
  });

  it('sets only variables of the configuration', () => {
    const names = instructions('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')[0]));
    expect(names.filter((name) => name !== 'NODE_ENV' && !known.has(name ?? ''))).toEqual([]);
  });
});

describe('the compose file', () => {
  it('runs every role, each part pinned and with a health check', () => {
    expect(ours.map(([, { environment }]) => environment['PROCESS_ROLES']).sort()).toEqual([
      'api',
      'jobs',
      'projections',
    ]);
    for (const { image, build, healthcheck } of Object.values(compose.services)) {
      expect(image).toMatch(PINNED);
      expect(build ?? healthcheck).toBeDefined();
    }
    expect(compose.services['eventstore']?.image).toContain(':23.10');
  });

  it.each(ours)('gives %s only variables that exist, and all that production needs', (_, { environment }) => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const values = Object.entries(environment).map(([name, value]) => [name, substitute(value)] as const);
    const given = { ...Object.fromEntries(values), KEY_FILE: keyFile, HOST: '0.0.0.0' };
    expect(loadConfig(given)).toMatchObject({
      environment: 'production',
      identityProvider: { audience: expect.any(String) },
    });
  });
});
