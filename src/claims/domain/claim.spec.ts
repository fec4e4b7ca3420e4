import { eventsOf, givenFor } from '../../../test/support/given.js';
import { type ClaimCommand, type ReceivedClaim, type RejectClaim } from './claim.commands.js';
import { claimDecider } from './claim.js';
import { type ClaimField } from './claims.events.js';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const at = (days: number): Date => new Date(NOON + days * 24 * 3_600_000);

const claim: ReceivedClaim = {
  claimId: 'c1',
  askerTenantId: 't1',
  requestedBy: 'A bank',
  identityId: 'idn_1',
  identityHash: 'hash',
  purpose: 'onboarding',
  requestedAt: at(0).toISOString(),
  expiresAt: at(30).toISOString(),
};
const approve = (day = 1, fields: ClaimField[] = ['tier', 'full_name']): ClaimCommand => ({
  kind: 'approve',
  claim,
  life: 'key-1',
  fields,
  now: at(day),
});
const reject = (day = 1, reason: RejectClaim['reason'] = 'rejected'): ClaimCommand => ({
  kind: 'reject',
  claim,
  reason,
  now: at(day),
});

const given = (...history: ClaimCommand[]) => givenFor(claimDecider)(...eventsOf(claimDecider, history));

describe('an approval', () => {
  it('lets the asker read the named fields for 30 days', () =>
    given()
      .when(approve(2))
      .then({
        type: 'ClaimApproved.v1',
        data: {
          claimId: 'c1',
          askerTenantId: 't1',
          identityId: 'idn_1',
          identityHash: 'hash',
          life: 'key-1',
          fields: ['tier', 'full_name'],
          approvedAt: at(2).toISOString(),
          expiresAt: at(32).toISOString(),
        },
      }));

  it('is already done for the same fields, and refused for others', () => {
    given(approve())
      .when(approve(3, ['full_name', 'tier']))
      .thenNothing();
    for (const fields of [['tier'], ['tier', 'email'], ['tier', 'full_name', 'email']] satisfies ClaimField[][])
      given(approve()).when(approve(3, fields)).thenRejected('claim_decided');
  });

  it('is refused after a rejection, and from the end of the claim on', () => {
    given(reject()).when(approve()).thenRejected('claim_decided');
    given().when(approve(30)).thenRejected('claim_decided');
    given().when(approve(29.9)).thenTypes('ClaimApproved.v1');
  });
});

describe('a rejection', () => {
  it('is final', () => {
    given().when(reject()).thenTypes('ClaimRejected.v1');
    given(reject()).when(reject(2)).thenNothing();
  });

  it('is refused after an approval', () => given(approve()).when(reject()).thenRejected('claim_decided'));

  it('by silence came after 30 days, without an event', () => {
    given().when(reject(30)).thenNothing();
    given().when(reject(29.9)).thenTypes('ClaimRejected.v1');
  });

  it('by the end of the identity comes at once', () =>
    given().when(reject(1, 'identity_erased')).thenTypes('ClaimRejected.v1'));
});
