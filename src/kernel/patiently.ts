import { Unavailable } from './unavailable.js';

const PATIENCE_MS = 15_000;
const PAUSE_MS = 250;

/** Repeats a step of the start, which may be repeated, while a store that it needs is being started or restarted. */
export const patiently = async <Result>(step: () => Promise<Result>): Promise<Result> => {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > deadline) throw error;
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
};
