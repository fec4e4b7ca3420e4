import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { eligibility } from './eligibility.projection.js';

const personal = { v: 1, alg: 'A256GCM', key: 'a-key-that-may-be-destroyed', iv: 'i', ct: 'sealed' };

const event = (stream: string, type: string, data: object): StoredEvent => ({
  id: newUuid(),
  type,
  data,
  metadata: { $correlationId: 'c', actor: { type: 'system', id: 's' }, time: '', schemaVersion: 1 },
  stream,
  revision: 0n,
  position: 1n,
  created: new Date(0),
});

const identity = (type: string, data: object = {}): StoredEvent =>
  event('identity-t1_1', type, { identityId: 'idn_1', identityHash: 'hash', ...data });

const record = (tier: string): object => ({
  kycStatus: 'APPROVED',
  tier,
  kycExpiresAt: null,
  lastVerifiedAt: null,
  personal,
});

const changes = (events: readonly StoredEvent[]): [verb: string, rows: unknown[]][] =>
  eligibility
    .project(events)
    .map(({ text, values }) => [
      text.trim().split(/\s+/).slice(0, 3).join(' '),
      JSON.parse(String(values[0])) as unknown[],
    ]);

const changeOf = (events: readonly StoredEvent[], verb: string): unknown[] | undefined =>
  changes(events).find(([name]) => name.startsWith(verb))?.[1];

describe('the eligibility projection', () => {
  it('keeps the last record of an identity, sealed as it is, and needs no key', () => {
    const events = [identity('IdentityIngested.v1', record('Tier1')), identity('IdentityUpdated.v1', record('Tier3'))];
    expect(changeOf(events, 'INSERT INTO identities')).toMatchObject([
      { tier: 'Tier3', personal, event_id: events[1]?.id },
    ]);
    expect(changeOf(events, 'INSERT INTO attestations')).toHaveLength(1);
  });

  it('removes the record once the erasure is decided, and the attestation once it is complete', () => {
    const ingested = identity('IdentityIngested.v1', record('Tier1'));
    const decidedAt = '2026-01-01T00:00:00.000Z';
    const decided = identity('IdentityErasureDecided.v1', { decidedAt });
    const erased = identity('IdentityErased.v1');
    const verbs = (events: readonly StoredEvent[]) => changes(events).map(([verb]) => verb);
    expect(verbs([ingested, decided])).toEqual(['DELETE FROM identities', 'INSERT INTO attestations']);
    expect(changeOf([ingested, decided], 'INSERT INTO attestations')).toMatchObject([{ deleted_at: decidedAt }]);
    expect(verbs([decided])).toEqual(['DELETE FROM identities', 'UPDATE attestations a', 'UPDATE identities i']);
    for (const events of [[erased], [ingested, decided, erased]])
      expect(verbs(events)).toContain('DELETE FROM attestations');
    expect(verbs([ingested, decided, erased])).not.toContain('INSERT INTO attestations');
  });

  it('begins a new life after an erasure', () => {
    const ended = [identity('IdentityErasureDecided.v1'), identity('IdentityErased.v1')];
    const events = [...ended, identity('IdentityIngested.v1', record('Tier2'))];
    expect(changeOf(events, 'INSERT INTO identities')).toHaveLength(1);
    expect(changeOf(events, 'INSERT INTO attestations')).toMatchObject([{ tier: 'Tier2', deleted_at: null }]);
  });

  it('completes an ingestion with the rows that make it findable, not before', () => {
    const accepted = event('ingestion-t1_1', 'IngestionAccepted.v1', {
      ingestionId: newUuid(),
      kind: 'single',
      recordsReceived: 1,
      errors: [],
      receivedAt: '2026-01-01T00:00:00.000Z',
    });
    const completed = event('ingestion-t1_1', 'IngestionCompleted.v1', {
      ...(accepted.data as object),
      recordsProcessed: 1,
      recordsSuperseded: 0,
      identityId: 'idn_1',
      completedAt: '2026-01-01T00:00:01.000Z',
    });
    const verbs = changes([accepted, identity('IdentityIngested.v1', record('Tier1')), completed]).map(
      ([verb]) => verb,
    );
    expect(verbs.indexOf('INSERT INTO attestations')).toBeLessThan(verbs.indexOf('UPDATE ingestions i'));
    expect(changeOf([accepted], 'UPDATE ingestions')).toMatchObject([{ status: 'accepted', ended_at: null }]);
  });
});
