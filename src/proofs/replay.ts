import { type CategoryRegistry } from '../kernel/category-registry.js';
import { type StoredEvent, tenantOfStream } from '../kernel/events.js';

/** What a replay shows; a filter that is absent lets every event through. */
export interface ReplayFilter {
  readonly tenant?: string | undefined;
  /** Inclusive, by the appender's clock. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** The actor's hashed or opaque id. */
  readonly actor?: string | undefined;
  /** A request, and everything that its events caused. */
  readonly request?: string | undefined;
  readonly identity?: string | undefined;
  readonly identityHash?: string | undefined;
  readonly action?: string | undefined;
}

/** The internal audit form of the interface, with the event's place in the log. Sealed fields are left out. */
export interface ReplayLine {
  readonly event_id: string;
  readonly timestamp: string;
  readonly event_type: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly resource: { readonly type: string; readonly id: string };
  readonly metadata: { readonly ip_address: ''; readonly user_agent: ''; readonly result: string };
  readonly position: string;
  readonly stream: string;
  readonly revision: string;
  readonly request_id: string;
  readonly causation_id: string | null;
  readonly data: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isEnvelope = (value: unknown): boolean => isObject(value) && 'alg' in value && 'ct' in value;

/** A copy without envelopes. Ciphertext is of no use to a reader. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, field]) => !isEnvelope(field));
  return Object.fromEntries(entries.map(([name, field]) => [name, plain(field)]));
};

const mentions = (value: unknown, wanted: string): boolean =>
  value === wanted || (isObject(value) && Object.values(value).some((field) => mentions(field, wanted)));

const fieldOf = (data: unknown, name: string): string => {
  const field = isObject(data) ? data[name] : undefined;
  return typeof field === 'string' ? field : '';
};

/** Chooses events in the log's order. It remembers those of the wanted request, so that what they caused is found too. */
export class ReplaySelection {
  private readonly ofRequest = new Set<string>();

  constructor(private readonly filter: ReplayFilter) {}

  takes(event: StoredEvent): boolean {
    const { tenant, from, to, actor, request, identity, identityHash, action } = this.filter;
    const { stream, data, metadata } = event;
    const time = new Date(metadata.time);
    return (
      (tenant === undefined || tenantOfStream(stream) === tenant || fieldOf(data, 'stream').includes(tenant)) &&
      (from === undefined || time >= from) &&
      (to === undefined || time < to) &&
      (actor === undefined || metadata.actor.id === actor) &&
      (request === undefined || this.isCausedBy(request, event)) &&
      (identity === undefined || mentions(data, identity)) &&
      (identityHash === undefined || mentions(data, identityHash)) &&
      (action === undefined || fieldOf(data, 'action') === action)
    );
  }

  private isCausedBy(request: string, { id, metadata, data }: StoredEvent): boolean {
    const { $correlationId, $causationId } = metadata;
    const caused =
      $correlationId === request ||
      fieldOf(data, 'requestId') === request ||
      ($causationId !== undefined && this.ofRequest.has($causationId));
    if (caused) this.ofRequest.add(id);
    return caused;
  }
}

export const replayLine = (event: StoredEvent, categories: CategoryRegistry): ReplayLine => {
  const { id, type, data, metadata, position, stream, revision } = event;
  const category = categories.categoryOf(stream)?.name ?? stream;
  return {
    event_id: id,
    timestamp: metadata.time,
    event_type: type,
    actor: { type: metadata.actor.type, id: metadata.actor.id },
    resource: { type: category, id: stream.slice(category.length + 1) },
    metadata: { ip_address: '', user_agent: '', result: fieldOf(data, 'result') },
    position: String(position),
    stream,
    revision: String(revision),
    request_id: metadata.$correlationId,
    causation_id: metadata.$causationId ?? null,
    data: plain(data),
  };
};

export const REPLAY_FORMATS = ['text', 'json', 'csv'] as const;
export type ReplayFormat = (typeof REPLAY_FORMATS)[number];

export const CSV_HEADER =
  'position,stream,revision,timestamp,event_id,event_type,actor_type,actor_id,request_id,causation_id,data';

/** A spreadsheet takes a cell that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const csvOf = (line: ReplayLine): string => {
  const { position, stream, revision, timestamp, event_id, event_type, actor, request_id, causation_id, data } = line;
  const texts = [timestamp, event_id, event_type, actor.type, actor.id, request_id, causation_id ?? ''];
  return [position, cell(stream), revision, ...texts.map(cell), cell(JSON.stringify(data))].join(',');
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
