// How many times slower this machine is now than an idle one of two cores, from 1 to 8. What tests wait for may take so much longer.
import { pbkdf2Sync } from 'node:crypto';

const ROUNDS = 100_000;
/** Milliseconds that the rounds take on an idle core of 2026. */
const IDLE = 22;
const TRIES = 7;

const timed = () => {
  const began = performance.now();
  pbkdf2Sync('slow', 'or not', ROUNDS, 32, 'sha256');
  return performance.now() - began;
};

export const slowness = () => {
  const [median] = Array.from({ length: TRIES }, timed)
    .sort((left, right) => left - right)
    .slice(TRIES >> 1);
  return Math.min(8, Math.max(1, Math.round((10 * median) / IDLE) / 10));
};
