import { ApiProperty } from '@nestjs/swagger';
import { type DeadJob, type Drift, type ParkedEvent } from '../troubles.js';

const POSITION = { type: String, example: '184467', description: 'A position of the log, a decimal' } as const;

class DriftingAccountAnswer {
  @ApiProperty({ example: 't01jd0000000000000000000000' }) tenant_id!: string;
  @ApiProperty({ format: 'date-time' }) checked_at!: string;
  @ApiProperty({ ...POSITION, description: 'Where rows and streams were compared' }) position!: string;
  @ApiProperty({ ...POSITION, nullable: true, description: 'The last position at which all rows were right' })
  sound_position!: string | null;
  @ApiProperty({ ...POSITION, nullable: true, description: 'The event behind the first wrong row' })
  first_position!: string | null;
  @ApiProperty({ type: 'integer', example: 1 }) differing_rows!: number;
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    example: [],
    description: 'The first wrong rows: table, key, column, expected and actual number',
  })
  findings!: object[];
}

export class DriftAnswer {
  @ApiProperty({ type: 'integer', example: 12, description: 'Accounts checked so far' }) accounts_checked!: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The oldest of their last turns' })
  oldest_check!: string | null;
  @ApiProperty({ type: [DriftingAccountAnswer], description: 'Accounts whose rows differ from their streams' })
  differing!: DriftingAccountAnswer[];
}

class ParkedEventAnswer {
  @ApiProperty({ example: 'payments' }) reactor!: string;
  @ApiProperty({ format: 'uuid' }) event_id!: string;
  @ApiProperty({ example: 'CreditsPurchased.v1' }) event_type!: string;
  @ApiProperty({ example: 'credits-t01jd0000000000000000000000' }) stream!: string;
  @ApiProperty({ example: '7' }) revision!: string;
  @ApiProperty(POSITION) position!: string;
  @ApiProperty({ type: 'integer', example: 8 }) attempts!: number;
  @ApiProperty({ example: 'TypeError', description: 'The kind of the last error; `withheld` where it has none' })
  kind!: string;
  @ApiProperty({ format: 'date-time' }) parked_at!: string;
  @ApiProperty({ example: false, description: 'Another try was asked for, and comes within seconds' })
  retry_requested!: boolean;
}

class DeadJobAnswer {
  @ApiProperty({ example: 'webhooks' }) queue!: string;
  @ApiProperty({ example: 'endpoint-7' }) job_id!: string;
  @ApiProperty({ type: 'integer', example: 3 }) times!: number;
  @ApiProperty({ example: 'TypeError' }) kind!: string;
  @ApiProperty({ format: 'date-time' }) died_at!: string;
}

export class ParkedEventsAnswer {
  @ApiProperty({ type: [ParkedEventAnswer], description: 'The newest first' }) parked_events!: ParkedEventAnswer[];
  @ApiProperty({ type: [DeadJobAnswer], description: 'Jobs whose last try failed' }) dead_jobs!: DeadJobAnswer[];
}

export class RetriesAnswer {
  @ApiProperty({ type: 'integer', example: 1, description: 'Reactors that will try it again' }) retries!: number;
}

export class IncidentAnswer {
  @ApiProperty({ format: 'date-time' }) taken_at!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { instances: [] },
    description:
      'Checkpoints, verifications, drift, versions, errors, instances and load; no personal data, no secrets',
  })
  sections!: Readonly<Record<string, unknown>>;
  @ApiProperty({ type: [String], example: [], description: 'Sections that could not be read' }) not_read!: string[];
}

export const toDrift = ({ accounts, differing }: Drift): DriftAnswer => ({
  accounts_checked: accounts.checked,
  oldest_check: accounts.oldest?.toISOString() ?? null,
  differing: differing.map(({ differing: rows, checked_at, findings, ...account }) => ({
    ...account,
    checked_at: checked_at.toISOString(),
    differing_rows: rows,
    findings: [...findings],
  })),
});

export const toParkedEvents = (parked: readonly ParkedEvent[], dead: readonly DeadJob[]): ParkedEventsAnswer => ({
  parked_events: parked.map(({ parked_at, ...event }) => ({ ...event, parked_at: parked_at.toISOString() })),
  dead_jobs: dead.map(({ died_at, ...job }) => ({ ...job, died_at: died_at.toISOString() })),
});
