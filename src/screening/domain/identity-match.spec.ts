import { type MatchCommand, identityMatchDecider, type RecordScreening } from './identity-match.js';
import { type FoundMatch, type MatchEvent } from './identity-match.events.js';

const { decide, evolve, initialState } = identityMatchDecider;
const identityId = 'idn_1';
const versions = { OFAC_SDN: 'v2' };

const match = (entryId: string, entryDigest = 'd1'): FoundMatch => {
  return { list: 'OFAC_SDN', entryId, entryDigest, score: 0.9, status: 'potential_match', listVersion: 'v2' };
};

const screened = (matches: readonly FoundMatch[], examined: RecordScreening['examined'] = 'all'): MatchCommand => ({
  kind: 'record',
  identityId,
  matches,
  examined,
  versions,
});

const after = (...commands: readonly MatchCommand[]): MatchEvent[] => {
  const events: MatchEvent[] = [];
  for (const command of commands) events.push(...decide(command, events.reduce(evolve, initialState())));
  return events;
};

const told = (events: readonly MatchEvent[]): string[] =>
  events.map(({ type, data }) => `${type} ${'entryId' in data ? data.entryId : ''}`);

const of = (...entryIds: readonly string[]) => ({ list: 'OFAC_SDN', entryIds: new Set(entryIds) });

describe('what screening finds of an identity', () => {
  it('is told once, however often it is found', () =>
    expect(told(after(screened([match('1')]), screened([match('1')])))).toEqual(['SanctionsMatchFound.v1 1']));

  it('is told again where the entry has changed', () =>
    expect(after(screened([match('1')]), screened([match('1', 'd2')]))).toHaveLength(2));

  it('ends where it is found no more', () =>
    expect(told(after(screened([match('1'), match('2')]), screened([match('2')])))).toContain(
      'SanctionsMatchCleared.v1 1',
    ));

  it('stays where the entry was not examined', () => {
    expect(after(screened([match('1')]), screened([match('2')], of('2')))).toHaveLength(2);
    expect(told(after(screened([match('1')]), screened([], of('1'))))).toContain('SanctionsMatchCleared.v1 1');
  });

  it('is forgotten with the person, and found anew in another life', () => {
    const forget: MatchCommand = { kind: 'forget', identityId };
    expect(told(after(screened([match('1')]), forget, forget, screened([match('1')])))).toEqual([
      'SanctionsMatchFound.v1 1',
      'MatchesForgotten.v1 ',
      'SanctionsMatchFound.v1 1',
    ]);
  });
});
