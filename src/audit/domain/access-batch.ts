import { type AuditBatch } from '../../kernel/access.js';
import { deriveUuid } from '../../kernel/ids.js';
import { type AccessesRecorded, type BatchedAccess } from './audit.events.js';

/** An event stays within 256 KiB. The rest is a generous estimate for metadata and other fields. */
const MAX_BYTES = 240 * 1_024;
/** Size of an entry without its ciphertext, bytes. */
const ENTRY_BYTES = 190;

const EVENT_NAMESPACE = '9b5d3f0e-7c61-4c0f-8a55-2f6d1c9e4b17';

export interface WeighedEvent {
  readonly event: AccessesRecorded & { readonly id: string };
  /** Size of its entries in the log. */
  readonly bytes: number;
}

interface Part {
  readonly entries: BatchedAccess[];
  bytes: number;
}

const inParts = (entries: readonly BatchedAccess[]): Part[] => {
  const parts: Part[] = [];
  for (const entry of entries) {
    const bytes = ENTRY_BYTES + entry.access.ct.length;
    const last = parts.at(-1);
    if (last === undefined || last.bytes + bytes > MAX_BYTES) parts.push({ entries: [entry], bytes });
    else {
      last.entries.push(entry);
      last.bytes += bytes;
    }
  }
  return parts;
};

/**
 * Packs the entries into as few events as possible, in order. An event's id is derived from the places of its
 * entries. So a second attempt's event has the same id only if it holds the same entries.
 */
export const eventsOfBatch = (
  { batchId, action, result }: Pick<AuditBatch, 'batchId' | 'action' | 'result'>,
  sealed: readonly BatchedAccess[],
): WeighedEvent[] =>
  inParts(sealed).map(({ entries, bytes }) => {
    const id = deriveUuid(EVENT_NAMESPACE, `${batchId}/${entries.map(({ index }) => index).join()}`);
    return { event: { id, type: 'AccessesRecorded.v1', data: { action, result, batchId, entries } }, bytes };
  });
