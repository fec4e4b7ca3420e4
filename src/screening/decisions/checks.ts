import { Inject, Injectable } from '@nestjs/common';
import { type AuditResult } from '../../kernel/contract.js';
import { type ChargedResponse, Charging } from '../../kernel/charging.js';
import { type Clock } from '../../kernel/clock.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { CLOCK } from '../../platform/tokens.js';
import { type StoredDecision } from '../domain/stored-decision.js';
import { Screener, type ScreeningKind, type ScreeningQuery } from '../screener.js';
import { Decisions } from './decisions.js';
import { ReviewSettingsDesk } from '../settings/review-settings-desk.js';
import { Judge, type Judged, storedMatch } from './judge.js';

/** A check as its answer shows it. */
export interface Checked {
  readonly decisionId: string;
  readonly judged: Judged;
  readonly checkedAt: Date;
}

interface Check {
  readonly kind: ScreeningKind;
  readonly query: ScreeningQuery;
  readonly context: RequestContext<TenantPrincipal>;
  readonly resultOf: (judged: Judged) => AuditResult;
  readonly toBody: (checked: Checked) => object;
}

const toStored = (kind: ScreeningKind, query: ScreeningQuery, judged: Judged): StoredDecision => {
  const { status, all, shown, outcome } = judged;
  const { versions, engineVersion, thresholds, cleared } = outcome;
  const matches = shown.map(storedMatch);
  return { kind, status, query, versions, engineVersion, thresholds, matches, cleared, total: all.length };
};

/** Charged checks. The charge keeps the decision, so neither exists without the other. */
@Injectable()
export class Checks {
  constructor(
    private readonly charging: Charging,
    private readonly screener: Screener,
    private readonly judge: Judge,
    private readonly decisions: Decisions,
    private readonly settings: ReviewSettingsDesk,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Before anything is charged. Throws invalid_field where a list that the caller names is not in force. */
  async assertLists(kind: ScreeningKind, { lists }: ScreeningQuery, field = 'lists'): Promise<void> {
    if (lists !== undefined) await this.screener.assertInForce(kind, lists, field);
  }

  async check({ kind, query, context, resultOf, toBody }: Check): Promise<ChargedResponse> {
    await this.assertLists(kind, query);
    const { tenantId } = context.principal;
    return this.charging.charge({
      tenantId,
      operation: kind === 'sanctions' ? 'sanctions_check' : 'pep_check',
      access: context,
      caps: context.principal.caps,
      nameHash: this.judge.personHash(query),
      keyed: context.keyed,
      kind: 'look_up',
      run: async (deadline, decisionId) => {
        const asked = await this.settings.asked(tenantId, query);
        const outcome = await this.screener.screen(kind, asked, deadline.signal);
        const judged = await this.judge.judge(tenantId, query, outcome);
        const record = await this.decisions.seal(tenantId, decisionId, toStored(kind, asked, judged));
        return { decisionId, judged, record, checkedAt: this.clock.now() };
      },
      conclude: ({ record, ...checked }) => ({
        action: kind === 'sanctions' ? 'sanctions_check' : 'pep_check',
        result: resultOf(checked.judged),
        status: 200,
        body: toBody(checked),
        record,
        owner: { kind: 'decision', decisionId: checked.decisionId },
      }),
    });
  }
}
