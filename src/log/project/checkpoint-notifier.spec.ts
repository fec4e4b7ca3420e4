import { CheckpointNotifier } from './checkpoint-notifier.js';

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => (done = true));
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

/** Milliseconds that no test waits for. */
const LONG_TIMEOUT = 10_000;

describe('the checkpoint board', () => {
  it('tells at once that somebody waits for a projection, whoever came first', async () => {
    const board = new CheckpointNotifier();
    const wanted = board.wanted(['balances', 'accounts']);
    expect(await settled(wanted)).toBe(false);
    void board.nextCommit('audit_log', LONG_TIMEOUT);
    expect(await settled(wanted)).toBe(false);
    void board.nextCommit('balances', LONG_TIMEOUT);
    expect(await settled(wanted)).toBe(true);
    expect(await settled(board.wanted(['accounts', 'balances']))).toBe(true);
    expect(await settled(board.wanted(['accounts']))).toBe(false);
    expect(board.isWanted(['accounts', 'balances'])).toBe(true);
    expect(board.isWanted(['accounts'])).toBe(false);
    for (const projection of ['audit_log', 'balances']) board.committed(projection, 1n);
  });

  it('wakes those who wait with the commit, once', async () => {
    const board = new CheckpointNotifier();
    const first = board.nextCommit('balances', 60_000);
    board.committed('balances', 7n);
    expect(await settled(first)).toBe(true);
    expect(board.position('balances')).toBe(7n);
    expect(await settled(board.wanted(['balances']))).toBe(false);
  });
});
