const LOOK_MS = 250;
/** Read before anything else loads. After the shell has ended, its process id can no longer be found. */
const shell = process.ppid;

/**
 * Sends this process SIGTERM under `npm run` when the shell between npm and it ends. npm passes a signal on to that shell only.
 * The shell dies without passing it on. A plain `kill` of npm's id would leave the program running.
 */
export const endWithNpm = (environment: NodeJS.ProcessEnv): void => {
  if (environment['npm_lifecycle_event'] === undefined) return;
  const looking = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS).unref();
};
