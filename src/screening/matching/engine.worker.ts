import { parentPort, workerData } from 'node:worker_threads';
import { digestOf, digestsOf } from '../domain/list-entry.js';
import { byList, requiredLists } from '../domain/known-lists.js';
import { type ListId } from '../domain/screening-list.js';
import { readList } from '../lists/readers/read-list.js';
import { SANDBOX_ENTRIES } from '../lists/sandbox.js';
import {
  type ComparedEntry,
  type ComparedPair,
  type EngineLists,
  type EngineReady,
  type EngineReply,
  type EngineRequest,
  type ScreenRequest,
} from './engine-messages.js';
import { ListEngine, screenAgainstLists } from './list-engine.js';

const { sources, thresholds } = workerData as EngineLists;
const engines = new Map<ListId, ListEngine>();

for (const { list, version, kind, files, dispensable = false } of sources) {
  try {
    const entries = files === null ? (SANDBOX_ENTRIES.get(list) ?? []) : (await readList(list, kind, files)).entries;
    engines.set(list, new ListEngine(list, version, entries));
  } catch (error) {
    if (!dispensable) throw error;
  }
}
const kinds = new Map(sources.map(({ list, kind }) => [list, kind]));

/** What every check of the kind screens against, and the lists that it names; all of them where it names none. */
const enginesFor = ({ kind, query: { lists } }: ScreenRequest): ListEngine[] => {
  const wanted = lists === undefined ? undefined : new Set([...requiredLists(kind), ...lists]);
  return [...engines.values()]
    .filter(({ list }) => kinds.get(list) === kind && wanted?.has(list) !== false)
    .sort((a, b) => byList(a.list, b.list));
};

/** Reverse screening asks for the same entries many times. */
let part: { readonly key: string; readonly engine: ListEngine } | undefined;

const partOf = (engine: ListEngine, ids: readonly string[]): ListEngine => {
  const key = `${engine.list}\n${ids.join('\n')}`;
  part = part?.key === key ? part : { key, engine: engine.only(new Set(ids)) };
  return part.engine;
};

const known = (list: ListId): ListEngine => {
  const engine = engines.get(list);
  if (engine === undefined) throw new Error(`${list} is not loaded`);
  return engine;
};

const compare = (engine: ListEngine, { entryId, query }: ComparedPair): ComparedEntry | null => {
  const alone = engine.only(new Set([entryId]));
  const [entry] = alone.entries;
  if (entry === undefined) return null;
  const { matches } = screenAgainstLists([alone], query, thresholds);
  return { entry, digest: digestOf(entry), evidence: matches[0]?.evidence ?? [] };
};

const answer = (request: EngineRequest): unknown => {
  switch (request.ask) {
    case 'screen':
      return screenAgainstLists(enginesFor(request), request.query, thresholds);
    case 'screen_many': {
      const engine = partOf(known(request.list), request.entryIds);
      return request.queries.map((query) => screenAgainstLists([engine], query, thresholds));
    }
    case 'compare': {
      const engine = known(request.list);
      return request.pairs.map((pair) => compare(engine, pair));
    }
    case 'digests':
      return digestsOf(known(request.list).entries);
    case 'sizes':
      return new Map([...engines].map(([list, { entries }]) => [list, entries.length]));
  }
};

parentPort?.on('message', ({ id, request }: { readonly id: number; readonly request: EngineRequest }) => {
  let reply: EngineReply;
  try {
    reply = { id, result: answer(request) };
  } catch (error) {
    reply = { id, fault: error instanceof Error ? error.name : 'Error' };
  }
  parentPort?.postMessage(reply);
});
parentPort?.postMessage({ ready: true, lists: [...engines.keys()] } satisfies EngineReady);
