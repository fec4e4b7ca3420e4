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

/** The statfs(2) type numbers of file systems that only one machine can mount, and only once. */
const LOCAL_FILE_SYSTEMS: readonly number[] = [
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // overlay
];

/** The maker of a pipe, read from the pipe's name. */
export interface Holder {
  readonly path: string;
  /** The use of the folder, such as the service or a Postgres. */
  readonly purpose: string;
  readonly pid: string;
  readonly pidNamespace: string;
  readonly host: string;
  /** Number of the mounted file system, as that process saw it. */
  readonly device: string;
  /** The kernel's boot id. */
  readonly boot: string;
}

/** `unknown`: the process may run on another machine, whose processes this kernel cannot see. */
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

/** Judges a holder whose pipe has no reader on this machine. */
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
  // Elsewhere the numbers differ from boot to boot. BSD's find can tell.
  const { stdout } = await run('find', [folder, '-prune', '-fstype', 'local'], { env: childEnvironment() });
  return stdout.trim() !== '';
};

/** A pipe that this process holds open. */
export class HeldPipe {
  constructor(
    readonly path: string,
    /** Children that inherit it hold the pipe as well. */
    readonly descriptor: number,
  ) {}

  /** Gives up this process' share. Children that inherited the descriptor still hold the pipe. */
  close(): void {
    closeSync(this.descriptor);
  }
}

const HOLD_ATTEMPTS = 5;

/**
 * Says which processes use a folder, across all namespaces of a machine. Every user holds a named pipe in `locks/` open for
 * reading. Opening a pipe for writing fails where it has no reader. The kernel knows the readers, whether running, stopped or
 * orphaned. It forgets a reader when the last process with the descriptor ends, however it ends.
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

  /** Shows all other processes from now on that the folder is in use. */
  async hold(purpose: string): Promise<HeldPipe> {
    for (let attempt = 1; ; attempt += 1) {
      const path = await this.makePipe(purpose);
      try {
        return new HeldPipe(path, openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      } catch (error) {
        // Another starting process may have removed the pipe as left behind before it was held.
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
   * Looks for other living holders of the same purpose. `wins` means that the folder belongs to this pipe's holder alone. At
   * most one of many concurrent callers wins, since each shows its pipe before it looks. Only the winner removes the pipes of
   * ended processes. It may also remove a pipe that was not yet held when it looked. That pipe's owner finds it missing and
   * does not win.
   */
  async rivals({ path }: HeldPipe, purpose: string): Promise<{ readonly living: Holder[]; readonly wins: boolean }> {
    const others = (await this.holders(purpose)).filter((holder) => holder.path !== path);
    const living = await this.notGone(others);
    if (living.length > 0 || !existsSync(path)) return { living, wins: false };
    for (const { path: left } of others) await rm(left, { force: true });
    return { living, wins: true };
  }

  /** All pipes whose purpose begins with `purpose`, of living and ended holders. */
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

  /** Describes the holder for an error message. */
  describe({ pid, pidNamespace: namespace, host }: Holder): string {
    if (host !== this.origin.host) return `process ${pid} on ${host}, another machine or container`;
    return namespace === this.origin.pidNamespace ? `pid ${pid}` : `pid ${pid} in another container`;
  }
}
