import { givenFor } from '../../../test/support/given.js';
import { type ClaimPosted } from './posting.events.js';
import { type PostingCommand, postingDecider } from './posting.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const posted: ClaimPosted = {
  type: 'ClaimPosted.v1',
  data: {
    claimId: 'c1',
    askerTenantId: 't1',
    requestedBy: 'A bank',
    identityHash: 'hash',
    purpose: 'onboarding',
    requestedAt: NOW.toISOString(),
    expiresAt: '2026-03-31T12:00:00.000Z',
    holders: [],
  },
};
const post: PostingCommand = { kind: 'post', claim: posted.data };
const withdraw: PostingCommand = { kind: 'withdraw', claimId: 'c1', now: NOW };
const withdrawn = { type: 'PostingWithdrawn.v1', data: { claimId: 'c1', withdrawnAt: NOW.toISOString() } } as const;
const given = givenFor(postingDecider);

it('is posted once, even where nobody is there to be asked', () => {
  given().when(post).then(posted);
  given(posted).when(post).thenNothing();
});

it('is withdrawn once, and not posted any more', () => {
  given().when(withdraw).then(withdrawn);
  given(posted).when(withdraw).then(withdrawn);
  given(posted, withdrawn).when(withdraw).thenNothing();
  given(withdrawn).when(post).thenNothing();
});
