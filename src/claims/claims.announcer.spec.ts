import { goldenLog } from '../../test/support/golden-log.js';
import { claimsAnnouncer } from './claims.announcer.js';

const announced = goldenLog()
  .filter(({ stream }) => claimsAnnouncer.streamPrefixes.some((prefix) => stream.startsWith(prefix)))
  .flatMap((event) =>
    claimsAnnouncer.announce(event).map((announcement) => ({ stream: event.stream, ...announcement })),
  );

const to = (prefix: string) => announced.filter(({ stream }) => stream.startsWith(prefix));

describe('what is announced of claims', () => {
  it('is every event, to the side that it concerns', () => {
    expect(to('claims-').map(({ type, data }) => [type, data['role']])).toEqual([
      ['claim.requested', 'asker'],
      ['claim.requested', 'asker'],
      ['claim.approved', 'asker'],
      ['claim.rejected', 'asker'],
      ['claim.rejected', 'asker'],
    ]);
    expect(to('claim-').map(({ type, data }) => [type, data['role']])).toEqual([
      ['claim.approved', 'holder'],
      ['claim.rejected', 'holder'],
    ]);
    expect(to('posting-').map(({ type, data, audience }) => [type, data['role'], audience])).toEqual([
      ['claim.requested', 'holder', { tenantId: 't01hyyyyyyyyyyyyyyyyyyyyyyy' }],
      ['claim.requested', 'holder', { tenantId: 't01hyyyyyyyyyyyyyyyyyyyyyyy' }],
      ['claim.requested', 'holder', { tenantId: 't01hxxxxxxxxxxxxxxxxxxxxxxx' }],
    ]);
  });

  it('tells the asker of an attestor only by its approval, and of no identity', () => {
    for (const { type, data } of to('claims-')) {
      expect(JSON.stringify(data)).not.toMatch(/idn_|t01h/);
      expect('attested_by' in data).toBe(type === 'claim.approved');
    }
  });

  it('tells the holder its own identity, the purpose and the name of the asker', () => {
    expect(to('posting-')[0]?.data).toEqual({
      claim_id: 'aaaaaaaa-1111-4111-8111-aaaaaaaaaaa1',
      role: 'holder',
      identity_id: 'idn_abababababababababababababababab',
      requested_by: 'Example Bank',
      purpose: 'onboarding',
      requested_at: '2026-11-21T10:00:00.000Z',
      expires_at: '2026-12-21T10:00:00.000Z',
    });
  });

  it('holds no hash of a person', () => expect(JSON.stringify(announced)).not.toMatch(/[0-9a-f]{64}/));
});
