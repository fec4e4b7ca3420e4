import { type StreamDecider } from '../../kernel/category.js';
import { deriveUuid } from '../../kernel/ids.js';
import { type FoundMatch, type Grounds, type MatchEvent } from './identity-match.events.js';
import { type ScreeningKind } from './screening-list.js';

const DECISION_NAMESPACE = '8e0d4c52-6a0f-4f67-9a3e-5d1b7f0c2a94';

interface EntryKey {
  readonly list: string;
  readonly entryId: string;
}

export interface RecordScreening {
  readonly kind: 'record';
  readonly of: ScreeningKind;
  readonly identityId: string;
  /** All that were found, the best first. */
  readonly matches: readonly FoundMatch[];
  /** The entries that the identity was screened against; `all` of every list of the kind. */
  readonly examined: 'all' | { readonly list: string; readonly entryIds: ReadonlySet<string> };
  readonly grounds: Grounds;
  /** Id of the event that caused the screening. */
  readonly causationId: string;
}

export type MatchCommand = RecordScreening | { readonly kind: 'forget'; readonly identityId: string };

interface KnownEntry {
  readonly digest: string;
  readonly kind: ScreeningKind;
}

export interface KnownMatches {
  /** Each matching entry, by list and id. */
  readonly entries: ReadonlyMap<string, KnownEntry>;
  /** Whether the stream says anything of the person. */
  readonly hasMatches: boolean;
}

/** Matches that one screening adds. */
const MAX_NEW = 20;

const keyOf = ({ list, entryId }: EntryKey): string => `${list}/${entryId}`;

const entryOf = (key: string): EntryKey => {
  const at = key.indexOf('/');
  return { list: key.slice(0, at), entryId: key.slice(at + 1) };
};

const wasExamined = (key: string, { kind }: KnownEntry, { of, examined }: RecordScreening): boolean => {
  if (examined === 'all') return kind === of;
  const { list, entryId } = entryOf(key);
  return examined.list === list && examined.entryIds.has(entryId);
};

/** The best matches with entries that were not known, or have changed. */
export const newOf = (matches: readonly FoundMatch[], { entries }: KnownMatches): readonly FoundMatch[] =>
  matches.filter((match) => entries.get(keyOf(match))?.digest !== match.entryDigest).slice(0, MAX_NEW);

/** A screening that is made again and finds the same is the same decision. */
export const decisionIdOf = ({ identityId, causationId }: RecordScreening, news: readonly FoundMatch[]): string => {
  const found = news.map((match) => `${keyOf(match)} ${match.entryDigest}`);
  return deriveUuid(DECISION_NAMESPACE, [identityId, causationId, ...found].join('\0'));
};

const foundEvents = (command: RecordScreening, news: readonly FoundMatch[]): readonly MatchEvent[] => {
  if (news.length === 0) return [];
  const { identityId, grounds, of: kind } = command;
  const decisionId = decisionIdOf(command, news);
  const status = news.some((match) => match.status === 'confirmed_match') ? 'confirmed_match' : 'potential_match';
  return [
    { type: 'IdentityScreened.v1', data: { decisionId, identityId, kind, status, ...grounds } },
    ...news.map((match, matchIndex): MatchEvent => ({
      type: 'MatchFound.v1',
      data: { decisionId, matchIndex, identityId, kind, ...match },
    })),
  ];
};

const record = (command: RecordScreening, known: KnownMatches): readonly MatchEvent[] => {
  const { identityId, matches, grounds } = command;
  const found = new Set(matches.map(keyOf));
  const cleared = [...known.entries]
    .filter(([key, entry]) => !found.has(key) && wasExamined(key, entry, command))
    .map(([key]) => entryOf(key));
  return [
    ...cleared.map(({ list, entryId }): MatchEvent => {
      const listVersion = grounds.versions[list] ?? null;
      return { type: 'MatchCleared.v1', data: { identityId, list, entryId, listVersion } };
    }),
    ...foundEvents(command, newOf(matches, known)),
  ];
};

const decide = (command: MatchCommand, known: KnownMatches): readonly MatchEvent[] => {
  if (command.kind === 'record') return record(command, known);
  return !known.hasMatches ? [] : [{ type: 'MatchesForgotten.v1', data: { identityId: command.identityId } }];
};

const evolve = (known: KnownMatches, { type, data }: MatchEvent): KnownMatches => {
  switch (type) {
    case 'MatchFound.v1':
      return {
        entries: new Map(known.entries).set(keyOf(data), { digest: data.entryDigest, kind: data.kind }),
        hasMatches: true,
      };
    case 'MatchCleared.v1':
      return { entries: new Map([...known.entries].filter(([key]) => key !== keyOf(data))), hasMatches: true };
    case 'MatchesForgotten.v1':
      return NOTHING;
    case 'IdentityScreened.v1':
    default:
      return known;
  }
};

const NOTHING: KnownMatches = { entries: new Map(), hasMatches: false };

export const identityMatchDecider = {
  initialState: (): KnownMatches => NOTHING,
  decide,
  evolve,
} satisfies StreamDecider<KnownMatches, MatchCommand, MatchEvent>;
