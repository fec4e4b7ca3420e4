import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { categories } from '../../src/categories.js';
import { type OperationCharged } from '../../src/credits/domain/credits.events.js';
import { type DomainEvent } from '../../src/kernel/decider.js';
import { type StoredEvent } from '../../src/kernel/events.js';
import { projectRoot } from './built.js';

export const goldenFile = (name: string): string => join(projectRoot, 'test', 'golden', name);

interface GoldenEvent extends DomainEvent {
  readonly stream: string;
}

/** Every version of every event ever stored, in the form of the log. Lines are added at the end, never changed. */
export const goldenEvents = readFileSync(goldenFile('events.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as GoldenEvent);

export const goldenStreams = new Map<string, GoldenEvent[]>();
for (const event of goldenEvents) goldenStreams.set(event.stream, [...(goldenStreams.get(event.stream) ?? []), event]);

/** A charge's id is its event's id. */
const idOf = ({ type, data }: GoldenEvent, index: number): string =>
  type === 'OperationCharged.v1'
    ? (data as OperationCharged['data']).chargeId
    : `66666666-6666-4666-8666-${String(index).padStart(12, '0')}`;

/** The same events as readers of a log receive them. */
export const goldenLog = (): StoredEvent[] => storedLog().map((event) => categories.upcast(event));

const storedLog = (): StoredEvent[] =>
  goldenEvents.map((event, index) => ({
    id: idOf(event, index),
    stream: event.stream,
    type: event.type,
    data: event.data,
    revision: BigInt(goldenStreams.get(event.stream)?.indexOf(event) ?? 0),
    position: BigInt(index * 100),
    created: new Date('2026-11-21T00:00:00.000Z'),
    metadata: {
      $correlationId: '77777777-7777-4777-8777-777777777777',
      actor: { type: 'system', id: 'golden' },
      time: '2026-11-21T00:00:00.000Z',
      schemaVersion: 1,
    },
  }));
