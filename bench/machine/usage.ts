import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. The kernel's own tick does not matter. */
const TICKS_A_SECOND = 100;

/** The resources that a group of processes used over a time. */
export interface Usage {
  /** Seconds of processor time. */
  readonly cpu: number;
  /** Megabytes. Each shared page is divided among the processes that share it. */
  readonly memory: number;
}

export type Groups = Readonly<Record<string, Usage>>;

interface ProcessRecord {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly cpu: number;
  readonly memory: number;
}

const field = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);

/** proc(5): user and system time, of itself and of its children that have ended, and the parent. */
const ticksIn = (
  path: string,
): { readonly own: number; readonly children: number; readonly parent: number } | undefined => {
  try {
    const stat = readFileSync(path, 'utf8');
    const values = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [utime = 0, stime = 0, childUser = 0, childSystem = 0] = values.slice(11, 15);
    const [own, children] = [utime + stime, childUser + childSystem].map((ticks) => ticks / TICKS_A_SECOND);
    return { own: own ?? 0, children: children ?? 0, parent: values[1] ?? 0 };
  } catch {
    // It ended meanwhile.
    return undefined;
  }
};

const readProcess = (pid: number): ProcessRecord | undefined => {
  const ticks = ticksIn(`/proc/${pid}/stat`);
  if (ticks === undefined) return undefined;
  try {
    return {
      pid,
      parent: ticks.parent,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
      cpu: ticks.own + ticks.children,
      memory: field(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss') / 1_024,
    };
  } catch {
    // The process ended meanwhile.
    return undefined;
  }
};

const descendants = (root: number): ProcessRecord[] => {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const records = all.map((name) => readProcess(Number(name))).filter((record) => record !== undefined);
  const family = new Set([root]);
  for (let grown = true; grown;) {
    const before = family.size;
    for (const { pid, parent } of records) if (family.has(parent)) family.add(pid);
    grown = family.size > before;
  }
  return records.filter(({ pid }) => family.has(pid));
};

const groupOf = ({ command }: ProcessRecord): string => {
  if (command.includes('event-store')) return 'event-store node';
  if (/postgres/.test(command)) return 'Postgres';
  return 'program';
};

/** The usage so far of the processes under these roots, by kind. Empty on systems without /proc. */
export const usageUnder = (...roots: readonly number[]): Groups => {
  if (process.platform !== 'linux') return {};
  const groups: Record<string, Usage> = {};
  for (const record of roots.flatMap(descendants)) {
    const group = groupOf(record);
    const { cpu = 0, memory = 0 } = groups[group] ?? {};
    groups[group] = { cpu: cpu + record.cpu, memory: memory + record.memory };
  }
  return groups;
};

/** Seconds of processor time of a process's main thread so far. Undefined on systems without /proc. */
export const mainThreadOf = (pid: number): number | undefined =>
  process.platform === 'linux' ? ticksIn(`/proc/${pid}/task/${pid}/stat`)?.own : undefined;

/** Processor time between the two, memory at the later. */
export const usageBetween = (before: Groups, after: Groups): Groups =>
  Object.fromEntries(
    Object.entries(after).map(([group, usage]) => [
      group,
      { cpu: Math.max(0, usage.cpu - (before[group]?.cpu ?? 0)), memory: usage.memory },
    ]),
  );
