import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ANNOUNCEMENT_TYPES,
  AUDIT_ACTIONS,
  AUDIT_RESULTS,
  BILLABLE_OPERATIONS,
  OPERATIONS,
  SLICE_CONTRACTS,
  type SliceContract,
} from '../../src/kernel/contract.js';
import { ERROR_CODES } from '../../src/kernel/error-codes.js';

const contract = readFileSync(join(import.meta.dirname, '../../docs/contract.md'), 'utf8');

const chapter = (title: string): string => {
  const [, text] = contract.split(new RegExp(`^## \\d+\\. ${title}$`, 'm'));
  return text?.split(/^## /m)[0] ?? '';
};

const TABLES = ['tags', 'operations', 'auditActions', 'rejections', 'announcements', 'pathIds'] as const;

describe('what the slices add to the contract', () => {
  it.each(TABLES)('is said by one of them alone: %s', (table) => {
    const keys = SLICE_CONTRACTS.flatMap((slice: SliceContract) => Object.keys(slice[table] ?? {}));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('is, of results in the audit log, named by one of them alone', () => {
    expect(AUDIT_RESULTS.filter((result, index) => AUDIT_RESULTS.indexOf(result) !== index)).toEqual([]);
  });

  it('is, of prices, what the contract says', () => {
    const priced = [...chapter('Credits').matchAll(/^\| `(\w+)` \|.*\| (\d+) \|$/gm)];
    expect(Object.fromEntries(priced.map(([, operation, credits]) => [operation, Number(credits)]))).toEqual(
      Object.fromEntries(BILLABLE_OPERATIONS.map((operation) => [operation, OPERATIONS[operation].credits])),
    );
  });

  it('is, of actions in the audit log, what the contract says', () => {
    const [, said] = /\*\*Actions that occur:\*\*(.*?)\*\*Results/s.exec(chapter('Audit log')) ?? [];
    const actions = [...(said ?? '').matchAll(/`(\w+)`/g)].map(([, action]) => action);
    expect(actions.sort()).toEqual([...AUDIT_ACTIONS].sort());
  });

  it('is, of event types, what the contract says', () => {
    const rows = [...chapter('Webhooks').matchAll(/^\| ([a-z_.]+(?:, [a-z_.]+)*) \|/gm)].map(([, names = '']) =>
      names.split(', '),
    );
    const types = rows.flatMap(([first = '', ...others]) => {
      const family = first.split('.')[0] ?? '';
      return [first, ...others.map((name) => (name.startsWith('.') ? `${family}${name}` : name))];
    });
    expect(types.filter((type) => type.includes('.')).sort()).toEqual([...ANNOUNCEMENT_TYPES].sort());
  });

  it('refuses with codes that the contract has, each of one status', () => {
    const rows = [...chapter('Errors').matchAll(/^\| ([\d, ]+) \| (.*) \|$/gm)].map(([, statuses = '', text = '']) => ({
      statuses: statuses.split(', ').map(Number),
      codes: text.match(/\b[A-Z]+_[A-Z_]+\b|\bFORBIDDEN\b|\bCONFLICT\b|\bUNAVAILABLE\b|\bTIMEOUT\b/g) ?? [],
    }));
    const wrong = rows.flatMap(({ statuses, codes }) =>
      codes.filter((code) => !statuses.includes(ERROR_CODES[code as keyof typeof ERROR_CODES].status)),
    );
    expect(wrong).toEqual([]);
    expect(rows.flatMap(({ codes }) => codes).sort()).toEqual(Object.keys(ERROR_CODES).sort());
  });
});
