import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Lies below the range that Linux and macOS use for outgoing connections, so a restarted part finds its port free. */
const LOWEST = 20_000;
const HIGHEST = 32_000;
const TRIES = 50;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });

/** A port of 127.0.0.1 without a listener at the moment. */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found on 127.0.0.1 between ${LOWEST} and ${HIGHEST}`);
};
