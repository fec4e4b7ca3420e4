import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { VARIABLES } from '../../src/platform/config/variables.js';
import { composeFile, type ComposeService, interpolated, type Mount } from '../support/compose.js';
import { root } from './source-files.js';

const text = (name: string): string => readFileSync(join(root, name), 'utf8');
const compose = composeFile('docker-compose.yml');
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
const serving = ours.filter(([, { profiles }]) => profiles === undefined);
const known = new Set(Object.values(VARIABLES).map(({ name }) => name));

/** What stands for a variable is an example of what it takes. */
const substitute = (value: string): string =>
  interpolated(value, (name) => {
    const variable = Object.values(VARIABLES).find((candidate) => candidate.name === name);
    const example = variable && 'example' in variable ? variable.example : undefined;
    return example ?? (value.includes(`${name}:?`) ? 'secret' : undefined);
  });

interface Stage {
  readonly name: string;
  readonly base: string;
  readonly lines: readonly string[];
}

/** The stages of the image's file; the last one, which is built where none is named, has the name ''. */
const stages: readonly Stage[] = text('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split(/^FROM /m)
  .slice(1)
  .map((stage) => {
    const [from = '', ...lines] = stage.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const [base = '', , name = ''] = from.split(' ');
    return { name, base, lines };
  });

const stageOf = (name: string): Stage => {
  const found = stages.find((stage) => stage.name === name);
  if (found === undefined) throw new Error(`there is no stage ${name}`);
  return found;
};

const instructionsIn = ({ lines }: Stage, name: string): string[] =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** Those of a stage and of all that it is built on, in order. */
const instructions = (stage: Stage, name: string): string[] => {
  const below = stages.find((other) => other.name === stage.base);
  return [...(below === undefined ? [] : instructions(below, name)), ...instructionsIn(stage, name)];
};

/** The images that are built: without a name the one for production parts. */
const IMAGES = ['', 'try'].map((name) => [name, stageOf(name)] as const);

const variablesOf = (stage: Stage): Record<string, string> =>
  Object.fromEntries(instructions(stage, 'ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2))));

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

it('builds images in stages from pinned ones', () => {
  const names = new Set(stages.map(({ name }) => name));
  const bases = stages.map(({ base }) => base).filter((base) => !names.has(base));
  expect(bases.length).toBeGreaterThan(1);
  for (const base of bases) expect(base).toMatch(PINNED);
});

describe.each(IMAGES)('the image %s', (_, image) => {
  it('runs without root, and may write to /data alone', () => {
    expect(instructions(image, 'USER')).toEqual(['node']);
    expect(instructions(image, 'VOLUME')).toEqual(['/data']);
    expect(instructions(image, 'COPY').filter((line) => line.includes('--chown'))).toEqual([]);
  });

  it('asks a program of its own whether it is ready, which knows port and scheme', () => {
    const [check = '', ...more] = instructions(image, 'HEALTHCHECK');
    expect(more).toEqual([]);
    const command = JSON.parse(check.slice(check.indexOf('CMD ') + 4)) as string[];
    expect(sourceOf(command)).toBe(join(root, 'src/health-check.ts'));
    expect(existsSync(sourceOf(command))).toBe(true);
  });

  it('leaves it to whoever starts it to permit embedded parts', () => {
    expect(variablesOf(image)).not.toHaveProperty('ALLOW_EMBEDDED');
  });

  it('sets only variables of the configuration', () => {
    const names = Object.keys(variablesOf(image));
    expect(names.filter((name) => name !== 'NODE_ENV' && !known.has(name))).toEqual([]);
  });
});

describe('the image to try', () => {
  const trial = composeFile('compose.try.yml');
  const [service, ...others] = Object.values(trial.services);

  it('has the programs of Postgres, which the other one leaves out', () => {
    const prunes = (name: string): string => instructionsIn(stageOf(name), 'RUN').join(' ');
    const sources = (image: Stage): Set<string> =>
      new Set(instructionsIn(image, 'COPY').map((line) => /--from=(\w+)/.exec(line)?.[1] ?? ''));
    expect(sources(stageOf('try'))).toEqual(new Set(['embedded']));
    expect(sources(stageOf(''))).toEqual(new Set(['external']));
    expect(prunes('embedded')).not.toContain('--omit=optional');
    expect(prunes('external')).toContain('--omit=optional');
    // The user of the image owns none of these files, so what an install script would mend is mended before.
    expect(prunes('embedded')).toMatch(/@kyc\/embedded-runtime\/postgres\/binaries'\)\)\.postgresBinaries\(\)/);
  });

  it('is one container whose data outlives it, which starts with embedded parts and asks for nothing', () => {
    expect(others).toEqual([]);
    expect([service?.build, service?.volumes]).toEqual([{ context: '.', target: 'try' }, ['data:/data']]);
    expect(trial.text).not.toMatch(/\$\{[A-Z_]+:?\?/);
    expect(Object.keys(service?.environment ?? {}).filter((name) => !known.has(name))).toEqual([]);
    const given = Object.entries(service?.environment ?? {}).map(([name, value]) => [name, substitute(value)] as const);
    const config = loadConfig({ ...variablesOf(stageOf('try')), ...Object.fromEntries(given) });
    expect(config).toMatchObject({ environment: 'sandbox', dataDir: '/data', publicUrl: 'http://localhost:3000' });
    expect([config.databaseUrl, config.eventStoreUrl, config.redisUrl]).toEqual([undefined, undefined, undefined]);
  });

  it('is reached from this machine alone', () => {
    expect(service?.ports).toEqual(['127.0.0.1:${TRY_PORT:-3000}:3000']);
  });
});

describe('the compose file', () => {
  it('runs every role, each part pinned and with a health check', () => {
    expect(serving.map(([, { environment = {} }]) => environment['PROCESS_ROLES']).sort()).toEqual([
      'api',
      'jobs',
      'projections',
    ]);
    for (const { image, build, healthcheck } of Object.values(compose.services)) {
      expect(image && substitute(image)).toMatch(PINNED);
      expect(build ?? healthcheck).toBeDefined();
    }
  });

  it('configures the event store alike by its names of before and after 25', () => {
    const named = Object.entries(compose.services['eventstore']?.environment ?? {});
    const of = (prefix: string) => named.filter(([name]) => name.startsWith(prefix));
    const renamed = of('EVENTSTORE_').map(([name, value]) => [name.replace('EVENTSTORE_', 'KURRENTDB_'), value]);
    expect(renamed.length).toBeGreaterThan(5);
    expect(of('KURRENTDB_')).toEqual(renamed);
  });

  it.each(ours)('gives %s only variables that exist, and all that production needs', (_, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const values = Object.entries(environment).map(([name, value]) => [name, substitute(value)] as const);
    const given = { ...Object.fromEntries(values), KEY_FILE: keyFile, HOST: '0.0.0.0' };
    expect(loadConfig(given)).toMatchObject({
      environment: 'production',
      identityProvider: { audience: expect.any(String) },
    });
  });

  it.each(serving)('lets %s read the folder of the keys and write nothing there', (_, service) => {
    const file = service.environment?.['KEY_FILE'] ?? '';
    expect(mountsOver(file, service)).toEqual([expect.objectContaining({ type: 'bind', read_only: true })]);
    expect(service.secrets).not.toContain('keys');
  });

  it('lets the keys command alone write to that folder, whole, so that a rotation reaches all who serve', () => {
    const { keys, api } = compose.services;
    if (keys === undefined || api === undefined) throw new Error('the compose file has no keys command or no api');
    const file = keys.environment?.['KEY_FILE'] ?? '';
    const [mount, ...more] = mountsOver(file, keys);
    expect([mount?.read_only, more]).toEqual([undefined, []]);
    expect(mountsOver(file, api)[0]).toMatchObject({ source: mount?.source, target: mount?.target });
    expect(keys.profiles).toEqual(['keys']);
    expect(existsSync(sourceOf(keys.entrypoint ?? []))).toBe(true);
    expect(keys.entrypoint?.slice(1)).toEqual(['dist/src/cli.js', 'keys']);
  });
});
