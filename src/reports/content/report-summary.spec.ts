import { type MatchRow } from '../../../projections/screening/screening.queries.js';
import { type CheckedEntry } from './report-sections.js';
import { type ReportEntry, type Tally } from './report-source.js';
import { figuresOf, matchSentences } from './report-summary.js';

const match = (index: number, status: MatchRow['status'], decidedAt?: string): MatchRow =>
  ({
    decisionId: 'd',
    index,
    list: 'OFAC_SDN',
    entryId: `e${index}`,
    score: 0.975,
    status,
    decidedAt: decidedAt === undefined ? null : new Date(decidedAt),
    decidedBy: decidedAt === undefined ? null : 'HyBJKgiB',
  }) as MatchRow;

const checkedAt = (timestamp: string, ...matches: readonly MatchRow[]): CheckedEntry => ({
  entry: { timestamp } as ReportEntry,
  matches,
});

/** As a report reads them: one section after the other, so that days repeat. */
const CHECKED = [
  checkedAt('2026-11-21T10:00:00.000Z', match(0, 'open'), match(1, 'dismissed', '2026-11-22T00:00:00Z')),
  checkedAt('2026-11-25T10:00:00.000Z', match(0, 'open')),
  checkedAt('2026-11-20T10:00:00.000Z', match(2, 'confirmed', '2026-11-23T00:00:00Z')),
];

describe('the first page of a report', () => {
  it('has a sentence for each match that is confirmed or waits, once, the oldest first', () => {
    expect(matchSentences(CHECKED)).toEqual([
      '2026-11-20: OFAC SDN, entry e2, score 0.97: confirmed by API key HyBJKgiB, 2026-11-23.',
      '2026-11-21: OFAC SDN, entry e0, score 0.97: waits for a decision.',
    ]);
  });

  it('counts entries by what was asked and found, and each match that waits once', () => {
    const tally: Tally = new Map([
      [
        'sanctions_check',
        new Map([
          ['clear', 5],
          ['potential_match', 2],
          ['confirmed_match', 1],
        ]),
      ],
      ['pep_check', new Map([['pep', 3]])],
      ['risk_assessment', new Map([['ok', 4]])],
      ['credential_issued', new Map([['ok', 7]])],
    ]);
    expect(figuresOf(tally, CHECKED).map(({ value }) => value)).toEqual([22, 15, 5, 1, 1]);
  });
});
