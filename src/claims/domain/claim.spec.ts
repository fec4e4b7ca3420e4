import { eventsOf, givenFor } from '../../../test/support/given.js';
import { type ClaimCommand, type RejectClaim } from './claim.commands.js';
import { claimDecider } from './claim.js';
import { type ClaimField } from './claims.events.js';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const at = (days: number): Date => new Date(NOON + days * 24 * 3_600_000);

const receive: ClaimCommand = {
  kind: 'receive',
  claim: {
    claimId: 'c1',
    askerTenantId: 't1',
    requestedBy: 'A bank',
    identityId: 'idn_1',
    identityHash: 'hash',
    purpose: 'onboarding',
    requestedAt: at(0).toISOString(),
    expiresAt: at(30).toISOString(),
  },
};
const approve = (day = 1, fields: ClaimField[] = ['tier', 'full_name']): ClaimCommand => ({
  kind: 'approve',
  fields,
  now: at(day),
});
const reject = (day = 1, reason: RejectClaim['reason'] = 'rejected'): ClaimCommand => ({
  kind: 'reject',
  reason,
  now: at(day),
});

const given = (...history: ClaimCommand[]) => givenFor(claimDecider)(...eventsOf(claimDecider, history));

it('is received once', () => {
  given().when(receive).thenTypes('ClaimReceived.v1');
  given(receive).when(receive).thenNothing();
});

it('is not there for whoever was not asked', () => {
  given().when(approve()).thenRejected('not_found');
  given().when(reject()).thenRejected('not_found');
});

describe('an approval', () => {
  it('lets the asker read the named fields for 30 days', () =>
    given(receive)
      .when(approve(2))
      .then({
        type: 'ClaimApproved.v1',
        data: {
          claimId: 'c1',
          askerTenantId: 't1',
          identityId: 'idn_1',
          identityHash: 'hash',
          fields: ['tier', 'full_name'],
          approvedAt: at(2).toISOString(),
          expiresAt: at(32).toISOString(),
        },
      }));

  it('is already done for the same fields, and refused for others', () => {
    given(receive, approve())
      .when(approve(3, ['full_name', 'tier']))
      .thenNothing();
    for (const fields of [['tier'], ['tier', 'email'], ['tier', 'full_name', 'email']] satisfies ClaimField[][])
      given(receive, approve()).when(approve(3, fields)).thenRejected('claim_decided');
  });

  it('is refused after a rejection, and from the end of the claim on', () => {
    given(receive, reject()).when(approve()).thenRejected('claim_decided');
    given(receive).when(approve(30)).thenRejected('claim_decided');
    given(receive).when(approve(29.9)).thenTypes('ClaimApproved.v1');
  });
});

describe('a rejection', () => {
  it('is final', () => {
    given(receive).when(reject()).thenTypes('ClaimRejected.v1');
    given(receive, reject()).when(reject(2)).thenNothing();
  });

  it('is refused after an approval', () => given(receive, approve()).when(reject()).thenRejected('claim_decided'));

  it('by silence comes after 30 days', () => {
    given(receive).when(reject(29.9, 'expired')).thenNothing();
    given(receive).when(reject(30, 'expired')).thenTypes('ClaimRejected.v1');
  });

  it('by the end of the identity comes at once', () =>
    given(receive).when(reject(1, 'identity_erased')).thenTypes('ClaimRejected.v1'));
});
