import { ApiProperty } from '@nestjs/swagger';
import { AUDIT_ACTIONS, AUDIT_RESULTS } from '../../kernel/contract.js';
import { shownActor } from '../../kernel/audit-actors.js';
import { type AuditLogEntry } from '../../../projections/ledger/audit-log.queries.js';
import { type OpenedAccess } from '../../kernel/access.js';
import { ActorResponse } from '../../http/actor.response.js';
import { Pagination } from '../../http/pagination.js';

export class AuditLogEntryAnswer {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'date-time' })
  timestamp!: string;

  @ApiProperty({ enum: AUDIT_ACTIONS })
  action!: string;

  @ApiProperty({ description: 'Keyed hash of e-mail and phone; empty where none was named, or it was erased' })
  identity_hash!: string;

  @ApiProperty({ enum: AUDIT_RESULTS })
  result!: string;

  @ApiProperty({
    type: ActorResponse,
    description: 'Who: an API key, the bearer of an access token, or the service itself',
  })
  actor!: ActorResponse;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Empty where it was erased; null where no proxy wrote one that can be read',
  })
  ip_address!: string | null;

  @ApiProperty({ description: 'Empty where the caller sent none, or it was erased' })
  user_agent!: string;

  @ApiProperty()
  request_id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The identity, where its id is all that is left of it' })
  identity_id!: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'The decision of a screening' })
  decision_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The match that was found, or judged' })
  match_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The member that was invited, changed or removed' })
  member_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'The API key that was created, changed or revoked' })
  key_id!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why, of an erasure by request of the person' })
  reason!: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many records the answer disclosed, where one entry is of several',
  })
  records!: number | null;

  @ApiProperty({
    type: Object,
    nullable: true,
    required: false,
    description:
      'With proof=true: the proof file (docs/contract.md, Proofs) of its event; null where there is none yet',
  })
  proof?: object | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    required: false,
    description: 'With proof=true: the `index` of this entry among those of its event; null of an event of its own',
  })
  proof_entry?: number | null;
}

class AuditLogPagination extends Pagination {
  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null on the last' })
  next_cursor!: string | null;
}

export class AuditLogAnswer {
  @ApiProperty({ type: [AuditLogEntryAnswer] })
  logs!: AuditLogEntryAnswer[];

  @ApiProperty({ type: AuditLogPagination })
  pagination!: AuditLogPagination;
}

export const toAuditLogEntry = (entry: AuditLogEntry, access: OpenedAccess): AuditLogEntryAnswer => ({
  id: entry.eventId,
  timestamp: entry.occurredAt.toISOString(),
  action: entry.action,
  identity_hash: access.identityHash,
  result: entry.result,
  actor: shownActor(entry.actor),
  ip_address: access.ipAddress,
  user_agent: access.userAgent,
  request_id: entry.requestId,
  identity_id: access.about.identityId ?? null,
  decision_id: access.about.decisionId ?? entry.decisionId,
  match_id: access.about.matchId ?? null,
  member_id: access.about.memberId ?? null,
  key_id: access.about.keyId ?? null,
  reason: access.about.reason ?? null,
  records: access.about.records ?? null,
});
