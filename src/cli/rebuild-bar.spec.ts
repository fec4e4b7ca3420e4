import { PassThrough } from 'node:stream';
import { eventually } from '../../test/support/processes.js';
import { RebuildBar } from './rebuild-bar.js';

/** A bar, and all that it has drawn on its terminal. */
const drawn = () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  let text = '';
  terminal.on('data', (bytes: Buffer) => (text += bytes.toString()));
  return {
    bar: new RebuildBar('ledger', terminal),
    shows: (part: RegExp) => eventually(String(part), () => part.test(text)),
  };
};

const progress = { position: 50n, goal: 100n, events: 40 };

describe('the bar of a rebuild', () => {
  it('moves on while indexes are made and rows compared, which have no measure', async () => {
    const { bar, shows } = drawn();
    bar.show(progress);
    await shows(/ledger \S+ 50% \| 40 events \| \d+\/s \| \S+ left/);
    bar.showStage('ledger', { doing: 'making indexes', number: 1, of: 2 });
    await shows(/50% \| 40 events \| ledger: making indexes, 1 of 2 \| 0s/);
    await shows(/ledger: making indexes, 1 of 2 \| 1s/);
    bar.showStage('ledger', { doing: 'making indexes', number: 2, of: 2 });
    await shows(/ledger: making indexes, 2 of 2 \| [12]s/);
    bar.showStage('ledger', { doing: 'comparing' });
    await shows(/ledger: comparing \| 0s/);
    bar.show({ ...progress, position: 100n });
    await shows(/100% \| 40 events \| \d+\/s/);
    bar.stop();
  });

  it('is there for the next one of several, which may have nothing left to read', async () => {
    const { bar, shows } = drawn();
    bar.show(progress);
    bar.stop();
    bar.showStage('accounts', { doing: 'comparing' });
    await shows(/accounts: comparing \| 0s/);
    bar.stop();
  });
});
