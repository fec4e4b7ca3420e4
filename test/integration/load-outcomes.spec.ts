import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ingestCommand } from '@kyc/tools/ingest/ingest';
import { recordRules } from '../../src/identity/http/record-rules.js';

let folder: string;
let printed: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outcomes-'));
  printed = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

const judged = (name: string, content: string | Buffer, ...words: string[]): Promise<number> => {
  writeFileSync(join(folder, name), content);
  const context = { dataDir: folder, rules: recordRules(), print: (line: string) => void printed.push(line) };
  return ingestCommand([join(folder, name), '--dry-run', ...words], context);
};

const HEADER = 'email,phone_number,full_name,kyc_status';
const GOOD = 'a@example.org,+12025550131,Ada Example,APPROVED';
const BAD = 'b@example.org,+12025550132,Bob Example,PERHAPS';

/** Why each line was rejected. */
const reasons = (name: string): string[] => {
  const file = join(folder, `${name}.dry-run.rejected.csv`);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(1) : [];
};

describe('the exit status of npm run ingest', () => {
  it('is 0 where every record of the file was taken, also of one whose lines end in carriage returns', async () => {
    expect(await judged('a.csv', `${HEADER}\r${GOOD}\r`)).toBe(0);
    expect(printed.at(-1)).toContain('1 lines');
  });

  it('is 1 where some were taken and some rejected', async () => {
    expect(await judged('a.csv', `${HEADER}\n${GOOD}\n${BAD}\n`)).toBe(1);
  });

  it.each([
    ['a CSV without a line', 'a.csv', ''],
    ['a CSV of blank lines', 'a.csv', '\n\r\n  \n'],
    ['a CSV with the first line alone', 'a.csv', `${HEADER}\n`],
    ['a CSV with the first line alone, not ended', 'a.csv', HEADER],
    ['a CSV with a byte order mark alone', 'a.csv', '\uFEFF'],
    ['a CSV with separators alone', 'a.csv', `${HEADER}\n,,,\n,,,\n`],
    ['a CSV with Excel’s first line alone', 'a.csv', 'sep=;\r\n'],
    ['JSON lines without a line', 'a.ndjson', ''],
    ['JSON lines with blank lines alone', 'a.ndjson', '\n\n'],
  ])('is 2, with a reason, where the file has no record: %s', async (_, name, content) => {
    expect(await judged(name, content)).toBe(2);
    expect(printed.join('\n')).toMatch(/\b(no|empty|without)\b/i);
    expect(printed.join('\n')).toContain(name);
  });

  it.each([
    ['a.csv', `${HEADER}\n${BAD}\n${BAD}\n`],
    ['a.ndjson', '{"email":"x"}\n'],
    ['a.ndjson', 'no json\n'],
  ])('is 2, with a reason, where no record of %s was taken', async (name, content) => {
    expect(await judged(name, content)).toBe(2);
    expect(printed.join('\n')).toMatch(/\b(no|none)\b/i);
    // What is wrong with each line is told as otherwise.
    expect(printed.join('\n')).toContain('.dry-run.rejected');
  });
});

describe('rows of separators alone', () => {
  it('are skipped and counted, and nothing of them is rejected', async () => {
    expect(await judged('a.csv', `${HEADER}\n,,,\n${GOOD}\n,,,\n ,, ,\n`)).toBe(0);
    expect(printed.join('\n')).toMatch(/\b3\b[^\d\n]*\b(skipped|empty|blank)|\b(skipped|empty|blank)[^\d\n]*\b3\b/);
    expect(reasons('a.csv')).toEqual([]);
  });
});

describe('a number that Excel has spoilt', () => {
  it.each([
    ['1.20256E+10', ','],
    ['1,20256E+10', ';'],
    ['1.2E+10', ','],
    ['1.20255501E+10', '\t'],
    ['+1.20256E+10', ','],
    ['4.91512E+11', ','],
  ])('%s as a phone number is refused, and Excel is named', async (phone, separator) => {
    const row = ['a@example.org', phone, 'Ada Example', 'APPROVED'].join(separator);
    await judged('a.csv', [HEADER.replaceAll(',', separator), row, row].join('\n'));
    expect(reasons('a.csv')).toEqual([
      expect.stringMatching(/INVALID_PHONE.*Excel/),
      expect.stringMatching(/INVALID_PHONE.*Excel/),
    ]);
  });

  it('is refused by the service in the same words, which do not repeat the number', () => {
    const record = { email: 'a@example.org', phone_number: '1.20256E+10', full_name: 'Ada', kyc_status: 'APPROVED' };
    const [fault] = recordRules().judge([record]);
    expect(fault).toMatchObject({ code: 'INVALID_PHONE', detail: expect.stringContaining('Excel') });
    expect(fault?.detail).not.toContain('20256');
  });
});
