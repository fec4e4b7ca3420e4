import { Injectable } from '@nestjs/common';
import { Database } from '../platform/postgres/database.js';
import { type PendingReversal, PendingReversals } from './credits.port.js';
import { NoteTable } from './note-table.js';

interface Row {
  readonly after_revision: string;
  readonly keyed_row: string | null;
}

@Injectable()
export class PostgresPendingReversals extends PendingReversals {
  private readonly table: NoteTable<PendingReversal>;

  constructor(database: Database) {
    super();
    this.table = new NoteTable<PendingReversal>(database, {
      table: 'pending_reversals',
      idColumn: 'charge_id',
      keyOf: ({ tenantId, chargeId }) => ({ tenantId, id: chargeId }),
      columns: [
        { name: 'after_revision', type: 'bigint', of: ({ afterRevision }) => afterRevision.toString() },
        { name: 'keyed_row', type: 'text', of: ({ keyedRow }) => keyedRow },
      ],
    });
  }

  note(reversal: PendingReversal): Promise<void> {
    return this.table.note(reversal);
  }

  remove(reversal: PendingReversal): Promise<void> {
    return this.table.remove(reversal);
  }

  count(): Promise<number> {
    return this.table.count();
  }

  async notedBefore(ageMs: number, limit: number, after?: PendingReversal): Promise<readonly PendingReversal[]> {
    const rows = await this.table.notedBefore<Row>(ageMs, limit, after);
    return rows.map(({ tenantId, id, after_revision, keyed_row }) => ({
      tenantId,
      chargeId: id,
      afterRevision: BigInt(after_revision),
      keyedRow: keyed_row,
    }));
  }
}
