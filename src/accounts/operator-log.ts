import { Injectable } from '@nestjs/common';
import { Vault } from '../platform/crypto/vault.js';
import { type Recorded } from '../kernel/events.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { type LogRange, newestFirst } from '../platform/eventstore/newest-first.js';
import { type Conclusion, OUTCOME_WITHIN, type OperatorOutcome } from '../http/operator-trail.js';
import {
  OPERATOR_STREAM,
  type OperatorActed,
  type OperatorDetails,
  type OperatorEvent,
} from './domain/operator.events.js';
import { openDetails } from './operator-audit.js';

/** An act and what became of it. */
export interface OperatorRecord {
  readonly act: Recorded<OperatorActed>;
  readonly conclusion: Conclusion;
  /** Undefined once their key was destroyed. */
  readonly details: OperatorDetails | undefined;
}

export interface OperatorFilter extends LogRange {
  readonly action?: string | undefined;
  readonly tenantId?: string | undefined;
  /** Keyed hashes of tokens' subjects, of which it is one. */
  readonly operators?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
  readonly outcomes?: readonly OperatorOutcome[] | undefined;
}

export interface OperatorPage {
  readonly records: readonly OperatorRecord[];
  /** Revision at which the next page starts. Undefined on the last page. */
  readonly next: bigint | undefined;
}

const RECORDS_A_PAGE = 1_000;

/** Of an act that still runs, whose process died, or that an earlier release recorded. */
const NOT_KNOWN: Conclusion = { outcome: 'unknown', status: null, code: null, changes: [] };

/** By the ids of their acts. */
type Conclusions = Map<string, Conclusion>;

const conclusionOf = ({ id }: Recorded<OperatorActed>, conclusions: Conclusions): Conclusion =>
  conclusions.get(id) ?? NOT_KNOWN;

const isWanted = ({ act, conclusion }: Pick<OperatorRecord, 'act' | 'conclusion'>, filter: OperatorFilter): boolean => {
  const { start, end, action, tenantId, operators, requestId, outcomes } = filter;
  const time = Date.parse(act.metadata.time);
  return (
    time >= start.getTime() &&
    time < end.getTime() &&
    (action === undefined || act.data.action === action) &&
    (tenantId === undefined || act.data.tenantId === tenantId) &&
    (operators === undefined || operators.includes(act.metadata.actor.id)) &&
    (requestId === undefined || act.metadata.$correlationId === requestId) &&
    (outcomes === undefined || outcomes.includes(conclusion.outcome))
  );
};

/** Reads the operators' acts, newest first, each with what became of it. */
@Injectable()
export class OperatorLog {
  constructor(
    private readonly store: EventStore,
    private readonly vault: Vault,
  ) {}

  /** At most `limit` records from revision `from` downwards, by default from the newest. Throws Unavailable. */
  async page(filter: OperatorFilter, limit: number, from?: bigint): Promise<OperatorPage> {
    const conclusions = from === undefined ? new Map<string, Conclusion>() : await this.conclusionsAbove(from);
    const fits = (event: Recorded<OperatorEvent>): boolean => {
      if (event.type === 'OperatorActed.v1')
        return isWanted({ act: event, conclusion: conclusionOf(event, conclusions) }, filter);
      conclusions.set(event.data.actId, event.data);
      return false;
    };
    // Conclusions lie behind their acts, also behind the end of the range.
    const range = { start: filter.start, end: new Date(filter.end.getTime() + OUTCOME_WITHIN) };
    const { records, next } = await newestFirst(this.store, OPERATOR_STREAM, fits, { range, limit, from });
    const acts = records as readonly Recorded<OperatorActed>[];
    const opened = acts.map(async (act) => {
      const details = await openDetails(this.vault, act);
      return { act, conclusion: conclusionOf(act, conclusions), details };
    });
    return { records: await Promise.all(opened), next };
  }

  /** All records that fit, or the first `limit`. A page is read when the one before was taken. */
  async *pages(filter: OperatorFilter, limit: number, from?: bigint): AsyncGenerator<readonly OperatorRecord[]> {
    let [left, next] = [limit, from];
    do {
      const page = await this.page(filter, Math.min(left, RECORDS_A_PAGE), next);
      yield page.records;
      left -= page.records.length;
      ({ next } = page);
    } while (next !== undefined && left > 0);
  }

  /** Of acts at `from` and below, those that the pages before have passed. */
  private async conclusionsAbove(from: bigint): Promise<Conclusions> {
    const conclusions: Conclusions = new Map();
    let latest: number | undefined;
    for await (const page of this.store.readPages(OPERATOR_STREAM, { from })) {
      for (const event of page as readonly Recorded<OperatorEvent>[]) {
        latest ??= event.created.getTime() + OUTCOME_WITHIN;
        if (event.created.getTime() > latest) return conclusions;
        if (event.type === 'OperatorActConcluded.v1') conclusions.set(event.data.actId, event.data);
      }
    }
    return conclusions;
  }
}
