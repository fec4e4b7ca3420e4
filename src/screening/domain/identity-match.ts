import { type StreamDecider } from '../../kernel/category.js';
import { type FoundMatch, type MatchEvent } from './identity-match.events.js';

interface EntryKey {
  readonly list: string;
  readonly entryId: string;
}

export interface RecordScreening {
  readonly kind: 'record';
  readonly identityId: string;
  readonly matches: readonly FoundMatch[];
  /** The entries that the identity was screened against; `all` of every list in force. */
  readonly examined: 'all' | { readonly list: string; readonly entryIds: ReadonlySet<string> };
  /** The version of each list that was screened against. */
  readonly versions: Readonly<Partial<Record<string, string>>>;
}

export type MatchCommand = RecordScreening | { readonly kind: 'forget'; readonly identityId: string };

/** The digest of each matching entry, by list and id. */
export type KnownMatches = ReadonlyMap<string, string>;

const keyOf = ({ list, entryId }: EntryKey): string => `${list}/${entryId}`;

const entryOf = (key: string): EntryKey => {
  const at = key.indexOf('/');
  return { list: key.slice(0, at), entryId: key.slice(at + 1) };
};

const wasExamined = ({ list, entryId }: EntryKey, examined: RecordScreening['examined']): boolean =>
  examined === 'all' || (examined.list === list && examined.entryIds.has(entryId));

/** Matches with entries that were not known, or have changed. */
export const newOf = (matches: readonly FoundMatch[], known: KnownMatches): readonly FoundMatch[] =>
  matches.filter((match) => known.get(keyOf(match)) !== match.entryDigest);

const record = (command: RecordScreening, known: KnownMatches): readonly MatchEvent[] => {
  const { identityId, matches, examined, versions } = command;
  const found = new Set(matches.map(keyOf));
  const cleared = [...known.keys()].map(entryOf).filter((key) => !found.has(keyOf(key)) && wasExamined(key, examined));
  const news = newOf(matches, known);
  return [
    ...cleared.map(({ list, entryId }): MatchEvent => {
      const listVersion = versions[list] ?? null;
      return { type: 'SanctionsMatchCleared.v1', data: { identityId, list, entryId, listVersion } };
    }),
    ...news.map(({ list, entryId, entryDigest, score, status, listVersion }): MatchEvent => {
      const data = { identityId, list, entryId, entryDigest, score, status, listVersion };
      return { type: 'SanctionsMatchFound.v1', data };
    }),
  ];
};

const decide = (command: MatchCommand, known: KnownMatches): readonly MatchEvent[] => {
  if (command.kind === 'record') return record(command, known);
  return known.size === 0 ? [] : [{ type: 'MatchesForgotten.v1', data: { identityId: command.identityId } }];
};

const evolve = (known: KnownMatches, { type, data }: MatchEvent): KnownMatches => {
  switch (type) {
    case 'SanctionsMatchFound.v1':
      return new Map(known).set(keyOf(data), data.entryDigest);
    case 'SanctionsMatchCleared.v1':
      return new Map([...known].filter(([key]) => key !== keyOf(data)));
    case 'MatchesForgotten.v1':
      return new Map();
    default:
      return known;
  }
};

export const identityMatchDecider = {
  initialState: (): KnownMatches => new Map(),
  decide,
  evolve,
} satisfies StreamDecider<KnownMatches, MatchCommand, MatchEvent>;
