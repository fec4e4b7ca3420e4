import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CsvOptions } from './csv-layout.js';
import { type Line } from './record-file.js';
import { openRecords } from './records.js';
import { type ServiceRules } from './service-rules.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spreadsheets-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const FIELDS = ['email', 'full_name', 'tier', 'extra_data'];
const RULES: ServiceRules = { fields: FIELDS, nearest: () => undefined, judge: () => [] };

const read = async (name: string, content: string | Buffer, options: Partial<CsvOptions> = {}) => {
  const file = join(folder, name);
  writeFileSync(file, content);
  const { lines } = await openRecords(file, RULES, { map: new Map(), extraColumns: [], ...options });
  const found: Line[] = [];
  for await (const line of lines()) found.push(line);
  const { size } = statSync(file);
  const ends = found.map(({ end }) => end);
  // The bar shows how much of the file is read.
  expect([[...ends].sort((one, other) => one - other), ends.every((end) => end > 0 && end <= size + 2)]).toEqual([
    ends,
    true,
  ]);
  return found.map(({ line, record, fault }) => [line, fault === undefined ? JSON.parse(record ?? '') : fault.code]);
};

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

const TWO = [
  [2, { email: 'a@x', full_name: 'A' }],
  [3, { email: 'b@x', full_name: 'B' }],
];

describe('the end of a line', () => {
  it.each([
    ['a carriage return', '\r'],
    ['a line feed', '\n'],
    ['both', '\r\n'],
  ])('may be %s', async (_, end) => {
    const rows = ['email,full_name', 'a@x,A', 'b@x,B'];
    expect(await read('a.csv', rows.join(end))).toEqual(TWO);
    expect(await read('a.csv', rows.map((row) => row + end).join(''))).toEqual(TWO);
    const objects = ['{"email":"a@x"}', '', '{"email":"b@x"}'];
    expect(await read('a.ndjson', objects.join(end))).toEqual([
      [1, { email: 'a@x' }],
      [3, { email: 'b@x' }],
    ]);
  });

  it('may be a carriage return in a file that is longer than what is read at once', async () => {
    const rows = Array.from({ length: 9_000 }, (_, index) => `${index}@x,${'x'.repeat(index % 37)}`);
    const lines = await read('a.csv', ['email,full_name', ...rows].join('\r'));
    expect(lines).toHaveLength(9_000);
    expect(lines[8_999]).toEqual([9_001, { email: '8999@x', full_name: 'x'.repeat(8_999 % 37) }]);
    // The two characters of one line end may be parted by what is read at once.
    expect(await read('a.csv', ['email,full_name', ...rows].join('\r\n'))).toEqual(lines);
  });

  it('may stand in a quoted cell, where it ends nothing', async () => {
    for (const end of ['\r', '\n', '\r\n']) {
      const lines = await read('a.csv', `email,full_name${end}a@x,"A${end}B"${end}c@x,C${end}`);
      expect(JSON.parse(JSON.stringify(lines).replace(/\\r\\n|\\r/, '\\n'))).toEqual([
        [2, { email: 'a@x', full_name: 'A\nB' }],
        [4, { email: 'c@x', full_name: 'C' }],
      ]);
    }
  });
});

describe('the first line of Excel', () => {
  it.each([
    ['sep=;', ';', ''],
    ['sep=,', ',', ''],
    ['SEP=|', '|', ''],
    ['sep=\t', '\t', ''],
    ['sep=;', ';', '\uFEFF'],
  ])('%j names the separator, and the second the fields', async (first, separator, mark) => {
    const rows = [first, ['email', 'full_name'].join(separator), ['a@x', 'A'].join(separator)];
    expect(await read('a.csv', mark + rows.join('\r\n'))).toEqual([[3, { email: 'a@x', full_name: 'A' }]]);
  });

  it('holds against what the fields would let one guess', async () => {
    expect(await read('a.csv', 'sep=|\nemail|full_name, of old; or new\na@x|A\n')).toEqual([[3, { email: 'a@x' }]]);
  });
});

describe('a row of separators alone', () => {
  it.each([
    [',', ',,'],
    [';', ';;'],
    ['\t', '\t\t'],
    ['|', ' | | '],
    [',', '"","",""'],
  ])('between %j is no record and no fault: %j', async (separator, blank) => {
    const rows = [
      ['email', 'full_name', 'tier'].join(separator),
      blank,
      ['a@x', 'A', ''].join(separator),
      blank,
      blank,
    ];
    expect(await read('a.csv', rows.join('\n'))).toEqual([[3, { email: 'a@x', full_name: 'A' }]]);
  });

  it('is none either where it has more or fewer cells than the first line', async () => {
    expect(await read('a.csv', 'email,full_name\n,,,,,\na@x,A\n,\n')).toEqual([[3, { email: 'a@x', full_name: 'A' }]]);
  });
});

describe('the characters of a file', () => {
  /** Letters whose UTF-16 has the bytes of line feeds, carriage returns, commas and quotation marks. */
  const name = '\u010a\u0a0d\u2c22 \u{1f600}';
  const text = `email;full_name\r\na@x;A\r\nb@x;"${name}; B"\r\n`;
  const lines = [
    [2, { email: 'a@x', full_name: 'A' }],
    [3, { email: 'b@x', full_name: `${name}; B` }],
  ];

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['little-endian UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['big-endian UTF-16', bigEndian(`\uFEFF${text}`)],
    [
      'UTF-16 as Excel saves Unicode text, with tabs',
      Buffer.from(`\uFEFF${text.replaceAll(/;(?! B)/g, '\t')}`, 'utf16le'),
    ],
  ])('may be %s', async (_, bytes) => expect(await read('a.csv', bytes)).toEqual(lines));

  it('may be UTF-16 in JSON lines, with lone carriage returns and Excel’s first line too', async () => {
    const objects = `\uFEFF{"email":"a@x","full_name":"${name}"}\n{"email":"b@x"}`;
    for (const bytes of [Buffer.from(objects, 'utf16le'), bigEndian(objects)]) {
      expect(await read('a.ndjson', bytes)).toEqual([
        [1, { email: 'a@x', full_name: name }],
        [2, { email: 'b@x' }],
      ]);
    }
    const all = Buffer.from(`\uFEFFsep=;\r${text.replaceAll('\r\n', '\r')}`, 'utf16le');
    expect(await read('a.csv', all)).toEqual(lines.map(([line, record]) => [Number(line) + 1, record]));
  });

  it('of a UTF-16 file that is longer than what is read at once are whole', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `${index}@x;${name.repeat(index % 9)}`);
    const found = await read('a.csv', Buffer.from(`\uFEFF${['email;full_name', ...rows].join('\r\n')}`, 'utf16le'));
    expect(found).toHaveLength(5_000);
    expect(found[4_999]).toEqual([5_001, { email: '4999@x', full_name: name.repeat(4_999 % 9) }]);
  });

  it('of a line that is no UTF-16 cost that line alone', async () => {
    const broken = Buffer.concat([
      Buffer.from('\uFEFFemail;full_name\n', 'utf16le'),
      Buffer.from('a@x;', 'utf16le'),
      Buffer.from([0x00, 0xd8]),
      Buffer.from('\nb@x;B\n', 'utf16le'),
    ]);
    expect(await read('a.csv', broken)).toEqual([
      [2, 'UNREADABLE'],
      [3, { email: 'b@x', full_name: 'B' }],
    ]);
  });
});
