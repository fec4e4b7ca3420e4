import { Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { Database } from '../platform/postgres/database.js';
import { type PendingRefund, PendingRefunds } from './credits.port.js';
import { NoteTable } from './note-table.js';

@Injectable()
export class PostgresPendingRefunds extends PendingRefunds {
  private readonly table: NoteTable<PendingRefund>;

  constructor(private readonly database: Database) {
    super();
    this.table = new NoteTable<PendingRefund>(database, {
      table: 'refund_duties',
      idColumn: 'deduction_id',
      keyOf: ({ tenantId, deductionId }) => ({ tenantId, id: deductionId }),
      columns: [],
    });
  }

  note(refund: PendingRefund): Promise<void> {
    return this.table.note(refund);
  }

  complete(refund: PendingRefund): Promise<void> {
    return this.table.remove(refund);
  }

  async noted(tenantId: TenantId, deductionIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ deduction_id: string }>(
      'SELECT deduction_id FROM refund_duties WHERE tenant_id = $1 AND deduction_id = ANY($2::uuid[])',
      [tenantId, deductionIds],
    );
    return new Set(rows.map((row) => row.deduction_id));
  }

  count(): Promise<number> {
    return this.table.count();
  }

  async notedBefore(ageMs: number, limit: number, after?: PendingRefund): Promise<readonly PendingRefund[]> {
    const rows = await this.table.notedBefore(ageMs, limit, after);
    return rows.map(({ tenantId, id }) => ({ tenantId, deductionId: id }));
  }
}
