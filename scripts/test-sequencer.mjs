// Starts the longest specs first, so that short ones fill the workers at the end.
import SequencerModule from '@jest/test-sequencer';

const Sequencer = SequencerModule.default ?? SequencerModule;
/** The long ones, longest first. A fresh clone knows no durations of an earlier run, which order the others. */
const LONGEST = [
  'e2e/random-bodies',
  'crash/outages',
  'e2e/ten-thousand-checks.long',
  'e2e/hard-delete',
  'e2e/startup',
  'e2e/status-table',
  'e2e/shared-folder',
  'e2e/screening',
  'crash/service',
  'crash/webhooks',
  'crash/stalled-look-ups',
  'integration/projections-current',
  'crash/identities',
  'crash/credentials',
  'crash/payments',
  'crash/event-store',
  'integration/eventstore-faults',
  'e2e/claims',
  'integration/identity-redis',
].map((name) => `/${name}.spec.ts`);
const PROJECTS = ['crash', 'e2e', 'integration', 'contract', 'unit'];

const rank = ({ path, context }) => {
  const place = LONGEST.findIndex((name) => path.endsWith(name));
  return place === -1 ? LONGEST.length + PROJECTS.indexOf(context.config.displayName?.name) : place;
};

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
