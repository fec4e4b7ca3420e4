import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projections } from '../../projections/index.js';
import { accountDecider } from '../../src/accounts/domain/account.js';
import { creditAccount, toSnapshot } from '../../src/credits/domain/credits.js';
import { identityDecider } from '../../src/identity/domain/identity.js';
import { ingestionDecider } from '../../src/identity/domain/ingestion.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { projectRoot } from '../support/built.js';
import { goldenEvents, goldenFile, goldenLog, goldenStreams } from '../support/golden-log.js';

/** The state that a stream folds to, as plain JSON. */
const fold = (stream: string, stored: readonly DomainEvent[]): unknown => {
  const by = <State>(decider: { initialState: () => State; evolve: (state: State, event: never) => State }): State =>
    stored.reduce((state, { type, data }) => decider.evolve(state, { type, data } as never), decider.initialState());
  switch (stream.split('-')[0]) {
    case 'account':
      return plain(by(accountDecider));
    case 'credits':
      return plain(toSnapshot(by(creditAccount)));
    case 'identity':
      return plain(by(identityDecider));
    case 'ingestion':
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

describe('stored events are forever', () => {
  it('has a golden line for every event type and version that the code names', () => {
    const sources = readdirSync(join(projectRoot, 'src'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.events.ts') || name.endsWith('deployment-guard.ts'))
      .map((name) => readFileSync(join(projectRoot, 'src', name), 'utf8'));
    const named = new Set(sources.flatMap((source) => source.match(/'[A-Z][A-Za-z]+\.v[0-9]+'/g) ?? []));
    const kept = new Set(goldenEvents.map(({ type }) => `'${type}'`));
    expect([...named].filter((type) => !kept.has(type))).toEqual([]);
  });

  it('folds every stream to the state that it has always folded to', () => {
    const states = Object.fromEntries([...goldenStreams].map(([stream, stored]) => [stream, fold(stream, stored)]));
    const expected = JSON.parse(readFileSync(goldenFile('states.json'), 'utf8')) as unknown;
    expect(states).toEqual(expected);
  });

  it('is read by every projection that asks for its stream', () => {
    for (const projection of projections) {
      const relevant = goldenLog().filter(({ stream }) =>
        projection.streamPrefixes.some((prefix) => stream.startsWith(prefix)),
      );
      expect(relevant.length).toBeGreaterThan(0);
      expect(projection.project(relevant).length).toBeGreaterThan(0);
    }
  });
});
