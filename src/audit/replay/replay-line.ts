import { spreadsheetCell } from '../../kernel/spreadsheet-cell.js';
import { type OpenedAccess } from '../../kernel/access.js';
import { type CategoryRegistry } from '../../kernel/category-registry.js';
import { type StoredEvent } from '../../kernel/events.js';
import { plain } from './plain.js';
import { fieldOf } from './replay-selection.js';

/** The internal audit form (docs/operations.md), with the event's place in the log. Sealed fields are left out. */
export interface ReplayLine {
  readonly event_id: string;
  readonly timestamp: string;
  readonly event_type: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly resource: { readonly type: string; readonly id: string };
  /** Address and agent are empty unless they were revealed. */
  readonly metadata: { readonly ip_address: string | null; readonly user_agent: string; readonly result: string };
  readonly position: string;
  readonly stream: string;
  readonly revision: string;
  readonly request_id: string;
  readonly causation_id: string | null;
  readonly data: unknown;
}

/** What was sealed in an event and is to be shown. */
export interface Revealed {
  /** Opened fields by their envelopes. */
  readonly fields: ReadonlyMap<object, unknown>;
  readonly access: OpenedAccess | undefined;
}

export const replayLine = (event: StoredEvent, categories: CategoryRegistry, revealed?: Revealed): ReplayLine => {
  const { id, type, data, metadata, position, stream, revision } = event;
  const category = categories.categoryOf(stream)?.name ?? stream;
  return {
    event_id: id,
    timestamp: metadata.time,
    event_type: type,
    actor: { type: metadata.actor.type, id: metadata.actor.id },
    resource: { type: category, id: stream.slice(category.length + 1) },
    metadata: {
      ip_address: revealed?.access === undefined ? '' : revealed.access.ipAddress,
      user_agent: revealed?.access?.userAgent ?? '',
      result: fieldOf(data, 'result'),
    },
    position: String(position),
    stream,
    revision: String(revision),
    request_id: metadata.$correlationId,
    causation_id: metadata.$causationId ?? null,
    data: plain(data, revealed?.fields),
  };
};

export const REPLAY_FORMATS = ['text', 'json', 'csv'] as const;
export type ReplayFormat = (typeof REPLAY_FORMATS)[number];

const COLUMNS =
  'position,stream,revision,timestamp,event_id,event_type,actor_type,actor_id,request_id,causation_id,data';

/** The line before the first; undefined where a format has none. */
export const headOf = (format: ReplayFormat): string | undefined => (format === 'csv' ? COLUMNS : undefined);

const cell = (text: string): string => `"${spreadsheetCell(text).replaceAll('"', '""')}"`;

/** A semicolon stands only in its texts, where its escape means the same. */
const jsonCell = (data: unknown): string => cell(JSON.stringify(data).replaceAll(';', '\\u003b'));

const csvOf = (line: ReplayLine): string => {
  const { position, stream, revision, timestamp, event_id, event_type, actor, request_id, causation_id, data } = line;
  const texts = [timestamp, event_id, event_type, actor.type, actor.id, request_id, causation_id ?? ''];
  return [position, cell(stream), revision, ...texts.map(cell), jsonCell(data)].join(',');
};

const textOf = (line: ReplayLine): string => {
  const { position, stream, revision, timestamp, event_type, actor, request_id, causation_id, data } = line;
  const cause = causation_id === null ? '' : ` caused by ${causation_id}`;
  return `${position} ${timestamp} ${stream}@${revision} ${event_type} by ${actor.type} ${actor.id}, request ${request_id}${cause}\n    ${JSON.stringify(data)}`;
};

export const formatLine = (line: ReplayLine, format: ReplayFormat): string => {
  switch (format) {
    case 'json':
      return JSON.stringify(line);
    case 'csv':
      return csvOf(line);
    case 'text':
      return textOf(line);
  }
};
