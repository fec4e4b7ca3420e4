import { type AuditLogEntry } from '../../../projections/ledger/audit-log.queries.js';
import { newTenantId, newUuid } from '../../kernel/ids.js';
import { MAX_PROOF_BYTES, provenPage } from './audit-log-proofs.js';

const entryIn = (eventId: string | undefined, index: number): AuditLogEntry =>
  ({
    eventId: newUuid(),
    recordedIn: eventId === undefined ? undefined : { eventId, index },
  }) as Partial<AuditLogEntry> as AuditLogEntry;

/** A proof of this size for every event. */
const source = (bytes: number) => {
  const requestedIds: string[] = [];
  const of = (_tenant: unknown, ids: readonly string[]) => {
    requestedIds.push(...ids);
    return Promise.resolve(new Map(ids.map((id) => [id, { of: id, text: 'x'.repeat(bytes) }])));
  };
  return { requestedIds, of };
};

const tenantId = newTenantId();

describe('the proofs of a page', () => {
  it('are those of the event that holds the entry, read once for all that it holds', async () => {
    const batch = newUuid();
    const entries = [entryIn(undefined, 0), entryIn(batch, 4), entryIn(batch, 5)];
    const proofs = source(10);
    const proven = await provenPage(proofs, tenantId, entries);
    expect(proven).toMatchObject([
      { proof: { of: entries[0]?.eventId }, proof_entry: null },
      { proof: { of: batch }, proof_entry: 4 },
      { proof: { of: batch }, proof_entry: 5 },
    ]);
    expect(proofs.requestedIds).toEqual([entries[0]?.eventId, batch]);
  });

  it('end before they are too long, and reads no further', async () => {
    const batch = newUuid();
    const entries = Array.from({ length: 100 }, (_, index) => entryIn(batch, index));
    const proofs = source(MAX_PROOF_BYTES / 10);
    expect(await provenPage(proofs, tenantId, entries)).toHaveLength(9);
    expect(proofs.requestedIds).toEqual([batch]);
    expect(await provenPage(source(2 * MAX_PROOF_BYTES), tenantId, entries)).toHaveLength(1);
  });

  it('are null of an event that the tree has not covered', async () => {
    const none = { of: () => Promise.resolve(new Map([['x', null]])) };
    expect(await provenPage(none, tenantId, [entryIn('x', 0), entryIn(undefined, 0)])).toEqual([
      { proof: null, proof_entry: 0 },
      { proof: null, proof_entry: null },
    ]);
  });
});
