import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { root } from './source-files.js';

interface Mount {
  readonly type: string;
  readonly source: string;
  readonly target: string;
  readonly read_only?: boolean;
}

interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck?: unknown;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly (Mount | string)[];
}

const text = (name: string): string => readFileSync(join(root, name), 'utf8');
const compose = parse(text('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
const serving = ours.filter(([, { profiles }]) => profiles === undefined);
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
const PINNED = /^[a-z/-]+:v?\d+\.\d+(\.\d+)?[a-z0-9.-]*$/;

/** The folder that holds a file which the compose file mounts or names. */
const mountsOver = (path: string, { volumes = [] }: ComposeService): Mount[] =>
  volumes.flatMap((mount) => (typeof mount !== 'string' && mount.target === dirname(path) ? [mount] : []));

/** The source of a program that a container runs: `node dist/src/….js`. */
const sourceOf = (command: readonly string[]): string => {
  expect(command[0]).toBe('node');
  return join(root, (command[1] ?? '').replace(/^dist\//, '').replace(/\.js$/, '.ts'));
};

/** What the key folder of the container holds. */
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
  });

  it('asks a program of its own whether it is ready, which knows port and scheme', () => {
    const [check = '', ...more] = instructions('HEALTHCHECK');
    expect(more).toEqual([]);
    const command = JSON.parse(check.slice(check.indexOf('CMD ') + 4)) as string[];
    expect(sourceOf(command)).toBe(join(root, 'src/health-check.ts'));
    expect(existsSync(sourceOf(command))).toBe(true);
  });

  it('sets only variables of the configuration', () => {
    const names = instructions('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')[0]));
    expect(names.filter((name) => name !== 'NODE_ENV' && !known.has(name ?? ''))).toEqual([]);
  });
});

describe('the compose file', () => {
  it('runs every role, each part pinned and with a health check', () => {
    expect(serving.map(([, { environment }]) => environment['PROCESS_ROLES']).sort()).toEqual([
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

  it.each(serving)('lets %s read the folder of the keys and write nothing there', (_, service) => {
    const file = service.environment['KEY_FILE'] ?? '';
    expect(mountsOver(file, service)).toEqual([expect.objectContaining({ type: 'bind', read_only: true })]);
    expect(service.secrets).not.toContain('keys');
  });

  it('lets the keys command alone write to that folder, whole, so that a rotation reaches all who serve', () => {
    const { keys, api } = compose.services;
    if (keys === undefined || api === undefined) throw new Error('the compose file has no keys command or no api');
    const file = keys.environment['KEY_FILE'] ?? '';
    const [mount, ...more] = mountsOver(file, keys);
    expect([mount?.read_only, more]).toEqual([undefined, []]);
    expect(mountsOver(file, api)[0]).toMatchObject({ source: mount?.source, target: mount?.target });
    expect(keys.profiles).toEqual(['keys']);
    expect(existsSync(sourceOf(keys.entrypoint ?? []))).toBe(true);
    expect(keys.entrypoint?.slice(1)).toEqual(['dist/src/cli.js', 'keys']);
  });
});
