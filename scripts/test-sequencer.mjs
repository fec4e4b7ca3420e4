// Starts the longest specs first, so that short ones fill the workers at the end.
import SequencerModule from '@jest/test-sequencer';
import { run, secondsOf } from './test-durations.mjs';

const Sequencer = SequencerModule.default ?? SequencerModule;

export default class LongestFirst extends Sequencer {
  sort(tests) {
    run.seconds = tests.reduce((sum, { path }) => sum + secondsOf(path), 0);
    return [...tests].sort((a, b) => secondsOf(b.path) - secondsOf(a.path) || a.path.localeCompare(b.path));
  }
}
