import { tenantMetadata } from '../../kernel/events.js';
import { Inject, Injectable } from '@nestjs/common';
import { SCREENING } from '../../../projections/screening/screening.queries.js';
import { type Clock } from '../../kernel/clock.js';
import { refuse } from '../../kernel/rejection.js';
import { YEARS_KEPT, yearsFrom } from '../../kernel/retention.js';
import { Unavailable } from '../../kernel/unavailable.js';
import { decisionSubject, destroyKeyOf, destroyOldDecisionKeys } from '../../platform/crypto/decision-keys.js';
import { AggregateStore } from '../../log/append/aggregate-store.js';
import { type Aggregates } from '../../log/append/aggregates.js';
import { type RequestContext, type TenantPrincipal } from '../../http/request-context.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { ReadModels } from '../../log/project/projection.js';
import { CLOCK } from '../../platform/tokens.js';
import { decisionCategory } from '../domain/decision.category.js';
import { type DecisionEvent, decisionStream } from '../domain/decision.events.js';
import { type Decision, type DecisionCommand } from '../domain/decision.js';
import { Decisions } from './decisions.js';

type Caller = RequestContext<TenantPrincipal>;

/** How long an answer waits for the read model, milliseconds. */
const WAIT_BUDGET_MS = 5_000;
const AN_HOUR = 3_600_000;

/** What a tenant, or time, does to a decision. */
@Injectable()
export class DecisionChanges {
  private readonly log: Aggregates<Decision, DecisionCommand, DecisionEvent>;

  constructor(
    private readonly decisions: Decisions,
    private readonly database: Database,
    private readonly readModels: ReadModels,
    aggregates: AggregateStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.log = aggregates.of(decisionCategory);
  }

  /** Destroys the key of the decision. Throws not_found. */
  async erase(decisionId: string, context: Caller): Promise<void> {
    const { tenantId } = context.principal;
    const row = await this.decisions.row(decisionId);
    if (row?.tenantId !== tenantId) throw refuse('not_found');
    const now = this.clock.now();
    // Before the event: a repeated request finds the decision by its row, which the event removes.
    await destroyKeyOf(this.database, { tenantId, subject: decisionSubject(decisionId) }, now);
    await this.execute(decisionStream(tenantId, decisionId), { kind: 'erase', decisionId, now }, context);
  }

  @Periodic({ every: AN_HOUR, role: 'jobs', alone: true })
  async destroyOld(): Promise<void> {
    const now = this.clock.now();
    await destroyOldDecisionKeys(this.database, yearsFrom(now, -YEARS_KEPT.records), now);
  }

  private async execute(
    stream: string,
    command: DecisionCommand,
    { requestId, actorId }: Caller,
    options: { readonly firstEventId?: string; readonly beforehand?: () => Promise<void> } = {},
  ): Promise<void> {
    const metadata = tenantMetadata({ requestId, actorId });
    const { position } = await this.log.execute(stream, command, { ...options, metadata });
    if (position === undefined || (await this.readModels.waitFor(SCREENING, position, WAIT_BUDGET_MS))) return;
    // It is durable. Only its effect on the next check cannot be promised yet.
    throw new Unavailable('read_models');
  }
}
