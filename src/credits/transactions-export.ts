import { Injectable } from '@nestjs/common';
import { BILLING, transactionsFrom } from '../../projections/ledger/billing.queries.js';
import { ExportSection, type Exports, type ExportScope } from '../contract/exports/export-section.js';

const PAGE = 1_000;

/** The account's billing history, oldest first. It names no person, so an export of one person leaves it out. */
@ExportSection({ file: 'transactions.json', readModel: BILLING })
@Injectable()
export class TransactionsExport implements Exports {
  async *records({ tenantId, person, snapshot }: ExportScope): AsyncGenerator<readonly object[]> {
    if (person !== undefined) return;
    let from: number | undefined = 0;
    do {
      const page: Awaited<ReturnType<typeof transactionsFrom>> = await transactionsFrom(snapshot, tenantId, from, PAGE);
      yield page.map((transaction) => ({
        id: transaction.id,
        ledger_revision: transaction.revision,
        type: transaction.type,
        amount: transaction.amount,
        balance_after: transaction.balanceAfter,
        operation: transaction.operation,
        request_id: transaction.requestId,
        reference: transaction.reference,
        created_at: transaction.occurredAt,
      }));
      const last = page.at(-1);
      from = page.length < PAGE || last === undefined ? undefined : last.revision + 1;
    } while (from !== undefined);
  }
}
