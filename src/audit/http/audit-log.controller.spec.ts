import { type Readable } from 'node:stream';
import fc from 'fast-check';
import { type AccessDetails } from '../domain/audit.events.js';
import { newTenantId, newUuid } from '../../kernel/ids.js';
import { type EventProofs } from '../../kernel/event-proofs.js';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { ERASED, type KeyedHashes, type Vault } from '../../platform/crypto/vault.js';
import { CSV, NDJSON, streamed } from '../../http/entry-files.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { ReadModels } from '../../log/project/projection.js';
import { SealedAuditEntries } from '../sealed-audit-entries.js';
import { WritePositions } from '../../log/append/write-positions.js';
import { AuditLogReader } from '../audit-log-reader.js';
import { formatCursor, parseCursor } from './audit-cursor.js';
import { AUDIT_LOG_TABLE } from './audit-log-table.js';
import { type AuditLogEntryAnswer } from './audit-log.response.js';
import { AuditLogController } from './audit-log.controller.js';
import { type AuditLogAnswer } from './audit-log.response.js';

const TOTAL = 3;

const row = () => ({
  ...{
    event_id: newUuid(),
    recorded_by: null,
    occurred_at: new Date(0),
    position: '7',
    ordinal: 0,
    action: 'data_exported',
    result: 'ok',
  },
  ...{ total: String(TOTAL), request_id: newUuid(), actor: 'abcd1234', access: '{}' },
});

/** The log's last entries, `left` of them. */
class Entries extends ReadModels {
  constructor(private readonly left: number) {
    super();
  }
  query<Row extends object>(): Promise<Row[]> {
    return Promise.resolve(Array.from({ length: this.left }, () => row() as unknown as Row));
  }
  snapshot(): Promise<never> {
    throw new Error('not asked for');
  }
  nextCommit(): Promise<void> {
    return Promise.resolve();
  }
  waitFor(): Promise<boolean> {
    return Promise.resolve(true);
  }
  assertCurrent(): Promise<void> {
    return Promise.resolve();
  }
}

const pageOf = (opened: AccessDetails | typeof ERASED, left = 1): Promise<AuditLogAnswer> => {
  const vault = { open: () => Promise.resolve(opened) } as unknown as Vault;
  const clock: Clock = systemClock;
  const context = { principal: { tenantId: newTenantId() } } as RequestContext<TenantPrincipal>;
  const proofs: EventProofs = { checkpoint: () => Promise.resolve(undefined), of: () => Promise.resolve(new Map()) };
  const entries = new SealedAuditEntries(vault);
  const reader = new AuditLogReader(new Entries(left), entries, new WritePositions(), {} as KeyedHashes, clock);
  const page = new AuditLogController(reader, proofs, clock).getAuditLog(
    { limit: 2, offset: TOTAL - left },
    context,
    'application/json',
  );
  return page as Promise<AuditLogAnswer>;
};

describe('a page of the audit log', () => {
  it.each([
    ['named nobody', { identityHash: null, ipAddress: '192.0.2.1', userAgent: '' }, ['', '192.0.2.1', '']],
    ['was erased', ERASED, ['', '', '']],
  ] as const)('has a text in every member of an entry that %s', async (_case, opened, texts) => {
    const { logs } = await pageOf(opened);
    expect(logs.map((entry) => [entry.identity_hash, entry.ip_address, entry.user_agent])).toEqual([texts]);
  });

  it.each([
    [3, true],
    [2, false],
    [0, false],
  ])('has more while entries follow those that it shows: of %i left %s', async (left, more) => {
    const { logs, pagination } = await pageOf(ERASED, left);
    expect(logs).toHaveLength(Math.min(left, 2));
    expect(pagination).toMatchObject({ limit: 2, offset: TOTAL - left, has_more: more });
    expect(pagination.next_cursor === null).toBe(!more);
  });

  it('names the API key of an entry', async () => {
    const { logs } = await pageOf(ERASED);
    expect(logs[0]?.actor).toEqual({ type: 'api_key', key_id: 'abcd1234' });
  });
});

describe('a cursor', () => {
  const place = fc.record({
    occurredAt: fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
    position: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
    ordinal: fc.nat(),
  });

  it('is read back as it was written', () =>
    fc.assert(fc.property(place, (cursor) => expect(parseCursor(formatCursor(cursor))).toEqual(cursor))));

  it('is refused in any other form', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        const cursor = parseCursor(text);
        expect(cursor === undefined || formatCursor(cursor) === text).toBe(true);
      }),
    ));
});

describe('the audit log as a file', () => {
  const entry: AuditLogEntryAnswer = {
    ...{ id: 'i', timestamp: 't', action: 'pep_check', result: 'pep', identity_hash: 'h' },
    ...{
      actor: { type: 'token', key_id: null },
      ip_address: '192.0.2.1',
      user_agent: '=HYPERLINK("x")',
      request_id: 'r',
      ...{
        identity_id: 'i',
        decision_id: 'd',
        match_id: null,
        member_id: null,
        key_id: null,
        reason: null,
        records: null,
      },
    },
  };
  const textOf = async (format: string, pages: number): Promise<string> => {
    async function* all() {
      for (let page = 0; page < pages; page += 1) yield [entry];
      await Promise.resolve();
    }
    const parts: string[] = [];
    for await (const part of streamed(all(), format, AUDIT_LOG_TABLE).body as Readable) parts.push(String(part));
    return parts.join('');
  };

  it('is CSV with one header line, in which no cell is a formula', async () =>
    expect(await textOf(CSV, 2)).toBe(
      'id,timestamp,action,result,identity_hash,actor_type,actor_key_id,ip_address,user_agent,request_id,identity_id,decision_id,match_id,member_id,key_id,reason,records\r\n' +
        `i,t,pep_check,pep,h,token,,192.0.2.1,"'=HYPERLINK(""x"")",r,i,d,,,,,\r\n`.repeat(2),
    ));

  it.each(['Mozilla;=1+1', 'a;+1', ';-1', 'a;@SUM(A1)', ';=1;=2', '=1;=2'])(
    'has no cell that is a formula where a spreadsheet splits lines by semicolons: %j',
    async (userAgent) => {
      async function* all() {
        yield await Promise.resolve([{ ...entry, user_agent: userAgent }]);
      }
      const parts: string[] = [];
      for await (const part of streamed(all(), CSV, AUDIT_LOG_TABLE).body as Readable) parts.push(String(part));
      const cells = parts.join('').split(/[;\r\n]/);
      expect(cells.filter((cell) => /^"*[=+\-@]/.test(cell))).toEqual([]);
    },
  );

  it('is one JSON object a line', async () => {
    const lines = (await textOf(NDJSON, 3)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([entry, entry, entry]);
  });

  it('reads a page when the one before was taken', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read += 1;
        yield await Promise.resolve(Array.from({ length: 1_000 }, () => entry));
      }
    }
    const body = streamed(endless(), NDJSON, AUDIT_LOG_TABLE).body as Readable;
    for await (const part of body) if (String(part) !== '') break;
    expect(read).toBeLessThan(25);
  });
});
