import { freePort } from '@kyc/embedded-runtime/ports';

/** More than jest ever starts here. */
const MAX_WORKERS = 16;
const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % MAX_WORKERS;
const given = new Set<number>();

/** A free port that no other worker and no other server of this file is given, however late it is listened on. */
export const ownPort = async (): Promise<number> => {
  for (;;) {
    const port = await freePort();
    if (port % MAX_WORKERS !== worker || given.has(port)) continue;
    given.add(port);
    return port;
  }
};
