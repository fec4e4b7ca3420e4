import { freePort } from '@kyc/embedded-runtime/ports';

/** Upper bound of jest's workers here. */
const MAX_WORKERS = 16;
const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % MAX_WORKERS;
const given = new Set<number>();

/**
 * A free port that only this caller gets. No other worker and no other server of this file gets it, however late it is used.
 */
export const ownPort = async (): Promise<number> => {
  for (;;) {
    const port = await freePort();
    if (port % MAX_WORKERS !== worker || given.has(port)) continue;
    given.add(port);
    return port;
  }
};
