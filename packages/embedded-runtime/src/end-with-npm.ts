const LOOK_MS = 250;
/** Noted before anything else is loaded: once it is gone there is no telling that it was there. */
const shell = process.ppid;

/**
 * Under `npm run` sends this process SIGTERM once the shell between npm and it is gone. npm passes a signal on to that shell,
 * which dies of it and tells nobody: a plain `kill` of npm's id would leave the program running.
 */
export const endWithNpm = (environment: NodeJS.ProcessEnv): void => {
  if (environment['npm_lifecycle_event'] === undefined) return;
  const looking = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS).unref();
};
