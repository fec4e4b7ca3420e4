import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { retention } from './retention.projection.js';

const event = (type: string, data: object): StoredEvent => ({
  id: newUuid(),
  type,
  data: { identityId: 'idn_1', identityHash: 'hash', ...data },
  metadata: { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 },
  stream: 'identity-t1_1',
  revision: 0n,
  position: 1n,
  created: new Date(0),
});

const ingested = event('IdentityIngested.v1', {
  kycStatus: 'APPROVED',
  kycExpiresAt: '2027-01-01T00:00:00.000Z',
  receivedAt: '2024-02-29T12:00:00.000Z',
});

const due = (events: readonly StoredEvent[]): Record<string, string> => {
  const set = retention.project(events).find(({ text }) => text.includes('INTO retention_due'));
  const rows = set === undefined ? [] : (JSON.parse(String(set.values[0])) as { kind: string; due_at: string }[]);
  return Object.fromEntries(rows.map(({ kind, due_at }) => [kind, due_at]));
};

describe('the retention projection', () => {
  const EXPIRY = '2027-01-01T00:00:00.000Z';

  it('lets data go five years after the last activity, and an approval when it expires, with two notices', () => {
    expect(due([ingested])).toEqual({
      first_notice: EXPIRY,
      last_notice: EXPIRY,
      expiry: EXPIRY,
      inactivity: '2029-03-01T12:00:00.000Z',
    });
  });

  it('gives each notice once, none of a deleted identity, and what is left after a restoration or an update', () => {
    const noticesIn = (rows: Record<string, string>) => Object.keys(rows).filter((kind) => kind.endsWith('_notice'));
    const notice = (which: string) => event('IdentityExpiring.v1', { notice: which });
    expect(noticesIn(due([ingested, notice('first')]))).toEqual(['last_notice']);
    expect(noticesIn(due([ingested, notice('last')]))).toEqual([]);
    const deleted = event('IdentityDeleted.v1', { purgeAt: '2026-03-01T00:00:00.000Z' });
    expect(noticesIn(due([ingested, deleted]))).toEqual([]);
    const restored = event('IdentityRestored.v1', { restoredAt: '2026-02-20T00:00:00.000Z', kycExpiresAt: EXPIRY });
    expect(noticesIn(due([ingested, deleted, restored]))).toEqual(['first_notice', 'last_notice']);
    for (const [noticed, left] of [
      ['first', ['last_notice']],
      ['last', []],
    ] as const) {
      const data = { restoredAt: '2026-02-20T00:00:00.000Z', kycExpiresAt: EXPIRY, noticed };
      const again = event('IdentityRestored.v1', data);
      expect(noticesIn(due([ingested, notice(noticed), deleted, again]))).toEqual(left);
      const updated = {
        ...ingested,
        type: 'IdentityUpdated.v1',
        data: { ...(ingested.data as object), noticed },
      } as typeof ingested;
      expect(noticesIn(due([ingested, notice(noticed), updated]))).toEqual(left);
    }
  });

  it('waits for the end of the grace period after a deletion, and no longer after a restoration', () => {
    const deleted = event('IdentityDeleted.v1', { purgeAt: '2026-03-01T00:00:00.000Z' });
    const restored = event('IdentityRestored.v1', { restoredAt: '2026-02-20T00:00:00.000Z', kycExpiresAt: null });
    expect(due([ingested, deleted])).toMatchObject({ purge: '2026-03-01T00:00:00.000Z' });
    expect(due([ingested, deleted])).not.toHaveProperty('inactivity');
    expect(due([ingested, deleted, restored])).toMatchObject({ inactivity: '2031-02-20T00:00:00.000Z' });
    expect(due([ingested, deleted, restored])).not.toHaveProperty('purge');
  });

  const record = { recordIndex: 0, identityId: 'idn_1', identityHash: 'hash' };
  const accepted = (receivedAt: string) => ({
    ...event('IngestionAccepted.v1', { receivedAt, records: [record] }),
    stream: 'ingestion-t1_a',
  });
  const part = {
    ...event('IngestionRecordsReceived.v1', { records: [record] }),
    stream: 'ingestion-t1_b',
    metadata: { ...ingested.metadata, time: '2025-05-01T00:00:00.000Z' },
  };

  it('counts five years from the last ingestion of a person, whether or not an identity came of it', () => {
    expect(due([accepted('2026-03-01T00:00:00.000Z')])).toEqual({ inactivity: '2031-03-01T00:00:00.000Z' });
    expect(due([part])).toEqual({ inactivity: '2030-05-01T00:00:00.000Z' });
    const later = accepted('2026-03-01T00:00:00.000Z');
    expect(due([later, ingested, part])).toMatchObject({ inactivity: '2031-03-01T00:00:00.000Z' });
  });

  it('begins anew with what is ingested after an erasure was decided', () => {
    const decided = event('IdentityErasureDecided.v1', { decidedAt: '2026-03-01T00:00:00.000Z' });
    const earlier = accepted('2026-02-01T00:00:00.000Z');
    expect(due([earlier, decided])).toEqual({ erasure: '2026-03-01T00:00:00.000Z' });
    expect(due([earlier, decided, accepted('2026-03-01T00:00:01.000Z')])).toMatchObject({
      inactivity: '2031-03-01T00:00:01.000Z',
    });
    expect(retention.project([earlier, decided, earlier])[0]?.text).toContain('DELETE');
  });

  it('leaves an erasure that was decided due until it is complete', () => {
    const decided = event('IdentityErasureDecided.v1', { decidedAt: '2026-03-01T00:00:00.000Z' });
    const erased = event('IdentityErased.v1', { erasedAt: '2026-03-01T00:01:00.000Z' });
    expect(due([ingested, decided])).toEqual({ erasure: '2026-03-01T00:00:00.000Z' });
    expect(due([ingested, decided, erased])).toEqual({});
  });
});
