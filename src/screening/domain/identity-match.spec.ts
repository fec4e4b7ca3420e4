import { type MatchCommand, identityMatchDecider, type RecordScreening } from './identity-match.js';
import { type FoundMatch, type MatchEvent } from './identity-match.events.js';

const { decide, evolve, initialState } = identityMatchDecider;
const identityId = 'idn_1';
const grounds = { versions: { OFAC_SDN: 'v2' }, engineVersion: '1', thresholds: { potential: 0.85, confirmed: 0.95 } };

const match = (entryId: string, entryDigest = 'd1'): FoundMatch => {
  return { list: 'OFAC_SDN', entryId, entryDigest, score: 0.9, status: 'potential_match', listVersion: 'v2' };
};

const screened = (
  matches: readonly FoundMatch[],
  examined: RecordScreening['examined'] = 'all',
  kind: RecordScreening['of'] = 'sanctions',
): MatchCommand => ({
  kind: 'record',
  of: kind,
  identityId,
  matches,
  examined,
  grounds,
  causationId: 'cause',
});

const after = (...commands: readonly MatchCommand[]): MatchEvent[] => {
  const events: MatchEvent[] = [];
  for (const command of commands) events.push(...decide(command, events.reduce(evolve, initialState())));
  return events;
};

const summarize = (events: readonly MatchEvent[]): string[] =>
  events
    .filter(({ type }) => type !== 'IdentityScreened.v1')
    .map(({ type, data }) => `${type} ${'entryId' in data ? data.entryId : ''}`);

const of = (...entryIds: readonly string[]) => ({ list: 'OFAC_SDN', entryIds: new Set(entryIds) });

describe('what screening finds of an identity', () => {
  it('is told once, however often it is found', () =>
    expect(summarize(after(screened([match('1')]), screened([match('1')])))).toEqual(['MatchFound.v1 1']));

  it('is told again where the entry has changed', () =>
    expect(summarize(after(screened([match('1')]), screened([match('1', 'd2')])))).toHaveLength(2));

  it('ends where it is found no more', () =>
    expect(summarize(after(screened([match('1'), match('2')]), screened([match('2')])))).toContain(
      'MatchCleared.v1 1',
    ));

  it('stays where the entry was not examined', () => {
    expect(summarize(after(screened([match('1')]), screened([match('2')], of('2'))))).toHaveLength(2);
    expect(summarize(after(screened([match('1')]), screened([], of('1'))))).toContain('MatchCleared.v1 1');
  });

  it('of one kind stays where the identity was screened for the other', () => {
    const holder = { ...match('Q1'), list: 'PEP' };
    const events = after(screened([match('1')]), screened([holder], 'all', 'pep'), screened([], 'all', 'sanctions'));
    expect(summarize(events)).toEqual(['MatchFound.v1 1', 'MatchFound.v1 Q1', 'MatchCleared.v1 1']);
    expect(summarize(after(screened([holder], 'all', 'pep'), screened([], 'all', 'pep')))).toContain(
      'MatchCleared.v1 Q1',
    );
  });

  it('is one decision, whose matches have their places in it', () => {
    const [decision, ...found] = after(screened([match('1'), { ...match('2'), status: 'confirmed_match' }]));
    expect(decision).toMatchObject({ type: 'IdentityScreened.v1', data: { status: 'confirmed_match', ...grounds } });
    const { decisionId } = decision?.data as { decisionId: string };
    expect(found.map(({ data }) => data)).toMatchObject([
      { decisionId, matchIndex: 0, entryId: '1' },
      { decisionId, matchIndex: 1, entryId: '2' },
    ]);
  });

  it('is the same decision where the same screening is made again, and another one where it finds more', () => {
    const idOf = (...matches: readonly FoundMatch[]): unknown => after(screened(matches))[0]?.data;
    expect(idOf(match('1'))).toEqual(idOf(match('1')));
    expect(idOf(match('1'))).not.toEqual(idOf(match('1'), match('2')));
  });

  it('is forgotten with the person where all of it has ended, too', () => {
    const forget: MatchCommand = { kind: 'forget', identityId };
    expect(summarize(after(screened([match('1')]), screened([]), forget, forget)).at(-1)).toBe('MatchesForgotten.v1 ');
    expect(summarize(after(screened([match('1')]), screened([]), forget, forget))).toHaveLength(3);
    expect(after(forget)).toEqual([]);
  });

  it('does not end for better matches beside it, of which a screening adds twenty at most', () => {
    const many = Array.from({ length: 25 }, (_, number) => match(`old ${number}`));
    const better = Array.from({ length: 5 }, (_, number) => match(`new ${number}`));
    const events = summarize(after(screened(many), screened([...better, ...many])));
    expect(events.filter((line) => line.startsWith('MatchCleared'))).toEqual([]);
    expect(events).toHaveLength(30);
  });

  it('is forgotten with the person, and found anew in another life', () => {
    const forget: MatchCommand = { kind: 'forget', identityId };
    expect(summarize(after(screened([match('1')]), forget, forget, screened([match('1')])))).toEqual([
      'MatchFound.v1 1',
      'MatchesForgotten.v1 ',
      'MatchFound.v1 1',
    ]);
  });
});
