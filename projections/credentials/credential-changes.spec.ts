import { type CredentialSuspended } from '../../src/credentials/domain/credential.events.js';
import { type Recorded } from '../../src/kernel/events.js';
import { CredentialChanges } from './credential-changes.js';

it('changes every list that a copy stands in', () => {
  const changes = new CredentialChanges();
  const [first, second] = [
    { list: 1, index: 7 },
    { list: 2, index: 9 },
  ];
  changes.add({
    type: 'CredentialSuspended.v1',
    data: {
      credentialId: '99999999-9999-4999-8999-999999999991',
      status: first,
      copies: [first, second],
      reason: null,
      cause: 'issuer',
      changedAt: '2026-11-29T10:00:00.000Z',
    },
    position: 5n,
  } as unknown as Recorded<CredentialSuspended>);
  expect([...changes.changedLists.keys()].toSorted()).toEqual(['suspension 1', 'suspension 2']);
});
