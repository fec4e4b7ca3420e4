import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const parentOf = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name stands in parentheses and may hold any character.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
};

/** A process and all its descendants, the process itself first. */
export const treeOf = (root: number): number[] => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? parentOf(pid) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
};

/** Sends a signal to a process and all its descendants. Skips processes that have ended meanwhile. */
export const signalTree = (root: number, signal: NodeJS.Signals): void => {
  for (const pid of treeOf(root)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};

/** Process id of the Postgres server over this folder. */
export const postmasterOf = (directory: string): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** Process id of the event-store node that a service started. */
export const eventStoreNodeOf = (service: number): number => {
  const node = treeOf(service).find((pid) => /node\S* .*event-store-node\/dist\/main\.js/.test(commandOf(pid)));
  if (node === undefined) throw new Error(`no event-store node under process ${service}`);
  return node;
};

/** A variable of a running process's environment. */
export const variableOf = (pid: number, name: string): string => {
  const entry = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .find((text) => text.startsWith(`${name}=`));
  if (entry === undefined) throw new Error(`process ${pid} has no ${name}`);
  return entry.slice(name.length + 1);
};

/** The processes with this data folder in their environment, with their command lines. Linux only. */
export const processesOf = (dataDir: string): { pid: number; command: string }[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(`DATA_DIR=${dataDir}`)) return [];
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ') }];
      } catch {
        return [];
      }
    });
