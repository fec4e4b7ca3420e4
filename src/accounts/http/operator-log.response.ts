import { ApiProperty } from '@nestjs/swagger';
import { type ChangedValue } from '../../kernel/field-change.js';
import { type EntryTable } from '../../http/entry-files.js';
import { OPERATOR_OUTCOMES } from '../../http/operator-trail.js';
import { ROLES } from '../../http/request-context.js';
import { type OperatorRecord } from '../operator-log.js';

const VALUE = {
  required: false,
  nullable: true,
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
  ],
};

class ChangedField {
  @ApiProperty({ description: 'By the API’s name; keys[ID].scopes for a field of an API key', example: 'tier' })
  field!: string;
  @ApiProperty({ ...VALUE, description: 'Absent, as `to`, where the value is personal or secret', example: 'starter' })
  from?: ChangedValue;
  @ApiProperty({ ...VALUE, example: 'growth' }) to?: ChangedValue;
}

export class OperatorLogEntry {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ format: 'date-time' }) timestamp!: string;
  @ApiProperty({ description: 'Method and path, for example POST /admin/accounts/{id}/suspend' }) action!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The account that the path named' })
  tenant_id!: string | null;
  @ApiProperty({ description: 'Keyed hash of the token’s subject' }) operator!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The token’s subject, or the name that a command line gave',
    example: 'jo@kyc.example',
  })
  operator_name!: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What it was done to, by the names of the path or of the command line’s options',
  })
  target!: Readonly<Record<string, string>>;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As the request or the command line gave it',
    example: 'Ticket 4711',
  })
  justification!: string | null;
  @ApiProperty({ enum: ROLES, isArray: true }) roles!: readonly string[];
  @ApiProperty() request_id!: string;
  @ApiProperty({
    enum: OPERATOR_OUTCOMES,
    description:
      'refused: a 4xx. repeated: the kept answer of an earlier request. unknown: a 5xx, still running, or never reported',
  })
  outcome!: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of the answer; null of a command line, or where unknown',
  })
  status!: number | null;
  @ApiProperty({ type: String, nullable: true, example: null }) error_code!: string | null;
  @ApiProperty({ type: [ChangedField], description: 'What it is known to have changed' })
  changes!: readonly ChangedField[];
}

class OperatorLogPagination {
  @ApiProperty({ type: 'integer' }) limit!: number;
  @ApiProperty({ description: 'Whether older entries may follow; a page may be short or empty even so' })
  has_more!: boolean;
  @ApiProperty({ type: 'integer', nullable: true, description: 'cursor of the next page; null on the last' })
  next_cursor!: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'The same as next_cursor' }) next!: number | null;
}

export class OperatorLogAnswer {
  @ApiProperty({ type: [OperatorLogEntry] }) logs!: OperatorLogEntry[];
  @ApiProperty({ type: OperatorLogPagination }) pagination!: OperatorLogPagination;
}

export const toOperatorLogEntry = ({ act, conclusion, details }: OperatorRecord): OperatorLogEntry => ({
  id: act.id,
  timestamp: act.metadata.time,
  action: act.data.action,
  tenant_id: act.data.tenantId,
  operator: act.metadata.actor.id,
  operator_name: details?.operator ?? null,
  target: details?.target ?? {},
  justification: details?.justification ?? null,
  roles: act.data.roles,
  request_id: act.metadata.$correlationId,
  outcome: conclusion.outcome,
  status: conclusion.status,
  error_code: conclusion.code,
  changes: conclusion.changes,
});

export const OPERATOR_LOG_TABLE: EntryTable<OperatorLogEntry> = {
  name: 'operators-audit-log',
  header: [
    'id',
    'timestamp',
    'action',
    'tenant_id',
    'operator',
    'operator_name',
    'target',
    'justification',
    'roles',
    'request_id',
    'outcome',
    'status',
    'error_code',
    'changes',
  ],
  cellsOf: (entry) => [
    entry.id,
    entry.timestamp,
    entry.action,
    entry.tenant_id ?? '',
    entry.operator,
    entry.operator_name ?? '',
    Object.keys(entry.target).length === 0 ? '' : JSON.stringify(entry.target),
    entry.justification ?? '',
    entry.roles.join(' '),
    entry.request_id,
    entry.outcome,
    String(entry.status ?? ''),
    entry.error_code ?? '',
    entry.changes.length === 0 ? '' : JSON.stringify(entry.changes),
  ],
};
