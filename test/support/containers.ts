import { spawnSync } from 'node:child_process';
import { bareEnvironment, built, builtPackage } from './built.js';
import { TestProcess } from './processes.js';

/**
 * Separate namespaces for processes, network and System V memory, like a container. The end of the first process ends all
 * others.
 */
const CONTAINER = ['--net', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'];

/** Tells whether the tests can create containers on this machine. That needs Linux, unshare and root. */
export const containersAllowed = spawnSync('unshare', [...CONTAINER, 'ip', 'link', 'set', 'lo', 'up']).status === 0;

const PROGRAMS = {
  service: [process.execPath, built('src/main.js')],
  node: [process.execPath, builtPackage('embedded-runtime', 'event-store.js')],
};

/** Runs a program in a container. The container lives on after the program has ended. */
export const spawnContained = (program: keyof typeof PROGRAMS, env: Readonly<Record<string, string>>): TestProcess =>
  new TestProcess(
    'unshare',
    [
      ...CONTAINER,
      'sh',
      '-c',
      'ip link set lo up; "$@"; echo "ended with status $?"; sleep 600',
      'sh',
      ...PROGRAMS[program],
    ],
    { ...bareEnvironment(), ...env },
  );
