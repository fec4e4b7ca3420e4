import { readFileSync } from 'node:fs';
import { ledger } from '../../projections/ledger/ledger.projection.js';
import { accountsCommand } from './accounts.js';
import { auditCommand } from './audit.js';
import { billingCommand } from './billing.js';
import { incidentCommand } from './incident.js';
import { keysCommand } from './keys.js';
import { projectionsCommand } from './projections.js';
import { reactorsCommand } from './reactors.js';

const operations = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
const runbook = operations.slice(operations.indexOf('\n## Runbook'), operations.indexOf('\n## Prove the log'));

/** What stands in the text for values of the reader's own. */
const VALUES: Readonly<Record<string, string>> = {
  '<tenant>': 't01hzzzzzzzzzzzzzzzzzzzzzzz',
  '<position>': '184467',
  '<kid>': 'key-1',
  '<key>': 'ibm8Su4a',
};

const commands = Array.from(runbook.matchAll(/npm run ([a-z]+) -- ([^`#\n]+)/g), ([, name = '', words = '']) => [
  name,
  words.trim().replaceAll(/<\w+>/g, (value) => VALUES[value] ?? value),
]).filter(([, words], index, all) => all.findIndex((other) => other[1] === words) === index);

const opened: string[] = [];
const line = {
  print: (text: string): void => void opened.push(text),
  open: (): Promise<number> => Promise.resolve(0),
};
type Parse = (words: readonly string[]) => Promise<number>;
const PARSERS: Readonly<Record<string, Parse>> = {
  accounts: (words) => accountsCommand(words, line),
  audit: (words) => auditCommand(words, line),
  billing: (words) => billingCommand(words, line),
  incident: (words) => incidentCommand(words, line),
  keys: (words) => keysCommand(words, line),
  projections: (words) => projectionsCommand(words, [ledger], line),
  reactors: (words) => reactorsCommand(words, line),
};

it('has a chapter for every kind of incident', () => {
  const chapters = Array.from(runbook.matchAll(/^### (.+)$/gm), ([, title]) => title);
  expect(chapters).toEqual([
    'A wrong balance is reported',
    'A projection is stuck',
    'A projection was buggy for a week',
    'Postgres is lost',
    'Redis is lost',
    'A back-up is restored',
    'A key is compromised',
  ]);
  expect(commands.length).toBeGreaterThan(12);
});

it.each(commands)('names a command that exists: npm run %s -- %s', async (name, words) => {
  const parse = PARSERS[name ?? ''];
  expect(parse).toBeDefined();
  expect([await parse?.((words ?? '').split(/\s+/)), opened.splice(0)]).toEqual([0, []]);
});
