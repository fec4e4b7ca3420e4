import { ledger } from '../../projections/ledger/ledger.projection.js';
import { projectionsCommand } from './projections.js';

/** Opens nothing: such a line is refused before. */
const command = async (words: readonly string[]): Promise<{ readonly code: number; readonly output: string }> => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const open = (): Promise<number> => Promise.reject(new Error('nothing should be opened'));
  const code = await projectionsCommand(words, [ledger], { print, open });
  return { code, output: lines.join('\n') };
};

describe('a line that cannot be understood', () => {
  it.each([
    [['diff', 'nothing'], 'there is no projection nothing'],
    [['diff', 'all'], 'it takes the name of one projection'],
    [['diff', 'ledger', '--at', 'noon'], 'It takes a position of the log'],
    [['diff', 'ledger', '--limit', '0'], 'It takes a number from 1 to 1000'],
    [['bisect', 'ledger', 'people', 'x'], 'ledger has no table people'],
    [['bisect', 'ledger', 'balances', '["x'], 'a JSON array'],
    [['verify'], 'name projections, or --all'],
  ])('%p says what is wrong', async (words, complaint) => {
    const { code, output } = await command(words);
    expect(code).toBe(2);
    expect(output).toContain(complaint);
  });
});
