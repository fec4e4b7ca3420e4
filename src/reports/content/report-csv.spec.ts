import { parse } from 'csv-parse/sync';
import { entriesAsCsv } from './report-csv.js';
import { type ReportEntry } from './report-source.js';

const entry: ReportEntry = {
  id: 'i',
  timestamp: '2026-01-01T00:00:00.000Z',
  action: 'eligibility_check',
  identity_hash: 'h',
  result: 'found',
  actor: { type: 'token' } as unknown as ReportEntry['actor'],
  ip_address: '192.0.2.1',
  user_agent: '',
  request_id: 'r',
  ...{
    identity_id: null,
    decision_id: null,
    match_id: null,
    member_id: null,
    key_id: null,
    reason: null,
    records: null,
  },
};

describe('a section in CSV', () => {
  it.each(['Mozilla;=1+1', 'a;@SUM(A1)', ';-1'])(
    'has no cell that is a formula where a spreadsheet splits lines by semicolons: %j',
    async (userAgent) => {
      async function* pages(): AsyncGenerator<readonly ReportEntry[]> {
        yield await Promise.resolve([{ ...entry, user_agent: userAgent }]);
      }
      let text = '';
      for await (const bytes of entriesAsCsv(pages())) text += bytes.toString();
      expect(text.split(/[;\r\n]/).filter((cell) => /^"*[=+\-@]/.test(cell))).toEqual([]);
    },
  );

  it.each(['a\n=1+1', 'a\r=1+1', 'a\r\n=1+1', 'a"\n-2'])(
    'keeps the line break of %j in its cell',
    async (userAgent) => {
      async function* pages(): AsyncGenerator<readonly ReportEntry[]> {
        yield await Promise.resolve([{ ...entry, user_agent: userAgent }]);
      }
      let text = '';
      for await (const bytes of entriesAsCsv(pages())) text += bytes.toString();
      expect(text).toContain(`"${userAgent.replaceAll('"', '""')}"`);
      const rows = parse<Record<string, string>>(text, { columns: true });
      expect(rows.map((row) => row['user_agent'])).toEqual([userAgent]);
    },
  );
});
