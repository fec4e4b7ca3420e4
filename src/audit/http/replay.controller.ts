import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Readable } from 'node:stream';
import { AUDIT_ACTIONS } from '../../kernel/contract.js';
import { AuditEntries } from '../../kernel/access.js';
import { CategoryRegistry } from '../../kernel/category-registry.js';
import { TENANT_ID } from '../../kernel/ids.js';
import { refuse } from '../../kernel/rejection.js';
import { EventStore } from '../../platform/eventstore/event-store.js';
import { RequiresRole } from '../../http/access.js';
import { EnumField, IntegerField, RangeEdgeField, TextField } from '../../http/fields.js';
import { IdentityIdField } from '../../http/fields/identity-id.js';
import { RawResponse, RespondsWith } from '../../http/responses.js';
import { formatLine, headOf, REPLAY_FORMATS, type ReplayFormat, replayLine } from '../replay/replay-line.js';
import { type ReplayFilter } from '../replay/replay-selection.js';
import { replayedEvents } from '../replay/replay.js';

class ReplayQuery {
  @TextField({ optional: true, pattern: TENANT_ID, takes: 'The id of an account', description: 'Of this account' })
  tenant_id?: string;

  @RangeEdgeField('start', { optional: true, description: 'Inclusive' })
  start_date?: Date;

  @RangeEdgeField('end', { optional: true, description: 'Exclusive; a bare date is a whole UTC day' })
  end_date?: Date;

  @TextField({ optional: true, description: 'By this actor, as events name it' })
  actor?: string;

  @TextField({ optional: true, description: 'Everything that this request caused' })
  request_id?: string;

  @IdentityIdField('Everything that touched this identity, the audit log included')
  identity_id?: string;

  @TextField({ optional: true, description: 'Everything that touched this person, at every account' })
  identity_hash?: string;

  @TextField({
    optional: true,
    pattern: /^(urn:uuid:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    takes: 'A UUID, or urn:uuid: and a UUID',
    description: 'Everything that touched this credential',
  })
  credential_id?: string;

  @EnumField(AUDIT_ACTIONS, { optional: true, description: 'Of this action of the audit log' })
  action?: string;

  @IntegerField({ min: 1, max: 100_000, optional: true, description: 'Ends after so many lines; default none' })
  limit?: number;

  @TextField({
    optional: true,
    pattern: /^\d{1,19}$/,
    takes: 'The position of a line',
    description: 'The position of the last line that was read: later ones follow',
    example: '184467',
  })
  cursor?: string;

  @EnumField(REPLAY_FORMATS, { default: 'json', description: 'JSON lines, CSV, or text for a terminal' })
  format?: ReplayFormat;
}

const CONTENT_TYPES: Readonly<Record<ReplayFormat, string>> = {
  json: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  text: 'text/plain; charset=utf-8',
};

interface WantedLines {
  readonly format: ReplayFormat;
  readonly limit: number;
  /** The position after which it begins. */
  readonly after: bigint | undefined;
}

/** Each replay reads the whole log. */
const MAX_AT_ONCE = 4;
/** Characters that are sent at once. */
const CHUNK = 16_384;

const filterOf = (query: ReplayQuery): ReplayFilter => ({
  tenant: query.tenant_id,
  from: query.start_date,
  to: query.end_date,
  actor: query.actor,
  request: query.request_id,
  ...(query.identity_id === undefined && query.identity_hash === undefined
    ? {}
    : { person: { identityId: query.identity_id, identityHash: query.identity_hash } }),
  credential: query.credential_id?.replace('urn:uuid:', ''),
  action: query.action,
});

async function* chunked(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** The story of a period from the log itself, for auditors. Sealed fields stay sealed. */
@ApiTags('Operators')
@Controller('admin/audit/replay')
export class ReplayController {
  private running = 0;

  constructor(
    private readonly store: EventStore,
    private readonly categories: CategoryRegistry,
    private readonly entries: AuditEntries,
  ) {}

  @Get()
  @RequiresRole('security', 'admin')
  @RespondsWith(200, {
    summary: 'What happened, from the log itself, in its order; streamed',
    content: Object.values(CONTENT_TYPES).map((type) => ({ type: type.slice(0, type.indexOf(';')) })),
    refuses: ['CONFLICT'],
  })
  async replayLog(@Query() { format = 'json', limit = Infinity, cursor, ...query }: ReplayQuery): Promise<RawResponse> {
    // A store that is away is reported before the answer begins.
    await this.store.head();
    if (this.running >= MAX_AT_ONCE) throw refuse('replays_running');
    const end = new AbortController();
    const after = cursor === undefined ? undefined : BigInt(cursor);
    const lines = this.lines(filterOf(query), { format, limit, after }, end.signal);
    const body = Readable.from(chunked(lines), { objectMode: false });
    this.running += 1;
    body.once('close', () => {
      this.running -= 1;
      end.abort();
    });
    return new RawResponse(200, body, {}, CONTENT_TYPES[format]);
  }

  private async *lines(
    filter: ReplayFilter,
    { format, limit, after }: WantedLines,
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const head = headOf(format);
    if (head !== undefined) yield head;
    const { store, categories, entries } = this;
    let left = limit;
    for await (const event of replayedEvents({ store, categories, entries }, filter, {
      follow: false,
      after,
      signal,
    })) {
      yield formatLine(replayLine(event, categories), format);
      left -= 1;
      if (left === 0) return;
    }
  }
}
