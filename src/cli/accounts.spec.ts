import { accountsCommand } from './accounts.js';

const ID = 't01hzzzzzzzzzzzzzzzzzzzzzzz';
const ADJUST = ['adjust', ID, '--reason', 'x', '--reference', 'r'];

const printed: string[] = [];
let opened = 0;
const run = (...words: string[]): Promise<number> =>
  accountsCommand(words, {
    print: (line) => void printed.push(line),
    open: () => {
      opened += 1;
      return Promise.resolve(0);
    },
  });

beforeEach(() => {
  printed.length = 0;
  opened = 0;
});

it.each([
  [['show', 'acme'], 'the id of an account'],
  [['create', '--name', 'Acme'], '--contact-email'],
  [['create', '--name', ' ', '--contact-email', 'nobody'], '--name: Text of 1 to 200 characters'],
  [['create', '--name', 'Acme', '--contact-email', 'nobody'], '--contact-email: A valid e-mail address'],
  [['create', '--name', 'Acme', '--contact-email', 'a@example.org', '--tier', 'gold'], '--tier: One of starter'],
  [['list', '--limit', '101'], '--limit: A whole number from 1 to 100'],
  [['update', ID], 'say what to change: --name, --tier'],
  [['update', ID, '--alert-thresholds', '20,x'], '--alert-thresholds: At most 10 whole percentages'],
  [['update', ID, '--rate-limit-per-minute', '0'], '--rate-limit-per-minute: A whole number from 1'],
  [['suspend', ID], '--reason'],
  [['adjust', ID, '--amount', '5', '--reason', 'x'], '--reference'],
  [[...ADJUST, '--amount', '0'], '--amount: A whole number'],
  [[...ADJUST, '--amount', '1.5'], '--amount: A whole number'],
  [[...ADJUST.slice(0, -1), ' ', '--amount', '5'], 'It takes a text'],
  [[...ADJUST.slice(0, -1), 'tick\u200b1', '--amount', '5'], 'It takes a text'],
  [['adjust', '--operator', '', ...ADJUST.slice(1), '--amount', '5'], 'It takes a name'],
  [['keys', 'create', ID, '--name', 'k', '--scopes', 'eligibility,all'], '--scopes: A list'],
  [['keys', 'create', ID, '--name', 'k', '--expires-at', 'soon'], '--expires-at: An ISO 8601 timestamp'],
  [['keys', 'rotate', ID], 'key'],
  [['remove', ID], 'remove'],
])('opens nothing for %j and says what is wrong', async (words, fault) => {
  expect([await run(...words), opened]).toEqual([2, 0]);
  expect(printed.join('\n')).toContain(fault);
});

it.each([
  [['list', '--q', 'acme', '--offset', '50', '--json']],
  [['credits', ID]],
  [[...ADJUST, '--amount', '-5']],
  [['update', ID, '--alert-thresholds', '']],
  [['keys', 'revoke', ID, 'ibm8Su4a', '--operator', 'alice']],
])('understands %j', async (words) => {
  expect([await run(...words), opened, printed]).toEqual([0, 1, []]);
});

it('shows what there is', async () => {
  expect(await run('--help')).toBe(0);
  for (const name of ['list', 'show', 'credits', 'create', 'update', 'suspend', 'reinstate', 'adjust', 'keys'])
    expect(printed.join('\n')).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
});
