import { Injectable } from '@nestjs/common';
import { type ReferencedRow, transactionsByReference } from '../../projections/ledger/ledger.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { ReadModels } from '../platform/projections/projection.js';
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

  /** Throws Unavailable. */
  async find(tenantId: TenantId, references: readonly string[]): Promise<ReadonlyMap<string, Referenced>> {
    const found = new Map<string, Referenced>();
    for (const row of await transactionsByReference(this.readModels, tenantId, references)) {
      if (!found.has(row.reference)) found.set(row.reference, toReferenced(row));
    }
    return found;
  }
}
