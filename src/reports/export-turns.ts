import { Injectable } from '@nestjs/common';
import { type TenantId } from '../kernel/ids.js';
import { refuse } from '../kernel/rejection.js';
import { Database } from '../platform/postgres/database.js';
import { DocumentRepository, type DocumentTarget } from './document-repository.js';

/** A request that took its turn so long ago and left no document is dead, seconds. Its own calls to the stores end sooner. */
const PENDING_SECONDS = 10;

interface Holder {
  readonly documentId: string;
  /** Whether the request that took the turn may still be on its way to its document. */
  readonly asking: boolean;
}

/** One export of an account is made at a time. A row in Postgres decides, since no read model is level with the log. */
@Injectable()
export class ExportTurns {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
  ) {}

  /** May be repeated. Throws Rejection `export_running` while another export of the account is asked for or made, or Unavailable. */
  async take(target: DocumentTarget): Promise<void> {
    const { state } = await this.documents.load(target);
    if (state.status !== 'none') return;
    const { tenantId, documentId } = target;
    const holder = await this.holderOf(tenantId);
    const isOther = holder !== undefined && holder.documentId !== documentId;
    if (isOther && (await this.isUnderWay(tenantId, holder))) throw refuse('export_running');
    const taken = await this.database.query(
      `INSERT INTO export_turns (tenant_id, document_id) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE SET document_id = excluded.document_id, taken_at = excluded.taken_at
       WHERE export_turns.document_id IN ($2, $3)
       RETURNING 1`,
      [tenantId, documentId, holder?.documentId ?? documentId],
    );
    if (taken.length === 0) throw refuse('export_running');
  }

  private async isUnderWay(tenantId: TenantId, { documentId, asking }: Holder): Promise<boolean> {
    const { state } = await this.documents.load({ tenantId, documentId });
    return state.status === 'generating' || (state.status === 'none' && asking);
  }

  private async holderOf(tenantId: TenantId): Promise<Holder | undefined> {
    const [holder] = await this.database.query<Holder>(
      `SELECT document_id AS "documentId", taken_at > now() - make_interval(secs => $2) AS asking
       FROM export_turns WHERE tenant_id = $1`,
      [tenantId, PENDING_SECONDS],
    );
    return holder;
  }
}
