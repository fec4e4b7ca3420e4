import { type AuditEntry, type AuditTrail } from './access.js';
import { deriveUuid } from './ids.js';
import { isRejection } from './rejection.js';

/**
 * Makes a change whose audit entry precedes its append. Where another instance was faster in between and the change is then
 * refused, a second entry of the same request says so.
 */
export const auditedChange = async <Result>(
  audit: Pick<AuditTrail, 'record'>,
  change: (record: (entry: AuditEntry) => Promise<void>) => Promise<Result>,
): Promise<Result> => {
  let recorded: AuditEntry | undefined;
  try {
    return await change((entry) => {
      recorded = entry;
      return audit.record(entry);
    });
  } catch (error) {
    if (recorded !== undefined && isRejection(error))
      await audit.record({ ...recorded, entryId: deriveUuid(recorded.entryId, 'refused'), result: 'refused' });
    throw error;
  }
};
