import { readFileSync, writeFileSync } from 'node:fs';
import { projections } from '../../src/projections.js';
import { categories } from '../../src/categories.js';
import { type Category } from '../../src/kernel/category.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { goldenEvents, goldenFile, goldenLog, goldenStreams } from '../support/golden-log.js';
import { sourceFiles } from './source-files.js';

const recording = process.env['RECORD_PROJECTIONS'] === '1';

/** The state that a stream folds to, as plain JSON; null for a log. */
const fold = (stream: string): unknown => {
  const category = categories.categoryOf(stream);
  if (category === undefined || !isDecided(category)) return null;
  const { decider, snapshots } = category;
  const state = goldenLog()
    .filter((event) => event.stream === stream)
    .reduce((before, event) => decider.evolve(before, event), decider.initialState(stream));
  return plain(snapshots === undefined ? state : snapshots.encode(state));
};

const isDecided = (category: object): category is Category<unknown, unknown, DomainEvent> => 'decider' in category;

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
    const states = Object.fromEntries([...goldenStreams.keys()].map((name) => [name, fold(name)]));
    if (recording) writeFileSync(goldenFile('states.json'), `${JSON.stringify(states, null, 2)}\n`);
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
