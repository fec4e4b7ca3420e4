import { type Recording } from '../../src/cli/command-line-acts.js';

/** For tests of what commands do, not of who does it. */
export const unrecorded: Recording = {
  acts: () => Promise.resolve({ perform: (_act, work) => work('operator') }),
};
