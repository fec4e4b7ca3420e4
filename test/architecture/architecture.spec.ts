import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayImport, roomOf } from './import-rules.js';
import { root, type SourceFile, sourceFiles } from './source-files.js';

const MAX_FILE_LENGTH = 400;
/** Made of the OpenAPI document. */
const GENERATED = 'packages/client/src/schema.ts';

const packages = readdirSync(join(root, 'packages'));
const inPackages = packages.flatMap((name) => sourceFiles(`packages/${name}/src`));
const packageTests = sourceFiles('packages').filter(({ path }) => path.split('/')[2] === 'test');
const product = [...sourceFiles('src'), ...sourceFiles('projections'), ...inPackages];
const everything = [...product, ...packageTests, ...sourceFiles('test')];

const isSpec = ({ path }: SourceFile): boolean => path.endsWith('.spec.ts') || path.includes('/testing/');

/** The lines of these files that match, as `path:line`. */
const linesWith = (files: readonly SourceFile[], pattern: RegExp): string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (pattern.test(line.replace(/\/\/.*$/, '')) ? [`${path}:${index + 1}`] : [])),
  );

const programs = product.filter((file) => !isSpec(file));
const inDomain = programs.filter(({ path }) => path.includes('/domain/'));

describe('each class of the service', () => {
  it('has a name of its own, since leaders, metrics and logs name what runs by its class, and a bundle numbers those that share one', () => {
    const named = programs.flatMap(({ path, text }) =>
      path.startsWith('packages/')
        ? []
        : [...text.matchAll(/^(?:export )?(?:abstract )?class (\w+)/gm)].map(([, name]) => name),
    );
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
  });
});

describe('the import table', () => {
  it('holds for every file', () => {
    const broken = programs.flatMap(({ path, imports }) =>
      imports.filter((imported) => !mayImport(roomOf(path), imported)).map((imported) => `${path} imports ${imported}`),
    );
    expect(broken).toEqual([]);
  });

  it.each([
    ['src/kernel/ids.ts', 'src/platform/tokens.ts'],
    ['src/kernel/ids.ts', 'rxjs'],
    ['src/claims/claims.contract.ts', 'src/claims/domain/claims.ts'],
    ['src/claims/claims.contract.ts', 'src/kernel/ids.ts'],
    ['src/credits/domain/credits.ts', '@nestjs/common'],
    ['src/credits/domain/credits.ts', 'src/accounts/domain/account.events.ts'],
    ['src/credits/credits.port.ts', 'src/accounts/account-directory.ts'],
    ['src/credits/credits.handler.ts', 'src/accounts/account-directory.ts'],
    ['src/credits/credits.handler.ts', 'pg'],
    ['src/credits/http/credits.controller.ts', 'src/accounts/domain/account.events.ts'],
    ['projections/ledger/ledger.projection.ts', 'pg'],
    ['projections/ledger/ledger.projection.ts', 'src/credits/domain/credits.ts'],
    ['src/platform/queue/queue.ts', 'src/credits/domain/credits.events.ts'],
    ['src/observability/health.ts', 'src/platform/tokens.ts'],
    ['src/platform/postgres/database.ts', 'src/log/project/projection.ts'],
    ['src/log/append/aggregate-store.ts', 'src/contract/erasure/erasure-step.ts'],
    ['src/contract/erasure/erasure-step.ts', 'src/idempotency/idempotency.ts'],
    ['src/idempotency/idempotency.ts', 'src/http/failure.ts'],
    ['src/credits/credits.handler.ts', 'src/boot/stores/stores.ts'],
    ['src/credits/credits.module.ts', 'src/boot/outbound.module.ts'],
    ['src/boot/outbound.module.ts', 'src/app.module.ts'],
    ['src/cli/keys.ts', 'src/main.ts'],
    ['src/cli.ts', '@kyc/tools/ingest/ingest'],
    ['src/kernel/ids.ts', '@kyc/embedded-runtime/startup-error'],
    ['packages/embedded-runtime/src/runtime.ts', 'src/kernel/ids.ts'],
    ['packages/embedded-runtime/src/runtime.ts', 'packages/event-store-node/src/node.ts'],
    ['packages/event-store-node/src/node.ts', '@kyc/embedded-runtime/ports'],
  ])('refuses that %s imports %s', (path, imported) => {
    expect(mayImport(roomOf(path), imported)).toBe(false);
  });

  it('sees imports of every form', () => {
    const imports = new Set(everything.flatMap((file) => file.imports));
    for (const seen of ['pg', 'node:crypto', 'src/kernel/ids.ts', 'reflect-metadata', 'src/app.module.ts']) {
      expect(imports).toContain(seen);
    }
  });
});

describe('a package', () => {
  it('needs nothing of the service, nor do its tests', () => {
    const service = /^(src|projections)\//;
    const needing = [...inPackages, ...packageTests].flatMap(({ path, imports }) =>
      imports.filter((imported) => service.test(imported)).map((imported) => `${path} imports ${imported}`),
    );
    expect(needing).toEqual([]);
  });

  it.each(packages)('%s declares what it imports', (name) => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
    // The console is bundled, and needs nothing where it is served.
    const declared = (name === 'console' ? devDependencies : dependencies) ?? {};
    const imports = inPackages
      .filter(({ path }) => path.startsWith(`packages/${name}/`) && !path.endsWith('.spec.ts'))
      .flatMap((file) => file.imports)
      .filter((imported) => !imported.startsWith('node:') && !imported.startsWith('packages/'))
      .map((imported) => /^(@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? '');
    const undeclared = new Set(imports.filter((imported) => !(imported in declared)));
    expect([...undeclared]).toEqual([]);
  });
});

describe('the style', () => {
  it(`has no file of more than ${MAX_FILE_LENGTH} lines`, () => {
    const written = everything.filter(({ path }) => path !== GENERATED);
    const long = written.filter(({ text }) => text.split('\n').length > MAX_FILE_LENGTH + 1).map(({ path }) => path);
    expect(long).toEqual([]);
  });

  it('keeps chance and the clock out of the domain', () => {
    expect(linesWith(inDomain, /Math\.random|Date\.now|new Date\(\)|performance\.now|randomUUID|randomBytes/)).toEqual(
      [],
    );
  });

  it('draws no secret or id from a weak source', () => {
    expect(linesWith(programs, /Math\.random/)).toEqual([]);
  });

  it('reads the environment in one place', () => {
    // Programs of packages have their own few variables, and children get what they need of ours.
    const readers =
      /^(src\/platform\/config\/|packages\/[a-z-]+\/src\/(main|event-store|child-environment|data-directory|demo\/running-service)\.ts$)/;
    const elsewhere = programs.filter(({ path }) => !readers.test(path));
    expect(linesWith(elsewhere, /process\.env\b/)).toEqual([]);
  });

  it('opens the event store in one place, where events are upcast', () => {
    const elsewhere = programs.filter(({ path }) => !/(open-event-store|external-stores)\.ts$/.test(path));
    expect(linesWith(elsewhere, /new GrpcEventStore\(/)).toEqual([]);
  });

  it('silences no checker and leaves nothing for later', () => {
    const excuses = /@ts-(ignore|expect-error|nocheck)|(es|ox)lint-disable|\b(TODO|FIXME|XXX)\b/;
    const files = everything.filter(({ path }) => path !== 'test/architecture/architecture.spec.ts');
    const found = files.flatMap(({ path, text }) => (excuses.test(text) ? [path] : []));
    expect(found).toEqual([]);
  });
});
