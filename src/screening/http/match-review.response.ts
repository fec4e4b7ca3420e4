import { ApiProperty } from '@nestjs/swagger';
import { MATCH_STATES, type MatchState } from '../../../projections/screening/screening.queries.js';
import { toFailure } from '../../http/failure.js';
import { type BulkOutcome } from '../review/bulk-reviews.js';

/** Answers hold no text of the review: a kept answer would outlive the erasure of the person. */
class Reviewed {
  @ApiProperty() match_id!: string;
  @ApiProperty({ type: 'integer', description: 'Of the match after the change' }) version!: number;
  @ApiProperty({ enum: MATCH_STATES, description: 'Of the match after the change' }) status!: MatchState;
}

export class AssignmentResponse extends Reviewed {
  @ApiProperty() assigned!: boolean;
}

export class ConfirmationResponse extends Reviewed {
  @ApiProperty({ description: 'false: it is proposed' }) confirmed!: boolean;
}

export class DismissalResponse extends Reviewed {
  @ApiProperty({ description: 'false: it is proposed' }) dismissed!: boolean;
}

export class ReopeningResponse extends Reviewed {
  @ApiProperty() reopened!: boolean;
}

export class ApprovalResponse extends Reviewed {
  @ApiProperty() approved!: boolean;
}

export class RejectionResponse extends Reviewed {
  @ApiProperty() rejected!: boolean;
}

class ReviewError {
  @ApiProperty({ example: 'The match is no longer as it was read' }) detail!: string;
  @ApiProperty({ example: 'CONFLICT' }) error_code!: string;
}

class BulkOutcomeResponse {
  @ApiProperty() match_id!: string;
  @ApiProperty({ type: 'integer', required: false, description: 'Of the match after the change' }) version?: number;
  @ApiProperty({ enum: MATCH_STATES, required: false, description: 'Of the match after the change' })
  status?: MatchState;
  @ApiProperty({ type: ReviewError, required: false, description: 'Why nothing was changed' }) error?: ReviewError;
}

export class BulkResponse {
  @ApiProperty({ type: [BulkOutcomeResponse], description: 'One for each match, in their order' })
  outcomes!: BulkOutcomeResponse[];
}

export const toBulkOutcome = (outcome: BulkOutcome): BulkOutcomeResponse => {
  if ('after' in outcome) return { match_id: outcome.id, ...outcome.after };
  const { detail, code } = toFailure(outcome.error);
  return { match_id: outcome.id, error: { detail, error_code: code } };
};
