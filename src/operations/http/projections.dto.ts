import { ApiProperty } from '@nestjs/swagger';
import { IntegerField, TextField } from '../../http/fields.js';
import { JOB_KINDS, JOB_STATES, type ProjectionJob } from '../projection-job-rows.js';
import { type ProjectionPlace, type ProjectionPlaces, type Trouble } from '../projection-places.js';

const POSITION = { type: String, example: '184467', description: 'A position of the log, a decimal' } as const;

export class JobsQuery {
  @IntegerField({ min: 1, max: 50, default: 10 })
  limit = 10;
}

export class RebuildRequest {
  @TextField({ description: 'Why: the operators’ log keeps it' })
  reason!: string;
}

class JobTable {
  @ApiProperty({ example: 'account_balances' }) table!: string;
  @ApiProperty({ type: 'integer', example: 12 }) live_rows!: number;
  @ApiProperty({ type: 'integer', example: 12 }) rebuilt_rows!: number;
  @ApiProperty({ example: true }) equal!: boolean;
  @ApiProperty({ type: 'integer', example: 0 }) differing_rows!: number;
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    example: [],
    description: 'Rows that differ, with the event behind each; long values are shortened',
  })
  differences!: object[];
}

class JobResultAnswer {
  @ApiProperty({ example: 'ledger' }) projection!: string;
  @ApiProperty({ example: '41' }) version!: string;
  @ApiProperty({ ...POSITION, nullable: true, description: 'Where the rows were compared; null where none were' })
  position!: string | null;
  @ApiProperty({ type: 'integer', example: 1_024 }) events!: number;
  @ApiProperty({ example: 0.8 }) seconds!: number;
  @ApiProperty({ example: true, description: 'Whether the live rows were those that the log makes' }) equal!: boolean;
  @ApiProperty({ type: [JobTable] }) tables!: JobTable[];
}

export class ProjectionJobAnswer {
  @ApiProperty({ format: 'uuid' }) id!: string;
  @ApiProperty({ enum: JOB_KINDS, example: 'verify' }) kind!: string;
  @ApiProperty({ type: [String], example: ['ledger'] }) projections!: string[];
  @ApiProperty({ enum: JOB_STATES, example: 'running', description: 'interrupted: its process ended; begin another' })
  state!: string;
  @ApiProperty({ type: 'integer', example: 512, description: 'Events read so far' }) events!: number;
  @ApiProperty({ ...POSITION, nullable: true }) position!: string | null;
  @ApiProperty({ ...POSITION, nullable: true, description: 'The end of the log when it began' }) goal!: string | null;
  @ApiProperty({ type: String, nullable: true, example: null, description: 'What it does that has no measure' })
  doing!: string | null;
  @ApiProperty({ type: [JobResultAnswer], description: 'What it found, a projection each, as soon as it is there' })
  results!: JobResultAnswer[];
  @ApiProperty({ type: String, nullable: true, example: null, description: 'The kind of the error that ended it' })
  error!: string | null;
  @ApiProperty({ format: 'date-time' }) began_at!: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null }) ended_at!: string | null;
}

export class ProjectionJobsAnswer {
  @ApiProperty({ type: [ProjectionJobAnswer], description: 'The newest first' }) jobs!: ProjectionJobAnswer[];
}

class TroubleAnswer {
  @ApiProperty({ ...POSITION, nullable: true }) position!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'credits-t01jd0000000000000000000000' }) stream!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'OperationCharged.v1' }) event_type!: string | null;
  @ApiProperty({ example: 'SQLSTATE 23505' }) cause!: string;
  @ApiProperty({ format: 'date-time' }) at!: string;
}

class LastVerification {
  @ApiProperty({ format: 'date-time' }) verified_at!: string;
  @ApiProperty(POSITION) position!: string;
  @ApiProperty({ type: 'integer', example: 0 }) differing_rows!: number;
}

class ProjectionAnswer {
  @ApiProperty({ example: 'ledger' }) name!: string;
  @ApiProperty({ example: '41', description: 'Of this code' }) version!: string;
  @ApiProperty({ type: String, nullable: true, example: '41', description: 'Of the code that made the live rows' })
  rows_version!: string | null;
  @ApiProperty({ ...POSITION, nullable: true, description: 'The rows include the log up to here' })
  position!: string | null;
  @ApiProperty({ type: String, nullable: true, example: '0', description: 'Positions of the log still to be read' })
  lag!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null once no process keeps the rows',
  })
  updated_at!: string | null;
  @ApiProperty({ type: TroubleAnswer, nullable: true, example: null, description: 'The event that stopped it' })
  failure!: TroubleAnswer | null;
  @ApiProperty({ type: [TroubleAnswer], description: 'Events that it goes on without' }) set_aside!: TroubleAnswer[];
  @ApiProperty({ type: LastVerification, nullable: true, example: null }) last_verification!: LastVerification | null;
}

export class ProjectionsAnswer {
  @ApiProperty({ ...POSITION, description: 'The end of the log' }) head!: string;
  @ApiProperty({ type: [ProjectionAnswer] }) projections!: ProjectionAnswer[];
}

const troubleOf = ({ position, stream, type, cause, at }: Trouble): TroubleAnswer => ({
  ...{ position, stream, event_type: type, cause },
  at: at.toISOString(),
});

const projectionOf = (place: ProjectionPlace, head: bigint): ProjectionAnswer => {
  const { name, version, rowsVersion, position, updatedAt, failure, setAside, verification } = place;
  return {
    ...{ name, version, rows_version: rowsVersion },
    position: position === null ? null : String(position),
    lag: position === null ? null : String(head > position ? head - position : 0n),
    updated_at: updatedAt?.toISOString() ?? null,
    failure: failure === undefined ? null : troubleOf(failure),
    set_aside: setAside.map(troubleOf),
    last_verification:
      verification === undefined
        ? null
        : {
            verified_at: verification.verifiedAt.toISOString(),
            position: String(verification.position),
            differing_rows: verification.differingRows,
          },
  };
};

export const toProjections = ({ head, projections }: ProjectionPlaces): ProjectionsAnswer => ({
  head: String(head),
  projections: projections.map((place) => projectionOf(place, head)),
});

export const toJob = ({ beganAt, endedAt, events, results, projections, ...job }: ProjectionJob) => ({
  ...job,
  projections: [...projections],
  events: Number(events),
  results: [...results],
  began_at: beganAt.toISOString(),
  ended_at: endedAt?.toISOString() ?? null,
});
