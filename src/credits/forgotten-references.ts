import { Injectable } from '@nestjs/common';
import { holdsCarry, type ReferencedRow, transactionsByReference } from '../../projections/ledger/ledger.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { Unavailable } from '../kernel/unavailable.js';
import { ReadModels } from '../log/project/projection.js';
import { type Referenced } from './domain/credits.events.js';

/** An account forgets only what was never claimed back, and no reversals (domain/references.ts). */
const toReferenced = ({ type, amount }: ReferencedRow): Referenced => {
  const known = { amount, carriedAt: null };
  switch (type) {
    case 'purchase':
    case 'auto_recharge':
      return { ...known, kind: 'purchase', reversed: 0 };
    case 'adjustment':
      return { ...known, kind: 'adjustment' };
    case 'refund':
      return { ...known, kind: 'return' };
    case 'reversal':
      return { ...known, kind: 'restoration' };
  }
};

/** Looks references up among the transactions that accounts may have forgotten. Those are a month old and more. */
@Injectable()
export class ForgottenReferences {
  constructor(private readonly readModels: ReadModels) {}

  /**
   * `carriedFor`: the month in which the account last forgot. Throws Unavailable, also where the rows do not reach so far: a
   * reference that they lack would then count again.
   */
  async find(
    tenantId: TenantId,
    carriedFor: string | null,
    references: readonly string[],
  ): Promise<ReadonlyMap<string, Referenced>> {
    if (carriedFor !== null && !(await holdsCarry(this.readModels, tenantId, carriedFor)))
      throw new Unavailable('read_models', { cause: new Error('the ledger is behind the account') });
    const found = new Map<string, Referenced>();
    for (const row of await transactionsByReference(this.readModels, tenantId, references)) {
      if (!found.has(row.reference)) found.set(row.reference, toReferenced(row));
    }
    return found;
  }
}
