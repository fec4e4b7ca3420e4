import { Unavailable } from './unavailable.js';

const PATIENCE_MS = 15_000;
const PAUSE_MS = 250;

/** Repeats a step, which may be repeated, while a store that it needs is out of reach; by default as long as a start may take. */
export const patiently = async <Result>(step: () => Promise<Result>, patienceMs = PATIENCE_MS): Promise<Result> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > deadline) throw error;
      await new Promise((resume) => setTimeout(resume, PAUSE_MS));
    }
  }
};
