import { type DecisionSubject, type OpenedDecision } from './opened-decision.js';
import { Injectable } from '@nestjs/common';
import { type AuditReference } from '../../kernel/access.js';
import { type TenantId } from '../../kernel/ids.js';
import { Decisions } from './decisions.js';
import { ScreenedDecisions } from './screened-decisions.js';

/** What an audit entry says of a decision. */
export const referenceOf = ({ row: { decisionId, identityId } }: Pick<OpenedDecision, 'row'>): AuditReference =>
  identityId === null ? { decisionId } : { decisionId, identityId };

/** Finds decisions of checks and of screening in the background. */
@Injectable()
export class DecisionFinder {
  constructor(
    private readonly decisions: Decisions,
    private readonly screened: ScreenedDecisions,
  ) {}

  /** The decision with this id, of this tenant or, where it is undefined, of any. Undefined if there is none any more. */
  async find(decisionId: string, tenantId?: TenantId): Promise<OpenedDecision | undefined> {
    const row = await this.decisions.row(decisionId);
    if (row === undefined || (tenantId !== undefined && row.tenantId !== tenantId)) return undefined;
    if (row.identityId !== null) {
      const opened = await this.screened.open(row);
      return opened && { row, ...opened };
    }
    const opened = await this.decisions.openSealed(row);
    return opened && { row, ...opened, identityHash: undefined };
  }

  /** The person of a decision of this tenant. Undefined where it is erased. */
  async subject(decisionId: string, tenantId: TenantId): Promise<DecisionSubject | undefined> {
    const row = await this.decisions.row(decisionId);
    if (row?.tenantId !== tenantId) return undefined;
    if (row.identityId !== null) return this.screened.subject(row);
    const opened = await this.decisions.openSealed(row);
    if (opened === undefined) return undefined;
    const { decision, keyId } = opened;
    const entryDigests = decision.matches.map(({ entryDigest }) => entryDigest);
    return { query: decision.query, keyId, identityHash: undefined, entryDigests };
  }
}
