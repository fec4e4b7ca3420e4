import { TextField } from '../../http/fields.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class ErasureReasonBody {
  @TextField({ max: 500, description: 'Why. It stays in the audit log, encrypted: name no person' })
  reason!: string;
}

export class ErasureAnswerBody extends ErasureReasonBody {
  @TextField({
    pattern: UUID,
    max: 36,
    takes: 'The proposal_id that GET …/erase answers',
    example: '3f0c7f0e-3c53-4d0c-9a53-6f6f6d1f2f6a',
    description: 'The proposal that was read',
  })
  proposal_id!: string;
}
