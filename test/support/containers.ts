import { spawnSync } from 'node:child_process';
import { bareEnvironment, built, builtPackage } from './built.js';
import { TestProcess } from './processes.js';

/** Namespaces of its own for processes, network and System V memory, as a container has; its end ends all that is in it. */
const CONTAINER = ['--net', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'];

/** Whether this machine lets the tests make containers: that takes Linux, unshare and root. */
export const containersAllowed = spawnSync('unshare', [...CONTAINER, 'ip', 'link', 'set', 'lo', 'up']).status === 0;

const PROGRAMS = {
  service: [process.execPath, built('src/main.js')],
  node: [process.execPath, builtPackage('embedded-runtime', 'event-store.js')],
};

/** A program in a container, which lives on when the program has ended. */
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
