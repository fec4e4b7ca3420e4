import { CheckpointBoard } from './checkpoint-board.js';

const settled = async (promise: Promise<void>): Promise<boolean> => {
  let done = false;
  void promise.then(() => (done = true));
  await new Promise((resolve) => setImmediate(resolve));
  return done;
};

describe('the checkpoint board', () => {
  it('tells a projection at once that somebody waits for it, whoever came first', async () => {
    const board = new CheckpointBoard();
    const wanted = board.wanted('balances');
    expect(await settled(wanted)).toBe(false);
    void board.nextCommit('audit_log', 5);
    expect(await settled(wanted)).toBe(false);
    void board.nextCommit('balances', 5);
    expect(await settled(wanted)).toBe(true);
    expect(await settled(board.wanted('balances'))).toBe(true);
  });

  it('wakes those who wait with the commit, once', async () => {
    const board = new CheckpointBoard();
    const first = board.nextCommit('balances', 60_000);
    board.committed('balances', 7n);
    expect(await settled(first)).toBe(true);
    expect(board.position('balances')).toBe(7n);
    expect(await settled(board.wanted('balances'))).toBe(false);
  });
});
