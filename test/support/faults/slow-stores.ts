import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Milliseconds each way. Set for a run in which every store is slow (scripts/test.mjs). */
const DELAY_MS = Number(process.env['TEST_STORE_DELAY_MS'] ?? 0);

const wires = new Map<string, Promise<number>>();

/** Runs in its own thread, so that busy tests do not slow it further. */
const wireTo = async (target: number): Promise<number> => {
  const workerData = { target, delayMs: DELAY_MS };
  const wire = new Worker(join(import.meta.dirname, 'slow-wire.mjs'), { workerData });
  wire.unref();
  const [{ port }] = (await once(wire, 'message')) as [{ port: number }];
  return port;
};

/** The address of a store on loopback: its own, or that of a slow connection to it. */
export const reached = async (url: string): Promise<string> => {
  if (DELAY_MS === 0) return url;
  const { port } = new URL(url);
  const wire = wires.get(port) ?? wireTo(Number(port));
  wires.set(port, wire);
  return url.replace(`:${port}`, `:${await wire}`);
};
