import { EXAMPLE_MEMBER, MEMBER_ID } from '../../kernel/audit-actors.js';
import { EnumField, IntegerField, ListField, TextField } from '../../http/fields.js';
import { matchId } from '../domain/stored-decision.js';
import { BULK_DECISIONS, type BulkDecision, MAX_AT_ONCE } from '../review/bulk-reviews.js';

const EXAMPLE_ID = matchId('3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a', 0);

/** The version that the reviewer saw. */
class VersionedBody {
  @IntegerField({
    optional: true,
    min: 1,
    description: 'The version of the match that was read; `If-Match` says the same. Another one is 409',
  })
  version?: number;
}

export class ReopenBody extends VersionedBody {
  @TextField({ description: 'Why the judgement is taken back; kept encrypted' })
  reason!: string;
}

export class DismissBody extends VersionedBody {
  @TextField({ description: 'Why the match is another person; kept encrypted' })
  reason!: string;
}

export class ConfirmBody extends VersionedBody {
  @TextField({ description: 'What it rests on; kept encrypted', example: 'Same birth date and passport' })
  note!: string;
}

export class AssignBody extends VersionedBody {
  @TextField({
    max: 128,
    optional: true,
    description: 'Who is to judge it, in your words; kept encrypted',
    example: 'Maria of compliance',
  })
  to?: string;

  @TextField({
    optional: true,
    pattern: MEMBER_ID,
    max: 30,
    takes: 'The id of a member',
    example: EXAMPLE_MEMBER,
    description: 'The member who is to judge it, in place of `to`',
  })
  member_id?: string;
}

export class ProposalBody extends VersionedBody {
  @TextField({ description: 'Why; kept encrypted', example: 'Checked against the passport' })
  note!: string;
}

export class BulkBody {
  @ListField({ maxItems: MAX_AT_ONCE, example: EXAMPLE_ID, description: 'Ids of matches' })
  match_ids!: string[];

  @EnumField(BULK_DECISIONS, { description: 'With four eyes, each is proposed' })
  decision!: BulkDecision;

  @TextField({ description: 'One for all; kept encrypted' })
  reason!: string;
}
