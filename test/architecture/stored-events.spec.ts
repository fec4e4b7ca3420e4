import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projections } from '../../projections/index.js';
import { accountDecider } from '../../src/accounts/domain/account.js';
import { creditAccount, toSnapshot } from '../../src/credits/domain/credits.js';
import { identityDecider } from '../../src/identity/domain/identity.js';
import { ingestionDecider } from '../../src/identity/domain/ingestion.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { type StoredEvent } from '../../src/kernel/events.js';

const root = join(import.meta.dirname, '..', '..');
const golden = join(root, 'test', 'golden');

interface GoldenEvent extends DomainEvent {
  readonly stream: string;
}

/** Every version of every event ever stored, as it stands in the log. Lines are added, never changed. */
const events = readFileSync(join(golden, 'events.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as GoldenEvent);

const streams = new Map<string, GoldenEvent[]>();
for (const event of events) streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);

/** The state that a stream folds to, as plain JSON. */
const fold = (stream: string, stored: readonly GoldenEvent[]): unknown => {
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

const asStored = (): StoredEvent[] =>
  events.map(({ stream, type, data }, index) => ({
    id: `66666666-6666-4666-8666-${String(index).padStart(12, '0')}`,
    stream,
    type,
    data,
    revision: BigInt(streams.get(stream)?.findIndex((event) => event === events[index]) ?? 0),
    position: BigInt(index * 100),
    created: new Date('2026-11-21T00:00:00.000Z'),
    metadata: {
      $correlationId: '77777777-7777-4777-8777-777777777777',
      actor: { type: 'system', id: 'golden' },
      time: '2026-11-21T00:00:00.000Z',
      schemaVersion: 1,
    },
  }));

describe('stored events are forever', () => {
  it('has a golden line for every event type and version that the code names', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.events.ts') || name.endsWith('deployment-guard.ts'))
      .map((name) => readFileSync(join(root, 'src', name), 'utf8'));
    const named = new Set(sources.flatMap((source) => source.match(/'[A-Z][A-Za-z]+\.v[0-9]+'/g) ?? []));
    const kept = new Set(events.map(({ type }) => `'${type}'`));
    expect([...named].filter((type) => !kept.has(type))).toEqual([]);
  });

  it('folds every stream to the state that it has always folded to', () => {
    const states = Object.fromEntries([...streams].map(([stream, stored]) => [stream, fold(stream, stored)]));
    const expected = JSON.parse(readFileSync(join(golden, 'states.json'), 'utf8')) as unknown;
    expect(states).toEqual(expected);
  });

  it('is read by every projection that asks for its stream', () => {
    for (const projection of projections) {
      const relevant = asStored().filter(({ stream }) =>
        projection.streamPrefixes.some((prefix) => stream.startsWith(prefix)),
      );
      expect(relevant.length).toBeGreaterThan(0);
      expect(projection.project(relevant).length).toBeGreaterThan(0);
    }
  });
});
