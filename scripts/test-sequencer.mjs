// Starts the projects with the longest specs first, so that short ones fill the workers at the end.
import SequencerModule from '@jest/test-sequencer';

const Sequencer = SequencerModule.default ?? SequencerModule;
const LONGEST_FIRST = ['e2e', 'integration', 'contract', 'unit'];
const rank = ({ context }) => LONGEST_FIRST.indexOf(context.config.displayName?.name);

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
