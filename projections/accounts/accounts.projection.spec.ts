import { type StoredEvent } from '../../src/kernel/events.js';
import { newUuid } from '../../src/kernel/ids.js';
import { accounts } from './accounts.projection.js';

const event = (type: string, data: object): StoredEvent => ({
  id: newUuid(),
  type,
  data,
  metadata: { $correlationId: 'c', actor: { type: 'operator', id: 'o' }, time: '', schemaVersion: 1 },
  stream: 'account-t1',
  revision: 0n,
  position: 4n,
  created: new Date(0),
});

describe('the accounts projection', () => {
  it('keeps whose a key is after the key is revoked, so that it is refused as revoked and not as unknown', () => {
    const issued = event('ApiKeyIssued.v1', {
      keyId: 'abcd1234',
      createdAt: 'c',
      expiresAt: null,
      secretHash: 'secret',
    });
    const revoked = event('ApiKeyRevoked.v1', { keyId: 'abcd1234', revokedAt: 'r' });
    const [insert, update] = accounts.project([issued, revoked]);
    expect(insert).toMatchObject({ values: ['t1', 'abcd1234', 'c', null] });
    expect(update).toMatchObject({ values: ['t1', 'abcd1234', 'r'] });
    expect(update?.text).not.toContain('DELETE');
  });

  it('has a statement for each event, in their order', () => {
    const events = ['AccountSuspended.v1', 'AccountReinstated.v1'].map((type) => event(type, {}));
    expect(accounts.project(events).map(({ values }) => values)).toEqual([
      ['t1', true],
      ['t1', false],
    ]);
  });
});
