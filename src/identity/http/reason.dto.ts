import { TextField } from '../../http/fields.js';

export class ErasureReasonBody {
  @TextField({ max: 500, description: 'Why. It stays in the audit log, encrypted: name no person' })
  reason!: string;
}
