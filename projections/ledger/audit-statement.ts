import { type AuditAction, type AuditResult } from '../../src/kernel/contract.js';
import { type TenantId, tenantUuid } from '../../src/kernel/ids.js';

/** What an entry must have to be shown. What is absent does not matter. */
export interface AuditFilter {
  readonly tenantId: TenantId;
  /** Inclusive. */
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
  readonly actions?: readonly AuditAction[] | undefined;
  readonly results?: readonly AuditResult[] | undefined;
  readonly actor?: string | undefined;
  readonly requestId?: string | undefined;
  /** KeyedHashes.auditSubject of the person. */
  readonly subject?: string | undefined;
}

/** A place in the log of entries. */
export interface AuditCursor {
  readonly occurredAt: Date;
  readonly position: string;
  readonly ordinal: number;
}

export interface WantedEntries {
  readonly limit: number;
  readonly offset?: number;
  /** The last entry of the page before. */
  readonly after?: AuditCursor | undefined;
}

/** The columns of an entry. */
export const COLUMNS =
  'event_id, recorded_by, stream, occurred_at, position, ordinal, action, result, request_id, actor, access';
const NEWEST_FIRST = 'ORDER BY occurred_at DESC, position DESC, ordinal DESC';

const PLACE = 'occurred_at, position, ordinal';
const OF_KIND = 'action = kinds.action AND result = kinds.result AND actor = kinds.actor';

const all = (conditions: readonly string[]): string => conditions.join(' AND ');

/**
 * The text of a statement. It names only the parameters that it needs, since Postgres plans each combination of filters by
 * itself.
 */
export class AuditStatement {
  readonly values: unknown[] = [];
  private readonly placed = new Map<string, string>();

  constructor(
    private readonly filter: AuditFilter,
    private readonly page: WantedEntries,
  ) {}

  get name(): string {
    const { actions, results, actor, requestId, subject } = this.filter;
    const given = Object.entries({ actions, results, actor, requestId, subject });
    return ['audit-page', ...given.filter(([, value]) => value !== undefined).map(([name]) => name)].join('-');
  }

  /** The entries of the page alone, and one more. */
  get entries(): string {
    return `WITH ${[...this.kinds, ...this.shown].join(', ')} SELECT ${COLUMNS} FROM shown ${NEWEST_FIRST}`;
  }

  /** The same with the number of all matching entries. One statement is one snapshot. */
  get counted(): string {
    const parts = [...this.kinds, ...this.bounds, `counted AS (${this.total})`, ...this.shown];
    return `WITH ${parts.join(', ')} SELECT total, ${COLUMNS} FROM counted LEFT JOIN shown ON true ${NEWEST_FIRST}`;
  }

  /** The parameter of this value, the same wherever it is named. */
  private parameter(name: string, type: string, value: unknown): string {
    const known = this.placed.get(name) ?? `$${this.values.push(value)}::${type}`;
    this.placed.set(name, known);
    return known;
  }

  private get start(): string {
    return this.parameter('start', 'timestamptz', this.filter.start);
  }

  private get end(): string {
    return this.parameter('end', 'timestamptz', this.filter.end);
  }

  private get ofAccount(): string {
    return `tenant_id = ${this.parameter('account', 'text', this.filter.tenantId)}`;
  }

  private get ofTenant(): string {
    return `tenant = ${this.parameter('tenant', 'uuid', tenantUuid(this.filter.tenantId))} AND action IS NOT NULL`;
  }

  /** Conditions on the kind of an entry (see audit_days). */
  private get kind(): string[] {
    const { actions, results, actor } = this.filter;
    return [
      ...(actions === undefined ? [] : [`action = ANY (${this.parameter('actions', 'text[]', actions)})`]),
      ...(results === undefined ? [] : [`result = ANY (${this.parameter('results', 'text[]', results)})`]),
      ...(actor === undefined ? [] : [`actor = ${this.parameter('actor', 'text', actor)}`]),
    ];
  }

  /** Conditions that few entries fulfil. */
  private get rare(): string[] {
    const { requestId, subject } = this.filter;
    return [
      ...(subject === undefined ? [] : [`subject = ${this.parameter('subject', 'uuid', subject)}`]),
      ...(requestId === undefined ? [] : [`request_id = ${this.request}`]),
    ];
  }

  private get request(): string {
    return this.parameter('request', 'text', this.filter.requestId);
  }

  private get isRare(): boolean {
    return this.filter.subject !== undefined || this.filter.requestId !== undefined;
  }

  /**
   * The log, or what a request's hash finds. Postgres does not know how rare a hash is, so the fence keeps it from walking
   * the tenant's other entries instead.
   */
  private get source(): string {
    if (this.filter.requestId === undefined) return 'audit_log';
    const hashed = `hashtextextended(request_id, 0) = hashtextextended(${this.request}, 0)`;
    return `(SELECT * FROM audit_log WHERE action IS NOT NULL AND ${hashed} OFFSET 0) AS found`;
  }

  private get isByKind(): boolean {
    return this.kind.length > 0 && !this.isRare;
  }

  /** The kinds that occur in the range. Few of them represent many entries. */
  private get kinds(): string[] {
    if (!this.isByKind) return [];
    const days = `day >= (${this.start} AT TIME ZONE 'UTC')::date AND day <= (${this.end} AT TIME ZONE 'UTC')::date`;
    return [
      `kinds AS MATERIALIZED (
        SELECT DISTINCT action, result, actor FROM audit_days
        WHERE ${all([this.ofAccount, 'entries > 0', days, ...this.kind])}
      )`,
    ];
  }

  private get shown(): string[] {
    return [
      `page AS MATERIALIZED (${this.newest})`,
      `shown AS (
        SELECT entry.* FROM page CROSS JOIN LATERAL (
          SELECT ${COLUMNS} FROM audit_log WHERE ${this.ofTenant} AND occurred_at = page.occurred_at
            AND position = page.position AND ordinal = page.ordinal LIMIT 1
        ) AS entry
      )`,
    ];
  }

  /** The index alone skips the rows before the offset. Of each kind no more is read than the page could hold. */
  private get newest(): string {
    const most = this.parameter('most', 'bigint', this.page.limit + 1);
    const skipped = this.parameter('skipped', 'bigint', this.page.offset ?? 0);
    const page = `${NEWEST_FIRST} LIMIT ${most} OFFSET ${skipped}`;
    if (!this.isByKind)
      return `SELECT ${PLACE} FROM ${this.source} WHERE ${all([this.within, ...this.rare, ...this.kind])} ${page}`;
    return `SELECT ${PLACE} FROM kinds CROSS JOIN LATERAL (
        SELECT ${PLACE} FROM audit_log WHERE ${all([this.within, OF_KIND])} ${NEWEST_FIRST} LIMIT ${most} + ${skipped}
      ) AS newest ${page}`;
  }

  private get within(): string {
    const { occurredAt, position, ordinal } = this.page.after ?? {
      occurredAt: this.filter.end,
      position: '-1',
      ordinal: -1,
    };
    const before = [
      this.parameter('before', 'timestamptz', occurredAt),
      this.parameter('position', 'bigint', position),
      this.parameter('ordinal', 'integer', ordinal),
    ].join(', ');
    return all([this.ofTenant, `occurred_at >= ${this.start}`, `(${PLACE}) < (${before})`]);
  }

  /** The first midnight of the range, and the last one. */
  private get bounds(): string[] {
    if (this.isRare) return [];
    return [
      `bounds AS (
        SELECT ceiling_day, greatest(ceiling_day, date_trunc('day', ${this.end}, 'UTC')) AS floor_day FROM (
          SELECT date_trunc('day', ${this.start} + interval '1 day' - interval '1 microsecond', 'UTC') AS ceiling_day
        ) AS start_day
      )`,
    ];
  }

  /**
   * Counts whole days from their sums, so that a long range costs no more than a short one. The edges are counted by row,
   * and so are the entries about one person or of one request.
   */
  private get total(): string {
    const range = (from: string, to: string): string => `occurred_at >= ${from} AND occurred_at < ${to}`;
    if (this.isRare) {
      const wanted = all([this.ofTenant, range(this.start, this.end), ...this.rare, ...this.kind]);
      return `SELECT count(*) AS total FROM ${this.source} WHERE ${wanted}`;
    }
    const edge = (from: string, to: string): string =>
      this.isByKind
        ? `(SELECT count(*) FROM bounds CROSS JOIN kinds CROSS JOIN LATERAL (
            SELECT 1 FROM audit_log WHERE ${all([this.ofTenant, OF_KIND, range(from, to)])}
          ) AS entry)`
        : `(SELECT count(*) FROM audit_log, bounds WHERE ${all([this.ofTenant, range(from, to)])})`;
    const days = [
      this.ofAccount,
      ...this.kind,
      `day >= (ceiling_day AT TIME ZONE 'UTC')::date`,
      `day < (floor_day AT TIME ZONE 'UTC')::date`,
    ];
    return `SELECT (SELECT coalesce(sum(entries), 0) FROM audit_days, bounds WHERE ${all(days)})
      + ${edge(this.start, `least(ceiling_day, ${this.end})`)} + ${edge('floor_day', this.end)} AS total`;
  }
}
