import { identityAnnouncer } from './identity.announcer.js';
import { type IdentityDeleted } from './identity.events.js';

const DELETED = {
  identityId: 'idn_1',
  identityHash: 'h',
  deletedAt: '2026-11-27T10:00:00.000Z',
  purgeAt: '2026-12-27T10:00:00.000Z',
};

const stageOf = (data: IdentityDeleted['data']): unknown => {
  const event = { type: 'IdentityDeleted.v1', data } as unknown as Parameters<typeof identityAnnouncer.announce>[0];
  return identityAnnouncer.announce(event)[0]?.data['stage'];
};

it('distinguishes a deletion that can be undone from one by request of the person', () => {
  expect(stageOf(DELETED)).toBe('soft');
  expect(stageOf({ ...DELETED, purgeAt: DELETED.deletedAt, atOnce: true })).toBe('erased');
});
