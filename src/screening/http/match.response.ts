import { ApiProperty } from '@nestjs/swagger';
import { type CheckRow, MATCH_STATES, type ScreenedRow } from '../../../projections/screening/screening.queries.js';
import { type ShownActor, shownActor, UNNAMED_ACTORS } from '../../kernel/audit-actors.js';
import { matchId } from '../domain/stored-decision.js';
import { type ReviewStep } from '../review/match-reader.js';
import { type ShownMatch } from '../review/shown-match.js';
import { STATUSES } from './screening.response.js';

const NOTE = 'Same birth date and passport';

class Reviewer {
  @ApiProperty({ enum: ['api_key', ...UNNAMED_ACTORS] }) type!: ShownActor['type'];
  @ApiProperty({ type: String, nullable: true, description: 'The id of the API key; null of other actors' })
  key_id!: string | null;
}

export class MatchResponse {
  @ApiProperty({ example: matchId('3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a', 0) }) match_id!: string;
  @ApiProperty({ format: 'uuid' }) decision_id!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null of a check, which names no identity' })
  identity_id!: string | null;
  @ApiProperty({ example: 'OFAC_SDN' }) list!: string;
  @ApiProperty({ example: '36216', description: 'The publisher’s id of the entry' }) entry_id!: string;
  @ApiProperty({ minimum: 0, maximum: 1 }) score!: number;
  @ApiProperty({ enum: STATUSES.slice(1), description: 'What screening found' }) result!: string;
  @ApiProperty({ enum: [...MATCH_STATES, 'ended'], description: 'ended: still open, and found no more' })
  status!: string;
  @ApiProperty() list_version!: string;
  @ApiProperty({ format: 'date-time' }) found_at!: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when screening in the background no longer finds it: the list or the record changed',
  })
  ended_at!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) decided_at!: string | null;
  @ApiProperty({ type: Reviewer, nullable: true, example: { type: 'api_key', key_id: 'HyBJKgiB' } })
  decided_by!: ShownActor | null;
  @ApiProperty({ type: String, nullable: true, example: NOTE, description: 'Why it was confirmed or dismissed' })
  note!: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Maria of compliance' }) assigned_to!: string | null;
}

class ReviewStepResponse {
  @ApiProperty({ enum: ['assigned', 'confirmed', 'dismissed'] }) change!: string;
  @ApiProperty({ format: 'date-time' }) at!: string;
  @ApiProperty({ type: Reviewer }) by!: ShownActor;
  @ApiProperty({ type: String, nullable: true, example: NOTE, description: 'To whom, or why' }) text!: string | null;
}

export class ReviewedMatchResponse extends MatchResponse {
  @ApiProperty({ type: [ReviewStepResponse], description: 'Oldest first' }) history!: ReviewStepResponse[];
}

export class MatchesResponse {
  @ApiProperty({ type: [MatchResponse], description: 'Newest first' }) matches!: MatchResponse[];
  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null on the last' })
  next_cursor!: string | null;
}

/** Answers hold no text of the review: a kept answer would outlive the erasure of the person. */
class Reviewed {
  @ApiProperty() match_id!: string;
}

export class AssignmentResponse extends Reviewed {
  @ApiProperty() assigned!: boolean;
}

export class ConfirmationResponse extends Reviewed {
  @ApiProperty() confirmed!: boolean;
}

export class DismissalResponse extends Reviewed {
  @ApiProperty() dismissed!: boolean;
}

class DecisionSummary {
  @ApiProperty({ format: 'uuid' }) decision_id!: string;
  @ApiProperty({ enum: ['sanctions', 'pep'] }) kind!: string;
  @ApiProperty({ enum: ['check', 'background'] }) origin!: string;
  @ApiProperty({ type: String, nullable: true, description: 'null of a check, which names no identity' })
  identity_id!: string | null;
  @ApiProperty({ enum: [...STATUSES, 'pep', 'not_pep'] }) result!: string;
  @ApiProperty({ format: 'date-time' }) decided_at!: string;
  @ApiProperty({ description: 'Id of the request that asked, or that ingested' }) request_id!: string;
}

export class DecisionsResponse {
  @ApiProperty({ type: [DecisionSummary], description: 'Newest first' }) decisions!: DecisionSummary[];
  @ApiProperty({ type: String, nullable: true, description: 'The `cursor` of the next page; null on the last' })
  next_cursor!: string | null;
}

export const toMatch = ({ row, note, assignedTo }: ShownMatch) =>
  ({
    match_id: matchId(row.decisionId, row.index),
    decision_id: row.decisionId,
    identity_id: row.identityId,
    list: row.list,
    entry_id: row.entryId,
    score: row.score,
    result: row.result,
    status: row.status === 'open' && row.endedAt !== null ? 'ended' : row.status,
    list_version: row.listVersion,
    found_at: row.foundAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    decided_at: row.decidedAt?.toISOString() ?? null,
    decided_by: row.decidedBy === null ? null : shownActor(row.decidedBy),
    note,
    assigned_to: assignedTo,
  }) satisfies MatchResponse;

export const toStep = ({ change, at, by, text }: ReviewStep): ReviewStepResponse => ({
  change,
  at,
  by: shownActor(by),
  text,
});

export const toSummary = (row: CheckRow | ScreenedRow): DecisionSummary => ({
  decision_id: row.decisionId,
  kind: row.kind,
  origin: row.identityId === null ? 'check' : 'background',
  identity_id: row.identityId,
  result: row.result,
  decided_at: row.decidedAt.toISOString(),
  request_id: row.requestId,
});
