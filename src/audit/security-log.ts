import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Recorded } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { type Config } from '../platform/config/config.js';
import { AggregateStore } from '../log/append/aggregate-store.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type GroupedLog } from '../log/append/grouped-log.js';
import { type LogPage, type LogRange, newestFirst } from '../platform/eventstore/newest-first.js';
import { type AnsweredRequest } from '../http/request-trail.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { CONFIG } from '../platform/tokens.js';
import { securityCategory } from './domain/security.category.js';
import { SECURITY_STREAM, type SecurityEvent } from './domain/security.events.js';
import { SecurityTally, type Tallied } from './domain/security-tally.js';

const FLUSH_INTERVAL_MS = 5_000;
/** Upper estimate of an event's size in the log, bytes. */
const EVENT_BYTES = 800;

const LOGS: ReadonlySet<string> = new Set([
  '/api/v1/compliance/audit-log',
  '/api/v1/compliance/audit-log/search',
  '/admin/audit-log',
  '/admin/audit/replay',
  '/admin/access-log',
  '/admin/security-log',
]);

const typeOf = ({ route, status }: AnsweredRequest): SecurityEvent['type'] | undefined => {
  if (status === 401 || status === 403) return 'AccessRefused.v1';
  return LOGS.has(route) && status < 400 ? 'LogRead.v1' : undefined;
};

interface Pending extends Tallied {
  readonly id: string;
}

export interface SecurityFilter extends LogRange {
  readonly type?: SecurityEvent['type'] | undefined;
  readonly tenantId?: string | undefined;
}

/** The security log: refused accesses and reads of the logs, counted in memory and written to the log every five seconds. */
@Injectable()
export class SecurityLog implements OnApplicationShutdown {
  private readonly log: GroupedLog<SecurityEvent>;
  private readonly tally = new SecurityTally();
  /** Events whose append is not acknowledged. They keep their ids. */
  private pending: readonly Pending[] = [];

  constructor(
    private readonly store: EventStore,
    aggregates: AggregateStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'timing'>,
  ) {
    this.log = aggregates.grouped(securityCategory);
  }

  note(request: AnsweredRequest): void {
    const type = typeOf(request);
    if (type === undefined) return;
    const {
      method,
      route,
      status,
      errorCode: code,
      tenantId,
      requestId,
      answeredAt: at,
      caller,
      actorId: id,
    } = request;
    const actor = { type: caller === 'anonymous' ? 'system' : caller, id } as const;
    this.tally.add({ type, action: `${method} ${route}`, status, code, tenantId, actor, requestId, at });
  }

  /** Throws Unavailable. What is not acknowledged is appended again in the next round, under the same ids. */
  @Periodic({ every: FLUSH_INTERVAL_MS })
  async flush(): Promise<void> {
    if (this.pending.length === 0) this.pending = this.tally.take().map((one) => ({ ...one, id: newUuid() }));
    const results = await Promise.allSettled(this.pending.map((one) => this.append(one)));
    this.pending = this.pending.filter((_, index) => results[index]?.status === 'rejected');
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async onApplicationShutdown(): Promise<void> {
    // The log may lose its last seconds. A stop does not wait for a store that is away.
    await this.flush().catch(() => undefined);
  }

  /** Newest first, from revision `from` downwards. Throws Unavailable. */
  page(filter: SecurityFilter, limit: number, from?: bigint): Promise<LogPage<SecurityEvent>> {
    const { type, tenantId } = filter;
    // An event may stand in the stream twice where its acknowledgement was lost.
    const seen = new Set<string>();
    const fits = ({ id, type: one, data }: Recorded<SecurityEvent>): boolean => {
      const isWanted =
        (type === undefined || one === type) && (tenantId === undefined || data.tenantId === tenantId) && !seen.has(id);
      if (isWanted) seen.add(id);
      return isWanted;
    };
    return newestFirst(this.store, SECURITY_STREAM, fits, { range: filter, limit, from });
  }

  private append({ event, actor, id }: Pending): Promise<bigint> {
    const metadata = { requestId: event.data.requestId, actor };
    const budgetMs = this.config.timing.storeBudget;
    return this.log.append(SECURITY_STREAM, { ...event, id }, { metadata, bytes: EVENT_BYTES, budgetMs });
  }
}
