import { Inject, Injectable } from '@nestjs/common';
import { type ChargedResponse, type Receipt } from '../../kernel/charging.js';
import { describeError, LOGGER, type Logger } from '../../observability/logging.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { type ScreeningQuery } from '../screener.js';
import { type Checked, Checks } from './checks.js';
import { type Judged } from './judge.js';

/** What a query of a batch was answered: as a check by itself, or with the error that kept it from being made and charged. */
export type BatchOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: object }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface BatchAnswer {
  readonly outcomes: readonly BatchOutcome[];
  /** Of the last charge; undefined where earlier attempts with the same key had charged all. */
  readonly receipt: Receipt | undefined;
  /** Credits that this attempt was charged. */
  readonly charged: number;
}

type Answer = Pick<ChargedResponse, 'status' | 'body'> & { readonly receipt?: Receipt };

/** Sanctions checks of many persons, each charged by an event and kept as a decision of its own. */
@Injectable()
export class BatchChecks {
  constructor(
    private readonly checks: Checks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * What keeps a query from being checked keeps those behind it, and those before it are answered. Throws the error of the first
   * query. With an Idempotency-Key each query is a keyed request of its own, so a repeat charges what is still to be charged.
   */
  async check(
    queries: readonly ScreeningQuery[],
    context: RequestContext<TenantPrincipal>,
    toBody: (checked: Checked) => object,
  ): Promise<BatchAnswer> {
    context.keyed?.leaveOpen();
    for (const [index, query] of queries.entries())
      await this.checks.assertLists('sanctions', query, `queries[${index}].lists`);
    const outcomes: BatchOutcome[] = [];
    let [charged, receipt]: [number, Receipt | undefined] = [0, undefined];
    for (const [index, query] of queries.entries()) {
      try {
        const answer = await this.checkOne(index, query, context, toBody);
        outcomes.push({ kind: 'answered', status: answer.status, body: JSON.parse(answer.body) as object });
        [charged, receipt] = [charged + (answer.receipt?.charged ?? 0), answer.receipt ?? receipt];
      } catch (error) {
        if (index === 0) throw error;
        this.logger.warn(
          { request_id: context.requestId, index, error: describeError(error) },
          'a batch of checks ends early',
        );
        const failed = Array.from({ length: queries.length - index }, () => ({ kind: 'failed', error }) as const);
        return { outcomes: [...outcomes, ...failed], receipt, charged };
      }
    }
    return { outcomes, receipt, charged };
  }

  private async checkOne(
    index: number,
    query: ScreeningQuery,
    { keyed: whole, ...context }: RequestContext<TenantPrincipal>,
    toBody: (checked: Checked) => object,
  ): Promise<Answer> {
    const check = { kind: 'sanctions', query, resultOf: ({ status }: Judged) => status, toBody } as const;
    const part = await whole?.part(`check ${index}`);
    if (part === undefined) return this.checks.check({ ...check, context });
    if (part.kind === 'replay') return part;
    try {
      return await this.checks.check({ ...check, context: { ...context, keyed: part.attempt } });
    } catch (error) {
      await part.attempt.abandon();
      throw error;
    }
  }
}
