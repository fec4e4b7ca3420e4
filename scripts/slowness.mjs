// How many times slower this machine is now than an idle one of two cores, from 1 to 8. What tests wait for may take so much longer.
import { spawnSync } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';

const TRIES = 7;
/** What tests wait for, and milliseconds that it takes on an idle core of 2026. Fresh memory is what costs a start the most. */
const WORK = [
  [() => pbkdf2Sync('slow', 'or not', 100_000, 32, 'sha256'), 22],
  [() => spawnSync(process.execPath, ['--eval', '']), 45],
];

const timed = (work) => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

const median = (work) =>
  Array.from({ length: TRIES }, () => timed(work))
    .sort((left, right) => left - right)
    .at(TRIES >> 1);

export const slowness = () => {
  const times = Math.max(...WORK.map(([work, idle]) => median(work) / idle));
  return Math.min(8, Math.max(1, Math.round(10 * times) / 10));
};
