import { Inject, Injectable } from '@nestjs/common';
import { type Receipt } from '../../kernel/charging.js';
import { newUuid } from '../../kernel/ids.js';
import { isRejection, type Rejection } from '../../kernel/rejection.js';
import { LOGGER, type Logger } from '../../observability/logging.js';
import { type RequestContext, type TenantPrincipal } from '../../platform/http/request-context.js';
import { type ScreeningQuery } from '../screener.js';
import { type Checked, Checks } from './checks.js';
import { Decisions } from './decisions.js';
import { type Judged } from './judge.js';

/** What a query of a batch was answered. */
export type BatchOutcome =
  | { readonly kind: 'checked'; readonly body: object }
  /** Nothing of it was charged. */
  | { readonly kind: 'refused'; readonly rejection: Rejection };

export interface BatchAnswer {
  readonly outcomes: readonly BatchOutcome[];
  /** Of the last charge; undefined where an earlier attempt with the same key had charged all. */
  readonly receipt: Receipt | undefined;
  readonly charged: number;
}

/** Sanctions checks of many persons, each charged by an event and kept as a decision of its own. */
@Injectable()
export class BatchChecks {
  constructor(
    private readonly checks: Checks,
    private readonly decisions: Decisions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws the rejection of the first query where none could be charged. */
  async check(
    queries: readonly ScreeningQuery[],
    context: RequestContext<TenantPrincipal>,
    toBody: (checked: Checked) => object,
  ): Promise<BatchAnswer> {
    const { keyed, ...unkeyed } = context;
    if (keyed?.repeated === true) await this.decisions.upToDate();
    const outcomes: BatchOutcome[] = [];
    let [charged, receipt]: [number, Receipt | undefined] = [0, undefined];
    for (const [index, query] of queries.entries()) {
      const decisionId = keyed?.effectId(`check ${index}`) ?? newUuid();
      const check = {
        kind: 'sanctions',
        query,
        context: unkeyed,
        decisionId,
        resultOf: ({ status }: Judged) => status,
        toBody,
      } as const;
      try {
        // An attempt that died may have charged the query: it is answered, and never charged again.
        if (keyed?.repeated === true && (await this.decisions.row(decisionId)) !== undefined) {
          outcomes.push({ kind: 'checked', body: await this.checks.answer(check) });
          continue;
        }
        const answer = await this.checks.check(check);
        outcomes.push({ kind: 'checked', body: JSON.parse(answer.body) as object });
        [charged, receipt] = [charged + answer.receipt.charged, answer.receipt];
      } catch (error) {
        if (!isRejection(error) || outcomes.length === 0) throw error;
        this.logger.info({ request_id: context.requestId, index, code: error.code }, 'a batch of checks ends early');
        return { outcomes: [...outcomes, ...refusedFrom(index, queries.length, error)], receipt, charged };
      }
    }
    return { outcomes, receipt, charged };
  }
}

/** What keeps one query from being charged keeps those behind it. */
const refusedFrom = (index: number, count: number, rejection: Rejection): BatchOutcome[] =>
  Array.from({ length: count - index }, () => ({ kind: 'refused', rejection }));
