import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inBatches } from './batches.js';
import { type CsvOptions } from './csv-layout.js';
import { DateFormat } from './date-format.js';
import { type Line } from './record-file.js';
import { openRecords } from './records.js';
import { type ServiceRules } from './service-rules.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'records-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const FIELDS = ['email', 'full_name', 'tier', 'date_of_birth', 'kyc_expires_at', 'extra_data'];
const RULES: ServiceRules = {
  fields: FIELDS,
  nearest: (name) => FIELDS.find((field) => field.startsWith(name.toLowerCase().slice(0, 4))),
  judge: () => [],
};

const opened = async (name: string, content: string | Buffer, options: Partial<CsvOptions> = {}) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  const { notes, lines } = await openRecords(file, RULES, { map: new Map(), extraColumns: [], ...options });
  const read: Line[] = [];
  for await (const line of lines()) read.push(line);
  return { notes, lines: read };
};

const read = async (...args: Parameters<typeof opened>): Promise<Line[]> => (await opened(...args)).lines;

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
      [2, '{"email":"a@x","full_name":"Doe, \\"J\\"\\nJr","extra_data":{"n":1.10}}'],
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
    await expect(read('a.csv', 'E-Mail;tier\na;b\n')).rejects.toThrow(/names no column email/);
    await expect(read('a.csv', '')).rejects.toThrow(/a\.csv is empty/);
  });
});

describe('a spreadsheet', () => {
  it.each([
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['bars', '|'],
  ])('may have %s between its cells, which nobody has to say', async (name, delimiter) => {
    const rows = [
      ['Notes, old; or new', 'email', 'full_name', 'tier'],
      ['', 'a@x', `"Doe${delimiter} Jane"`, ''],
    ];
    rows[0] = rows[0]?.map((cell) => (cell.includes(delimiter) ? `"${cell}"` : cell)) ?? [];
    const { notes, lines } = await opened('a.csv', rows.map((row) => row.join(delimiter)).join('\r\n'));
    expect(lines.map(brief)).toEqual([[2, { email: 'a@x', full_name: `Doe${delimiter} Jane` }]]);
    expect(notes[0]).toContain(name);
    expect(notes[1]).toContain('ignored columns: Notes, old; or new');
  });

  it('is parted where its first line names a known column, whatever else stands in it', async () => {
    const lines = await read('a.csv', 'email;Notes, one, two, three\na@x;y\n');
    expect(lines.map(brief)).toEqual([[2, { email: 'a@x' }]]);
  });

  it('fills fields from columns of other names, and says which columns it takes and which it ignores', async () => {
    const { notes, lines } = await opened('a.csv', 'E-Mail;Tier;Branch\na@x;Tier2;7\n', {
      map: new Map([['E-Mail', 'email']]),
    });
    expect(lines.map(brief)).toEqual([[2, { email: 'a@x' }]]);
    expect(notes).toEqual([
      'columns, separated by semicolons: email (from E-Mail)',
      "ignored columns: Tier (did you mean tier? --map 'Tier=tier'), Branch; --extra-columns all keeps them in extra_data",
    ]);
  });

  it('keeps further columns in extra_data, all or those named, and never the reason of an earlier rejection', async () => {
    const text = 'email,Branch,Clerk,ingest_error\na@x,7,,line 2\n';
    const all = await opened('a.csv', text, { extraColumns: 'all' });
    expect(all.lines.map(brief)).toEqual([[2, { email: 'a@x', extra_data: { Branch: '7' } }]]);
    expect(all.notes).toHaveLength(1);
    const one = await opened('a.csv', text, { extraColumns: ['Clerk'] });
    expect(one.lines.map(brief)).toEqual([[2, { email: 'a@x' }]]);
    expect(one.notes[1]).toContain('ignored columns: Branch;');
  });

  it('has its dates read as they are written', async () => {
    const dateFormat = DateFormat.of('D.M.YYYY');
    if (dateFormat === undefined) throw new Error('it is a format');
    const rows = [
      'email,date_of_birth,kyc_expires_at',
      'a@x,3.12.1990,31.1.2027',
      'b@x,1990-12-03,',
      'c@x,,2027-01-31T00:00:00Z',
    ];
    const lines = await read('a.csv', rows.join('\n'), { dateFormat });
    expect(lines.map(brief)).toEqual([
      [2, { email: 'a@x', date_of_birth: '1990-12-03', kyc_expires_at: '2027-01-31T00:00:00Z' }],
      [3, 'INVALID_DATE', 'date_of_birth: A date, D.M.YYYY'],
      [4, { email: 'c@x', kyc_expires_at: '2027-01-31T00:00:00Z' }],
    ]);
  });

  it('is refused where its columns do not fit what was said of them', async () => {
    const map = (...pairs: [string, string][]) => ({ map: new Map(pairs) });
    await expect(read('a.csv', 'email,Mail\n', map(['Mail', 'email']))).rejects.toThrow(/Two columns fill email/);
    await expect(read('a.csv', 'email\n', map(['Name', 'full_name']))).rejects.toThrow(
      /no column Name; it names email/,
    );
    await expect(read('a.csv', 'email,extra_data,x\n', { extraColumns: ['x'] })).rejects.toThrow(/exclude each other/);
    await expect(read('a.ndjson', '', map(['Name', 'full_name']))).rejects.toThrow(/are for CSV files/);
  });
});

describe('the form of dates', () => {
  it.each(['', 'YYYY', 'DD.MM', 'DD.MM.YY', 'DD.MM.YYYY.DD', 'DD MMM YYYY', 'on DD.MM.YYYY', 'YYYYMMDDD'])(
    'is not %j',
    (text) => expect(DateFormat.of(text)).toBeUndefined(),
  );

  it.each([
    ['DD.MM.YYYY', '03.12.1990'],
    ['M/D/YYYY', '12/3/1990'],
    ['YYYYMMDD', '19901203'],
    ['YYYY-MM-DD', '1990-12-03'],
  ])('may be %s', (format, text) => expect(DateFormat.of(format)?.read(text)).toBe('1990-12-03'));
});

describe('batches', () => {
  it('hold every line once, in order, within the limits of a request', async () => {
    const file = join(folder, 'a.ndjson');
    const text = Array.from({ length: 1_234 }, (_, n) => `{"n":${n},"x":"${'x'.repeat(n % 7 === 0 ? 9_000 : 10)}"}`);
    writeFileSync(file, text.join('\n'));
    const records: (string | undefined)[] = [];
    const { lines: linesOf } = await openRecords(file, RULES);
    for await (const { start, lines } of inBatches(linesOf())) {
      expect(start).toBe(records.length);
      expect(lines.length).toBeLessThanOrEqual(500);
      records.push(...lines.map(({ record }) => record));
      expect(lines.reduce((sum, { record = '' }) => sum + record.length, 0)).toBeLessThan(700_000);
    }
    expect(records).toEqual(text);
  });
});
