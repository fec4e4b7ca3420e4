import { type MatchRow } from '../../../projections/screening/screening.queries.js';
import { type ReadModels } from '../../log/project/projection.js';
import { printable } from '../../platform/pdf/pdf-drawing.js';
import { type Report } from './report.js';
import { checkedEntries, checkRows, readSection } from './report-sections.js';
import { type ReportEntry, type ReportSource } from './report-source.js';

const DECISION = '2299d17d-c755-4826-bc04-922d64cfcff8';

const entry = (changes: Partial<ReportEntry>): ReportEntry => ({
  id: '5f0c6d1e-7a1b-4f0e-9c52-0b7a1b0f7d42',
  timestamp: '2026-11-21T10:15:30.123Z',
  action: 'sanctions_check',
  identity_hash: '5f2b7c1d9e0a4836b1c7d2e8f4a90536c8d1e2f3a4b5c6d7e8f90123456789ab',
  result: 'confirmed_match',
  actor: { type: 'api_key', key_id: 'HyBJKgiB' },
  ip_address: null,
  user_agent: '',
  request_id: 'r',
  identity_id: null,
  decision_id: DECISION,
  match_id: null,
  member_id: null,
  key_id: null,
  reason: null,
  records: null,
  ...changes,
});

const match = (index: number, changes: Partial<MatchRow> = {}): MatchRow =>
  ({
    decisionId: DECISION,
    index,
    list: 'OFAC_SDN',
    entryId: `${index}`,
    score: 0.975,
    status: 'open',
    decidedAt: null,
    decidedBy: null,
    ...changes,
  }) as MatchRow;

const reportOf = (matches: readonly MatchRow[], pages: readonly (readonly ReportEntry[])[] = []): Report => {
  const readModels = { query: () => Promise.resolve(matches) } as unknown as ReadModels;
  async function* entries() {
    yield* await Promise.resolve(pages);
  }
  return { source: { readModels, entries } as unknown as ReportSource } as Report;
};

describe('the rows of checks', () => {
  const decided = match(1, { status: 'dismissed', decidedAt: new Date('2026-11-22T08:00:00Z'), decidedBy: 'HyBJKgiB' });

  it('show every match of a check, with its list, score and who decided', async () => {
    expect(checkRows(await checkedEntries(reportOf([match(0), decided]), [entry({})]))).toEqual([
      ['2026-11-21 10:15:30', '5f2b7c1d9e0a4836b1c7d2e8', 'confirmed match', 'OFAC_SDN 0 (0.97)', 'open', DECISION],
      ['', '', '', 'OFAC_SDN 1 (0.97)', 'dismissed by API key HyBJKgiB, 2026-11-22', ''],
    ]);
  });

  it('show the one match that an entry of screening in the background is about', async () => {
    const about = entry({ identity_id: 'idn_1', match_id: 'mat_2299d17dc7554826bc04922d64cfcff8_01' });
    const rows = checkRows(await checkedEntries(reportOf([match(0), decided]), [about]));
    expect(rows.map(([, person, , found]) => [person, found])).toEqual([['idn_1', 'OFAC_SDN 1 (0.97)']]);
  });

  it('show a check that found nothing', async () => {
    const rows = checkRows(await checkedEntries(reportOf([]), [entry({ result: 'clear', decision_id: null })]));
    expect(rows).toEqual([['2026-11-21 10:15:30', '5f2b7c1d9e0a4836b1c7d2e8', 'clear', '', '', '']]);
  });
});

describe('a section', () => {
  it('counts all entries by day and action, lists a thousand, and holds the whole csv file', async () => {
    const one = Array.from({ length: 900 }, () => entry({}));
    const two = Array.from({ length: 200 }, () =>
      entry({ timestamp: '2026-11-22T00:00:00.000Z', action: 'pep_check' }),
    );
    const { total, entries, days, csv } = await readSection(reportOf([], [one, two]), 'audit_log');
    expect([total, entries.length]).toEqual([1_100, 1_000]);
    expect([...days].map(([day, actions]) => [day, ...actions])).toEqual([
      ['2026-11-21', ['sanctions_check', 900]],
      ['2026-11-22', ['pep_check', 200]],
    ]);
    expect(csv?.toString().trimEnd().split('\r\n')).toHaveLength(1_101);
  });

  it('is attached up to 8 MiB', async () => {
    const large = entry({ user_agent: 'x'.repeat(1_024 * 1_024) });
    const { csv, total } = await readSection(reportOf([], [Array.from({ length: 9 }, () => large)]), 'audit_log');
    expect([csv, total]).toEqual([undefined, 9]);
  });
});

describe('a text that is drawn', () => {
  it.each([
    ['Ärztebank, Žižkov – “A”', 'Ärztebank, Žižkov – “A”'],
    ['Банк Ελλάς בנק بنك', 'Банк Ελλάς בנק بنك'],
    ['株式 A', 'U+682A U+5F0F  A'],
    ['हि', 'U+0939 U+093F '],
    ['a\u2028b\u200Bc\td', 'a b c d'],
    ['ok 🎉', 'ok U+1F389 '],
  ])('of %j is %j', (text, drawn) => {
    expect(printable(text)).toBe(drawn);
  });
});
