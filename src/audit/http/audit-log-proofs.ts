import { type AuditLogEntry } from '../../../projections/ledger/audit-log.queries.js';
import { chunk } from '../../kernel/chunk.js';
import { type EventProofs } from '../../kernel/event-proofs.js';
import { type TenantId } from '../../kernel/ids.js';

/** Bytes of proofs on a page. The entries of a batch share an event of up to 240 KiB, which each of their proofs holds. */
export const MAX_PROOF_BYTES = 4 * 1_048_576;
/** Entries whose events are read together. */
const AT_ONCE = 25;

/** The members that an entry's answer has more with proof=true. */
export interface EntryProof {
  readonly proof: object | null;
  readonly proof_entry: number | null;
}

const eventOf = ({ eventId, recordedIn }: AuditLogEntry): string => recordedIn?.eventId ?? eventId;

const bytesOf = (proof: object | null): number => (proof === null ? 0 : JSON.stringify(proof).length);

/** Proofs of the first entries, in their order: of as many as a page may hold, and of one at least. */
export const provenPage = async (
  source: Pick<EventProofs, 'of'>,
  tenantId: TenantId,
  entries: readonly AuditLogEntry[],
): Promise<readonly EntryProof[]> => {
  const proven: EntryProof[] = [];
  let bytes = 0;
  for (const some of chunk(entries, AT_ONCE)) {
    const proofs = await source.of(tenantId, [...new Set(some.map(eventOf))]);
    const sizes = new Map(Array.from(proofs, ([id, proof]) => [id, bytesOf(proof)]));
    for (const entry of some) {
      bytes += sizes.get(eventOf(entry)) ?? 0;
      if (bytes > MAX_PROOF_BYTES && proven.length > 0) return proven;
      proven.push({ proof: proofs.get(eventOf(entry)) ?? null, proof_entry: entry.recordedIn?.index ?? null });
    }
  }
  return proven;
};
