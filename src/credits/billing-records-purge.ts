import { Injectable } from '@nestjs/common';
import { type PurgeableAccount, purgeableAccounts, transactionAfter } from '../../projections/ledger/ledger.queries.js';
import { paginate } from '../kernel/paginate.js';
import { carriedSince } from '../kernel/retention.js';
import { ReadModels } from '../log/project/projection.js';
import { ALL_KEPT, type PurgeRound, type Purges, PurgeStep, ROWS_A_PIECE } from '../contract/purging/purge-step.js';
import { CREDITS_STREAM_PREFIX, creditsStream } from './domain/credits.events.js';

/** Purges billing records, up to a balance that was carried forward. */
@Injectable()
@PurgeStep({ name: 'billing_records', categories: ['credits'], after: ['carried_balances'] })
export class BillingRecordsPurge implements Purges {
  constructor(private readonly readModels: ReadModels) {}

  async purge(round: PurgeRound): Promise<void> {
    const since = round.keptSince(CREDITS_STREAM_PREFIX);
    const find = (last: PurgeableAccount | undefined, limit: number) =>
      purgeableAccounts(this.readModels, carriedSince(since), { after: last?.tenantId ?? '', limit });
    for await (const accounts of paginate(find)) {
      for (const account of accounts) await round.attempts.make(() => this.purgeOf(account, round, since));
    }
  }

  /**
   * Drops the rows piece by piece. The events are removed with the last piece, since only all of them together hold
   * the account.
   */
  private async purgeOf(
    { tenantId, firstKept }: PurgeableAccount,
    round: PurgeRound,
    occurredBefore: Date,
  ): Promise<void> {
    const ageing = { stream: creditsStream(tenantId), owner: tenantId };
    for (let from = 0; ;) {
      const rowsBelow = await transactionAfter(this.readModels, { tenantId, from, below: firstKept }, ROWS_A_PIECE);
      if (rowsBelow === undefined) break;
      await round.purge(ageing, { firstKept: ALL_KEPT, occurredBefore, rowsBelow });
      from = rowsBelow;
    }
    await round.purge(ageing, { firstKept, occurredBefore });
  }
}
