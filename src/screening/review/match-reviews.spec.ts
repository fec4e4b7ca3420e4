import { jest } from '@jest/globals';
import { aggregatesOf } from '../../../test/support/aggregates.js';
import { LegibleVault } from '../../../test/support/accounts-world.js';
import { SimulatedEventStore } from '../../../test/support/simulated-event-store.js';
import { newTenantId, newUuid } from '../../kernel/ids.js';
import { matchId, type StoredDecision } from '../domain/stored-decision.js';
import { decisionStream } from '../domain/decision.events.js';
import { MatchReviews } from './match-reviews.js';
import { ReviewWriter } from './review-writer.js';

const tenantId = newTenantId();
const decisionId = newUuid();
const context = { principal: { tenantId }, requestId: 'r', actorId: 'abcd1234' } as never;
const match = {
  list: 'OFAC_SDN',
  entryId: '1',
  entryDigest: 'd',
  score: 1,
  status: 'potential_match',
  dismissed: false,
};
const decision = { kind: 'sanctions', query: { fullName: 'A Name' }, matches: [match] } as unknown as StoredDecision;

const begin = async (isOfNow: boolean) => {
  const store = new SimulatedEventStore();
  const vault = new LegibleVault();
  const key = await vault.subjectKey();
  jest.spyOn(vault, 'subjectKey').mockResolvedValue(key);
  const keyId = isOfNow ? key.id : 'an earlier key';
  const record = jest.fn(() => Promise.resolve());
  const row = { tenantId, decisionId, kind: 'sanctions', identityId: 'idn_1' };
  const writer = new ReviewWriter(
    {} as never,
    { dismissalHash: () => 'hash', auditedPerson: () => ({ identityHash: 'person' }) } as never,
    {} as never,
    vault,
    {} as never,
  );
  const reviews = new MatchReviews(
    { find: () => Promise.resolve({ row, decision, keyId, identityHash: 'person' }) } as never,
    { surelyAnnounce: () => Promise.resolve() } as never,
    writer,
    { of: () => Promise.resolve({ fourEyes: false }) } as never,
    { of: () => Promise.resolve(() => true) } as never,
    { record } as never,
    { reach: () => Promise.resolve() } as never,
    aggregatesOf(store),
  );
  const types = (): string[] => (store.streams.get(decisionStream(tenantId, decisionId)) ?? []).map(({ type }) => type);
  return { reviews, record, types };
};

describe('a review of a match of the background', () => {
  it('is recorded in the audit log, and appended', async () => {
    const { reviews, record, types } = await begin(true);
    await reviews.review(matchId(decisionId, 0), 'confirm', { text: 'It is them', version: 1 }, context);
    expect([types(), record.mock.calls.length]).toEqual([['MatchConfirmed.v1'], 1]);
  });

  it('is appended once where its attempt is repeated under one Idempotency-Key', async () => {
    const { reviews, types } = await begin(true);
    const effect = newUuid();
    const keyed = { ...(context as object), keyed: { effectId: () => effect } } as never;
    for (const to of ['Vera', 'Vera'])
      await reviews.review(matchId(decisionId, 0), 'assign', { text: to, version: 1 }, keyed);
    expect(types()).toEqual(['MatchAssigned.v1']);
  });

  it('writes nothing under a key that was made after the person’s was destroyed', async () => {
    const { reviews, record, types } = await begin(false);
    const late = reviews.review(matchId(decisionId, 0), 'confirm', { text: 'Their name', version: 1 }, context);
    await expect(late).rejects.toMatchObject({ code: 'not_found' });
    expect([types(), record.mock.calls.length]).toEqual([[], 0]);
  });
});
