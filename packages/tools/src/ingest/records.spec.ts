import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inBatches } from './batches.js';
import { type Line, readRecords } from './records.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'records-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const read = async (name: string, content: string | Buffer): Promise<Line[]> => {
  const file = join(folder, name);
  writeFileSync(file, content);
  const lines: Line[] = [];
  for await (const line of readRecords(file)) lines.push(line);
  return lines;
};

/** A line's number, and its record or the code and beginning of its fault. */
const brief = ({ line, record, fault }: Line): readonly unknown[] =>
  fault === undefined ? [line, JSON.parse(record ?? '')] : [line, fault.code, fault.detail];

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('a file of JSON lines', () => {
  it('is read line by line, past empty ones, a byte order mark and separators within a text', async () => {
    const lines = await read('a.ndjson', '\uFEFF{"a":1}\r\n\n  \n{"b":"x\u2028y"}');
    expect(lines.map(brief)).toEqual([
      [1, { a: 1 }],
      [4, { b: 'x\u2028y' }],
    ]);
    expect(lines[1]?.end).toBeGreaterThan(20);
  });

  it('goes on after a line that is no object, no UTF-8 or too large, and says which', async () => {
    const huge = `{"a":"${'x'.repeat(3_000_000)}"}`;
    const lines = await read('a.ndjson', latin1(`{"a":1}\n[2]\n{"a":"M\xfcller"}\n${huge}\n{"a":"M\xc3\xbcller"}\n`));
    expect(lines.map(brief)).toEqual([
      [1, { a: 1 }],
      [2, 'UNREADABLE', 'The line is not a JSON object'],
      [3, 'UNREADABLE', 'The line, which begins at byte 12, is not UTF-8'],
      [4, 'PAYLOAD_TOO_LARGE', expect.stringContaining('1 MiB')],
      [5, { a: 'Müller' }],
    ]);
    expect(lines[2]?.source).toBe('{"a":"Müller"}');
    expect(lines[3]?.source.length).toBeLessThan(3_000);
  });

  it('keeps the text of a record, numbers that JavaScript would round included', async () => {
    const [line] = await read('a.ndjson', '{"extra_data":{"n":12345678901234567890,"e":1e400,"__proto__":1}}');
    expect(line?.record).toBe('{"extra_data":{"n":12345678901234567890,"e":1e400,"__proto__":1}}');
  });

  it('survives any depth of nesting', async () => {
    const [line] = await read('a.ndjson', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expect(line?.line).toBe(1);
  });
});

describe('a CSV file', () => {
  it('may have quoted cells over several lines, a byte order mark and CRLF', async () => {
    const text = '\uFEFFemail,full_name,extra_data\r\na@x, "Doe, ""J""\r\nJr" ,"{""n"":1.10}"\r\n\r\nb@x,,\r\n';
    const lines = await read('a.csv', text);
    expect(lines.map(({ line, record }) => [line, record])).toEqual([
      [2, '{"email":"a@x","full_name":"Doe, \\"J\\"\\r\\nJr","extra_data":{"n":1.10}}'],
      [5, '{"email":"b@x"}'],
    ]);
  });

  it('rejects a row with more or fewer cells than the first line names, and no other', async () => {
    const lines = await read('a.csv', 'email,tier\na@x,Tier1,Tier3\nb@x\nc@x,Tier2\n');
    expect(lines.map(brief)).toEqual([
      [2, 'UNREADABLE', 'The row has 3 cells, and the first line names 2 fields'],
      [3, 'UNREADABLE', 'The row has 1 cells, and the first line names 2 fields'],
      [4, { email: 'c@x', tier: 'Tier2' }],
    ]);
  });

  it('loses one line to a stray quotation mark or a byte that is not UTF-8', async () => {
    const rows = ['email,full_name', '"a@x,A', 'b@x,"B"', 'c@x,C"C', 'd@x,D', 'e@x,M\xfcller', '"f@x,F', 'g@x,G', ''];
    const lines = await read('a.csv', latin1(rows.join('\n')));
    const broken = (line: number, why: string) => [line, 'UNREADABLE', expect.stringContaining(why)];
    expect(lines.map(brief)).toEqual([
      broken(2, 'quotation mark'),
      [3, { email: 'b@x', full_name: 'B' }],
      broken(4, 'quotation mark'),
      [5, { email: 'd@x', full_name: 'D' }],
      broken(6, 'not UTF-8'),
      broken(7, 'none closes it'),
      [8, { email: 'g@x', full_name: 'G' }],
    ]);
  });

  it('is refused whole where its first line cannot name the fields', async () => {
    await expect(read('a.csv', latin1('email,M\xfcller\n'))).rejects.toThrow(/a\.csv, line 1: .*not UTF-8/);
    await expect(read('a.csv', 'email,tier,email\n')).rejects.toThrow(/names email twice/);
    await expect(read('a.csv', 'email;tier\na;b\n')).rejects.toThrow(/names no field email/);
    expect(await read('a.csv', '')).toEqual([]);
  });
});

describe('batches', () => {
  it('hold every line once, in order, within the limits of a request', async () => {
    const file = join(folder, 'a.ndjson');
    const text = Array.from({ length: 1_234 }, (_, n) => `{"n":${n},"x":"${'x'.repeat(n % 7 === 0 ? 9_000 : 10)}"}`);
    writeFileSync(file, text.join('\n'));
    const records: (string | undefined)[] = [];
    for await (const { start, lines } of inBatches(readRecords(file))) {
      expect(start).toBe(records.length);
      expect(lines.length).toBeLessThanOrEqual(500);
      records.push(...lines.map(({ record }) => record));
      expect(lines.reduce((sum, { record = '' }) => sum + record.length, 0)).toBeLessThan(700_000);
    }
    expect(records).toEqual(text);
  });
});
