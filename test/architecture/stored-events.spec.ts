import { readFileSync } from 'node:fs';
import { projections } from '../../src/projections.js';
import { accountCategory } from '../../src/accounts/domain/account.category.js';
import { accountDecider } from '../../src/accounts/domain/account.js';
import { categories } from '../../src/categories.js';
import { creditsCategory } from '../../src/credits/domain/credits.category.js';
import { creditAccount, toSnapshot } from '../../src/credits/domain/credits.js';
import { identityCategory } from '../../src/identity/domain/identity.category.js';
import { identityDecider } from '../../src/identity/domain/identity.js';
import { ingestionCategory } from '../../src/identity/domain/ingestion.category.js';
import { ingestionDecider } from '../../src/identity/domain/ingestion.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { goldenEvents, goldenFile, goldenLog, goldenStreams } from '../support/golden-log.js';
import { sourceFiles } from './source-files.js';

/** The state that a stream folds to, as plain JSON. */
const fold = (stream: string, stored: readonly DomainEvent[]): unknown => {
  const by = <State>(decider: { initialState: () => State; evolve: (state: State, event: never) => State }): State =>
    stored
      .map(({ type, data }) => ({ type, data }))
      .reduce((state, event) => decider.evolve(state, event as never), decider.initialState());
  switch (categories.categoryOf(stream)) {
    case accountCategory:
      return plain(by(accountDecider));
    case creditsCategory:
      return plain(toSnapshot(by(creditAccount)));
    case identityCategory:
      return plain(by(identityDecider));
    case ingestionCategory:
      return plain(by(ingestionDecider));
    default:
      return null;
  }
};

const plain = (state: unknown): unknown =>
  JSON.parse(
    JSON.stringify(state, (_, value: unknown) => {
      if (value instanceof Map) return Object.fromEntries(value);
      if (value instanceof Set) return [...value];
      return typeof value === 'bigint' ? value.toString() : value;
    }),
  );

const envelopesIn = (value: unknown): unknown[] => {
  if (typeof value !== 'object' || value === null) return [];
  return 'alg' in value && 'ct' in value ? [value] : Object.values(value).flatMap(envelopesIn);
};

describe('stored events are forever', () => {
  it('has a golden line for every event type and version that a category has or had', () => {
    const kept = new Set(goldenEvents.map(({ type }) => type));
    expect([...categories.types].filter((type) => !kept.has(type))).toEqual([]);
  });

  it('knows the category of every type that the code names', () => {
    const sources = sourceFiles('src').filter(({ path }) => !path.endsWith('.spec.ts'));
    const named = new Set(sources.flatMap(({ text }) => text.match(/'[A-Z][A-Za-z]+\.v[0-9]+'/g) ?? []));
    expect([...named].filter((type) => !categories.types.has(type.slice(1, -1)))).toEqual([]);
  });

  it('stand in streams of their category', () => {
    const astray = goldenLog().filter(({ stream, type }) => !(type in (categories.categoryOf(stream)?.events ?? {})));
    expect(astray).toEqual([]);
  });

  it('seal the fields that their category names, and no others', () => {
    for (const event of goldenLog()) {
      const sealed = categories.sealedFields(event).map(({ envelope }) => envelope);
      expect(new Set(sealed)).toEqual(new Set(envelopesIn(event.data)));
    }
  });

  it('folds every stream to the state that it has always folded to', () => {
    const states = Object.fromEntries(
      [...goldenStreams.keys()].map((name) => [
        name,
        fold(
          name,
          goldenLog().filter(({ stream }) => stream === name),
        ),
      ]),
    );
    const expected = JSON.parse(readFileSync(goldenFile('states.json'), 'utf8')) as unknown;
    expect(states).toEqual(expected);
  });

  it('is read by every projection that asks for its stream', () => {
    const names = categories.categories.map(({ name }) => name);
    for (const projection of projections) {
      const known = projection.streamPrefixes.filter((prefix) => names.includes(prefix.replace(/-$/, '')));
      expect(known).toEqual(projection.streamPrefixes);
      const relevant = goldenLog().filter(({ stream }) =>
        projection.streamPrefixes.some((prefix) => stream.startsWith(prefix)),
      );
      expect(relevant.length).toBeGreaterThan(0);
      expect(projection.project(relevant).length).toBeGreaterThan(0);
    }
  });
});
