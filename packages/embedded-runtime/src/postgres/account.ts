import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartupError } from '../startup-error.js';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** A command and the user to start it as. */
export interface Launch {
  readonly command: readonly string[];
  readonly account?: Account | undefined;
}

const ACCOUNT_NAME = 'postgres';

const accountNamed = (name: string): Account | undefined => {
  try {
    const id = (flag: string): number =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
};

const createAccount = (): Account | undefined => {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT_NAME]);
  return accountNamed(ACCOUNT_NAME);
};

/**
 * Postgres refuses to run as root. A service under root runs it as an unprivileged user. Returns undefined for other users.
 * Throws StartupError where that user cannot be created.
 */
export const postgresAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const account = accountNamed(ACCOUNT_NAME) ?? createAccount();
  if (account === undefined) {
    throw new StartupError(
      `Postgres does not run as root and the user ${ACCOUNT_NAME} could not be created: start the service as an ordinary user.`,
    );
  }
  return account;
};

const mayReach = (account: Account, paths: readonly string[]): boolean =>
  spawnSync('/bin/sh', ['-c', 'for path; do test -x "$path" || exit 1; done', 'sh', ...paths], { ...account, cwd: '/' })
    .status === 0;

/** Capabilities to pass through closed folders, the weaker one first, with their bits (capabilities(7)). */
const PASSAGES = [
  { name: 'dac_read_search', bit: 2n },
  { name: 'dac_override', bit: 1n },
] as const;

const grantablePassage = (): string | undefined => {
  try {
    const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    return PASSAGES.find(({ bit }) => ((BigInt(`0x${bounding}`) >> bit) & 1n) === 1n)?.name;
  } catch {
    return undefined;
  }
};

/** The same command through setpriv. It runs as `account` but can enter folders that are closed to it, such as /root. */
const withPassage = (account: Account, command: readonly string[]): Launch | undefined => {
  const capability = grantablePassage();
  if (capability === undefined || spawnSync('setpriv', ['--version']).status !== 0) return undefined;
  // Postgres checks with access(2) that it may read its programs. access(2) heeds capabilities only with this bit set.
  const ids = ['--securebits=+no_setuid_fixup', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'];
  const capabilities = [`--inh-caps=-all,+${capability}`, `--ambient-caps=-all,+${capability}`];
  return { command: ['setpriv', ...ids, ...capabilities, `--bounding-set=-all,+${capability}`, ...command] };
};

/**
 * Builds the start of a command that runs as the account and must reach `paths`. Throws StartupError where it cannot reach
 * them.
 */
export const launchAs = (
  account: Account | undefined,
  command: readonly string[],
  paths: readonly string[],
): Launch => {
  if (account === undefined || mayReach(account, paths)) return { command, account };
  const launch = withPassage(account, command);
  if (launch !== undefined) return launch;
  throw new StartupError(
    `Postgres runs as the user ${ACCOUNT_NAME}, who may not enter ${paths.join(' or ')}: open the folders above for it (chmod o+x), or start the service as an ordinary user.`,
  );
};
