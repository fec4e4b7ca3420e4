import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { mkdir, open, readdir, readFile, readlink, rm, stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.js';
import { StartupError } from './startup-error.js';

const run = promisify(execFile);

/** Numbers of statfs(2) of file systems that one machine alone can have mounted, and once. */
const LOCAL_FILE_SYSTEMS: readonly number[] = [
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // overlay
];

/** Who made a pipe, as its name tells. */
export interface Holder {
  readonly path: string;
  /** What it holds the folder for. */
  readonly purpose: string;
  readonly pid: string;
  readonly pidNamespace: string;
  readonly host: string;
  /** Number of the mounted file system, as that process saw it. */
  readonly device: string;
  /** The kernel's number of its own start. */
  readonly boot: string;
}

/** `unknown`: it may run on another machine, whose processes this kernel cannot see. */
export type Life = 'alive' | 'gone' | 'unknown';

type Origin = Omit<Holder, 'path'>;

const UNKNOWN_BOOT = 'unknown';

const nameOf = ({ purpose, pid, pidNamespace, host, device, boot }: Origin): string =>
  [purpose, pid, pidNamespace, host, device, boot, randomBytes(6).toString('hex')].join('_');

const holderAt = (folder: string, name: string): Holder | undefined => {
  const [purpose, pid, pidNamespace, host, device, boot, random] = name.split('_');
  if (!purpose || !pid || !pidNamespace || !host || !device || !boot || !random) return undefined;
  return { path: join(folder, name), purpose, pid, pidNamespace, host, device, boot };
};

/** What can be said of a holder whose pipe nobody on this machine reads. */
export const lifeWithoutReader = (
  holder: Pick<Holder, 'boot' | 'device'>,
  here: { readonly isLocal: boolean; readonly boot: string; readonly device: string },
): Life => {
  const isSameMount = holder.boot !== UNKNOWN_BOOT && holder.boot === here.boot && holder.device === here.device;
  return here.isLocal || isSameMount ? 'gone' : 'unknown';
};

const pidNamespace = async (): Promise<string> =>
  /\d+/.exec(await readlink('/proc/self/ns/pid').catch(() => ''))?.[0] ?? 'none';

const bootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => UNKNOWN_BOOT)).trim();

const isLocal = async (folder: string): Promise<boolean> => {
  if (process.platform === 'linux') return LOCAL_FILE_SYSTEMS.includes((await statfs(folder)).type >>> 0);
  // Elsewhere the numbers differ from start to start; BSD's find knows.
  const { stdout } = await run('find', [folder, '-prune', '-fstype', 'local'], { env: childEnvironment() });
  return stdout.trim() !== '';
};

/** A pipe that this process holds open. */
export class HeldPipe {
  constructor(
    readonly path: string,
    /** To be inherited by children, who hold it then as well. */
    readonly descriptor: number,
  ) {}

  /** Gives this process' share up: those who inherited it hold it on. */
  close(): void {
    closeSync(this.descriptor);
  }
}

const HOLD_ATTEMPTS = 5;

/**
 * Tells who uses a folder, across all namespaces of a machine: every user holds a named pipe in `locks/` open for reading, and
 * to open a pipe for writing fails where nobody reads it. The kernel knows that of each process, running, stopped or
 * orphaned, and forgets it when the last of them ends, however it ends.
 */
export class FolderLock {
  private constructor(
    private readonly folder: string,
    private readonly origin: Omit<Origin, 'purpose'>,
  ) {}

  static async of(directory: string): Promise<FolderLock> {
    const folder = join(directory, 'locks');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const origin = {
      pid: String(process.pid),
      pidNamespace: await pidNamespace(),
      host: hostname().replaceAll(/[^A-Za-z0-9.-]/g, '-') || 'unnamed',
      device: String((await stat(folder)).dev),
      boot: await bootId(),
    };
    return new FolderLock(folder, origin);
  }

  /** Shows all others from now on that the folder is in use. */
  async hold(purpose: string): Promise<HeldPipe> {
    for (let attempt = 1; ; attempt += 1) {
      const path = await this.makePipe(purpose);
      try {
        return new HeldPipe(path, openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      } catch (error) {
        // Another one that starts may have taken it for left behind before it was held.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === HOLD_ATTEMPTS) throw error;
      }
    }
  }

  private async makePipe(purpose: string): Promise<string> {
    const path = join(this.folder, nameOf({ ...this.origin, purpose }));
    await run('mkfifo', ['-m', '600', path], { env: childEnvironment() }).catch((error: unknown) => {
      throw new StartupError(
        `The data folder cannot be locked, since no named pipe can be made in ${this.folder}: give another one with DATA_DIR, on a file system of this machine.`,
        { cause: error },
      );
    });
    return path;
  }

  /**
   * Whether nobody but this pipe's holder has a pipe of its purpose, so that the folder is its own. At most one of many who hold
   * and then ask is told so: each shows itself before it looks. The pipes of who is gone are removed by the winner alone; one
   * that was not yet held when such a winner looked is missing here afterwards, and so does not win.
   */
  async rivals({ path }: HeldPipe, purpose: string): Promise<{ readonly living: Holder[]; readonly wins: boolean }> {
    const others = (await this.holders(purpose)).filter((holder) => holder.path !== path);
    const living = await this.notGone(others);
    if (living.length > 0 || !existsSync(path)) return { living, wins: false };
    for (const { path: left } of others) await rm(left, { force: true });
    return { living, wins: true };
  }

  /** All pipes whose purpose begins so, whatever became of their holders. */
  async holders(purpose: string): Promise<Holder[]> {
    const names = await readdir(this.folder);
    return names.flatMap((name) => holderAt(this.folder, name) ?? []).filter((one) => one.purpose.startsWith(purpose));
  }

  async notGone(holders: readonly Holder[]): Promise<Holder[]> {
    const lives = await Promise.all(holders.map((holder) => this.lifeOf(holder)));
    return holders.filter((_, index) => lives[index] !== 'gone');
  }

  async lifeOf(holder: Holder): Promise<Life> {
    try {
      await (await open(holder.path, constants.O_WRONLY | constants.O_NONBLOCK)).close();
      return 'alive';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return 'gone';
      if (code !== 'ENXIO') return 'unknown';
      return lifeWithoutReader(holder, { ...this.origin, isLocal: await isLocal(this.folder) });
    }
  }

  /** Who holds it, in words. */
  describe({ pid, pidNamespace: namespace, host }: Holder): string {
    if (host !== this.origin.host) return `process ${pid} on ${host}, another machine or container`;
    return namespace === this.origin.pidNamespace ? `pid ${pid}` : `pid ${pid} in another container`;
  }
}
