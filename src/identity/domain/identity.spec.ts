import { type ExpiryNotice } from '../../kernel/expiry-notices.js';
import fc from 'fast-check';
import { eventsOf, givenFor, stateAfter } from '../../../test/support/given.js';
import { type KycStatus } from '../../kernel/kyc.js';
import { isRejection } from '../../kernel/rejection.js';
import { type IdentityCommand } from './identity.commands.js';
import { type IdentityEvent } from './identity.events.js';
import { GRACE_PERIOD, identityDecider, type Identity, isSuperseded } from './identity.js';

const IDENTITY = 'idn_00000000000000000000000000000001';
const HASH = 'ab'.repeat(32);
const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const at = (milliseconds: number): Date => new Date(NOON + milliseconds);
const envelope = (key = 'key-1') => ({ v: 1, alg: 'A256GCM', key, iv: 'iv', ct: 'ct' }) as const;

const apply = (
  position: number,
  options: { status?: KycStatus; expiresAt?: Date; index?: number; key?: string; suppliedUnder?: string } = {},
): IdentityCommand => ({
  kind: 'apply',
  order: { position: BigInt(position), recordIndex: options.index ?? 0 },
  record: {
    identityId: IDENTITY,
    identityHash: HASH,
    ingestionId: `ingestion of ${position}`,
    receivedAt: at(position).toISOString(),
    kycStatus: options.status ?? 'APPROVED',
    tier: 'Tier2',
    kycExpiresAt: options.expiresAt?.toISOString() ?? null,
    personal: envelope(options.key),
    evidence: { hasDocument: false, hasDateOfBirth: true },
  },
  suppliedUnder: options.suppliedUnder ?? options.key ?? 'key-1',
});
const remove = (time = 0): IdentityCommand => ({ kind: 'delete', identityId: IDENTITY, now: at(time) });
const restore = (time = 0): IdentityCommand => ({ kind: 'restore', identityId: IDENTITY, now: at(time) });
const DAY = 86_400_000;
const notify = (notice: ExpiryNotice, time: number): IdentityCommand => ({
  kind: 'notify',
  identityId: IDENTITY,
  notice,
  days: notice === 'first' ? 30 : 7,
  now: at(time),
});
const expire = (time = 0): IdentityCommand => ({ kind: 'expire', identityId: IDENTITY, now: at(time) });
const decideErasure = (
  time: number,
  presentKeyIds: readonly string[] = [],
  inactiveSince = '',
  due: { dormantHash?: string; lostKeyId?: string } = {},
): IdentityCommand => ({
  kind: 'decide_erasure',
  identityId: IDENTITY,
  now: at(time),
  inactiveSince,
  presentKeyIds,
  ...due,
});
const decideDormant = (inactiveSince = ''): IdentityCommand =>
  decideErasure(0, ['key-2'], inactiveSince, { dormantHash: HASH });
const completeErasure = (): IdentityCommand => ({
  kind: 'complete_erasure',
  identityId: IDENTITY,
  now: at(GRACE_PERIOD + 1),
  destroyed: [{ kind: 'data_keys', count: 1 }],
  backupsLastUntil: at(2 * GRACE_PERIOD).toISOString(),
  certificate: 'certificate',
});

const lived = (...history: IdentityCommand[]): IdentityEvent[] => eventsOf(identityDecider, history);
const after = (...history: IdentityCommand[]): Identity => stateAfter(identityDecider, lived(...history));
const given = (...history: IdentityCommand[]) => givenFor(identityDecider)(...lived(...history));

const ERASED = [apply(1), remove(), decideErasure(GRACE_PERIOD), completeErasure()];

describe('ingesting an identity', () => {
  it('creates it and announces an approval', () =>
    given().when(apply(1)).thenTypes('IdentityIngested.v1', 'IdentityVerified.v1'));
  it('announces a manual review', () =>
    given()
      .when(apply(1, { status: 'PENDING_REVIEW' }))
      .thenTypes('IdentityIngested.v1', 'IdentityFlagged.v1'));
  it('announces nothing more for a rejection', () =>
    given()
      .when(apply(1, { status: 'REJECTED' }))
      .thenTypes('IdentityIngested.v1'));
  it.each(['APPROVED', 'REJECTED', 'PENDING_REVIEW', 'EXPIRED'] as const)('moves from any status to %s', (status) => {
    for (const before of ['APPROVED', 'REJECTED', 'PENDING_REVIEW', 'EXPIRED'] as const) {
      const [event] = given(apply(1, { status: before }))
        .when(apply(2, { status }))
        .outcome();
      expect(event).toMatchObject({ type: 'IdentityUpdated.v1', data: { kycStatus: status } });
    }
  });
  it('remembers when it was last approved', () => {
    const [event] = given(apply(1))
      .when(apply(2, { status: 'REJECTED' }))
      .outcome();
    expect(event).toMatchObject({ data: { lastVerifiedAt: at(1).toISOString() } });
  });
  it('treats a retry as already done', () => given(apply(1)).when(apply(1)).thenNothing());
  it('leaves a newer record alone when an older ingestion comes late', () => {
    given(apply(5)).when(apply(3)).thenNothing();
    expect(isSuperseded(after(apply(5)), { position: 3n, recordIndex: 0 })).toBe(true);
    expect(isSuperseded(after(apply(5)), { position: 5n, recordIndex: 0 })).toBe(false);
  });
  it('lets the later of two records in one batch win', () => {
    given(apply(5, { index: 0 }))
      .when(apply(5, { index: 1 }))
      .thenTypes('IdentityUpdated.v1', 'IdentityVerified.v1');
    given(apply(5, { index: 1 }))
      .when(apply(5, { index: 0 }))
      .thenNothing();
  });
  it('is refused while the identity is deleted, whenever it was accepted', () => {
    given(apply(1), remove()).when(apply(2)).thenRejected('identity_deleted');
    given(apply(1), remove(), decideErasure(GRACE_PERIOD)).when(apply(2)).thenRejected('identity_deleted');
  });
  it('begins a new life after the erasure', () => {
    const [event] = given(...ERASED)
      .when(apply(9, { key: 'key-2', status: 'REJECTED' }))
      .outcome();
    expect(event).toMatchObject({ type: 'IdentityIngested.v1', data: { lastVerifiedAt: null } });
    expect(after(...ERASED, apply(9, { key: 'key-2' })).dataKeyIds).toEqual(['key-2']);
  });
  it.each([
    ['sealed for its new place before the erasure', { key: 'key-1' }],
    ['opened before the erasure and sealed under a new key after it', { key: 'key-2', suppliedUnder: 'key-1' }],
  ])('does not revive an erased identity by what was %s', (_, options) => {
    given(...ERASED)
      .when(apply(9, options))
      .thenRejected('identity_deleted');
    const reborn = [...ERASED, apply(8, { key: 'key-2' })];
    given(...reborn)
      .when(apply(9, options))
      .thenRejected('identity_deleted');
    const again = [...reborn, remove(), decideErasure(GRACE_PERIOD), completeErasure()];
    given(...again)
      .when(apply(9, options))
      .thenRejected('identity_deleted');
    expect(after(...again).destroyedKeyIds).toEqual(['key-1', 'key-2']);
  });
  it('does not revive an erased identity by what was superseded before', () =>
    given(...ERASED)
      .when(apply(1))
      .thenNothing());
});

describe('an erasure by request of the person', () => {
  const erase = (time: number): IdentityCommand => ({ kind: 'erase_at_once', identityId: IDENTITY, now: at(time) });

  it('ends the grace period at once, also one that runs', () => {
    for (const before of [[apply(1)], [apply(1), remove()]]) {
      given(...before)
        .when(erase(DAY))
        .thenTypes('IdentityDeleted.v1');
      given(...before, erase(DAY))
        .when(decideErasure(DAY))
        .thenTypes('IdentityErasureDecided.v1');
      given(...before, erase(DAY))
        .when(restore(DAY))
        .thenRejected('not_found');
    }
  });

  it('changes nothing where it is due already, and is refused where there is no record', () => {
    given(apply(1), erase(DAY))
      .when(erase(2 * DAY))
      .thenTypes();
    given(apply(1), erase(DAY), decideErasure(DAY))
      .when(erase(2 * DAY))
      .thenTypes();
    given().when(erase(DAY)).thenRejected('not_found');
  });
});

describe('a notice of the expiry', () => {
  const expiresAt = at(40 * DAY);

  it('goes out once each, in its time', () => {
    given(apply(1, { expiresAt }))
      .when(notify('first', 9 * DAY))
      .thenTypes();
    given(apply(1, { expiresAt }))
      .when(notify('first', 10 * DAY))
      .thenTypes('IdentityExpiring.v1');
    given(apply(1, { expiresAt }), notify('first', 10 * DAY))
      .when(notify('first', 11 * DAY))
      .thenTypes();
    given(apply(1, { expiresAt }), notify('first', 10 * DAY))
      .when(notify('last', 33 * DAY))
      .thenTypes('IdentityExpiring.v1');
    given(apply(1, { expiresAt }), notify('last', 35 * DAY))
      .when(notify('first', 36 * DAY))
      .thenTypes();
  });

  it('goes out again for another expiry, and not for a record that is sent or restored with the same one', () => {
    given(apply(1, { expiresAt }), notify('last', 35 * DAY), apply(2, { expiresAt: at(41 * DAY) }))
      .when(notify('last', 36 * DAY))
      .thenTypes('IdentityExpiring.v1');
    const twice = [apply(1, { expiresAt }), notify('last', 35 * DAY), apply(2, { expiresAt }), apply(3, { expiresAt })];
    given(...twice)
      .when(notify('last', 36 * DAY))
      .thenTypes();
    given(apply(1, { expiresAt }), notify('first', 12 * DAY), remove(13 * DAY), restore(14 * DAY))
      .when(notify('first', 15 * DAY))
      .thenTypes();
  });

  it('goes out for none that is deleted, not approved or over', () => {
    given(apply(1, { expiresAt }), remove())
      .when(notify('last', 36 * DAY))
      .thenTypes();
    given(apply(1, { expiresAt, status: 'REJECTED' }))
      .when(notify('last', 36 * DAY))
      .thenTypes();
    given(apply(1, { expiresAt }))
      .when(notify('last', 40 * DAY))
      .thenTypes();
  });
});

describe('KYC expiry', () => {
  const expiring = apply(1, { expiresAt: at(1_000) });
  it('comes at kyc_expires_at and not before', () => {
    given(expiring).when(expire(999)).thenNothing();
    given(expiring).when(expire(1_000)).thenTypes('IdentityExpired.v1');
  });
  it('comes once', () => given(expiring, expire(1_000)).when(expire(2_000)).thenNothing());
  it('comes only to approved identities, and not to what was renewed meanwhile', () => {
    given(apply(1, { status: 'REJECTED', expiresAt: at(1) }))
      .when(expire(5))
      .thenNothing();
    given(expiring, apply(2, { expiresAt: at(9_000) }))
      .when(expire(1_000))
      .thenNothing();
    given(expiring, apply(2)).when(expire(1_000)).thenNothing();
  });
});

describe('deleting and restoring', () => {
  it('deletes an active identity once', () => {
    given(apply(1)).when(remove()).thenTypes('IdentityDeleted.v1');
    given(apply(1), remove()).when(remove(5)).thenNothing();
    given(apply(1), remove())
      .when(remove(GRACE_PERIOD - 1))
      .thenNothing();
    given(apply(1), remove()).when(remove(GRACE_PERIOD)).thenRejected('not_found');
  });
  it('does not know what never was or was erased', () => {
    given().when(remove()).thenRejected('not_found');
    given(...ERASED)
      .when(remove())
      .thenRejected('not_found');
    given().when(restore()).thenRejected('not_found');
    given(...ERASED)
      .when(restore())
      .thenRejected('not_found');
  });
  it('restores within 30 days to the millisecond', () => {
    given(apply(1), remove())
      .when(restore(GRACE_PERIOD - 1))
      .thenTypes('IdentityRestored.v1');
    given(apply(1), remove()).when(restore(GRACE_PERIOD)).thenRejected('not_found');
  });
  it('refuses to restore what is not deleted', () =>
    given(apply(1)).when(restore()).thenRejected('identity_not_deleted'));
  it('may be deleted again after being restored', () =>
    given(apply(1), remove(), restore()).when(remove()).thenTypes('IdentityDeleted.v1'));
});

describe('erasing', () => {
  it('is decided once 30 days have passed, naming every data key', () => {
    given(apply(1), remove())
      .when(decideErasure(GRACE_PERIOD - 1))
      .thenNothing();
    const [event] = given(apply(1), remove())
      .when(decideErasure(GRACE_PERIOD, ['key-1', 'key-9']))
      .outcome();
    expect(event).toMatchObject({ data: { reason: 'deletion', dataKeyIds: ['key-1', 'key-9'] } });
  });
  it('is not decided for what was restored meanwhile, and cannot be undone once decided', () => {
    given(apply(1), remove(), restore()).when(decideErasure(GRACE_PERIOD)).thenNothing();
    given(apply(1), remove(), decideErasure(GRACE_PERIOD)).when(restore(1)).thenRejected('not_found');
  });
  it('comes for the sake of retention to what had no activity since', () => {
    const limit = at(100).toISOString();
    given(apply(1))
      .when(decideErasure(200, [], limit))
      .thenTypes('IdentityErasureDecided.v1');
    given(apply(100))
      .when(decideErasure(200, [], limit))
      .thenNothing();
  });
  it('is completed once, after it was decided', () => {
    given(apply(1), remove()).when(completeErasure()).thenNothing();
    given(apply(1), remove(), decideErasure(GRACE_PERIOD)).when(completeErasure()).thenTypes('IdentityErased.v1');
    given(...ERASED)
      .when(completeErasure())
      .thenNothing();
  });
});

describe('ingestions in any order of arrival', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }).map((position) => apply(position)) },
    { weight: 1, arbitrary: fc.constantFrom(remove(), restore()) },
  );

  it('never put an older record over a newer one, nor change what is deleted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (commands) => {
        let state = identityDecider.initialState();
        for (const command of commands) {
          const before = state;
          try {
            state = identityDecider.decide(command, state).reduce(identityDecider.evolve, state);
          } catch (error) {
            if (!isRejection(error)) throw error;
          }
          expect((state.lastApplied?.position ?? 0n) >= (before.lastApplied?.position ?? 0n)).toBe(true);
          if (before.phase === 'deleted' && command.kind === 'apply') expect(state).toEqual(before);
        }
      }),
    );
  });

  it('end with the newest, whatever the order and however often each is tried', () => {
    const positions = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(positions, (order) => {
        const state = after(...order.map((position) => apply(position)));
        expect(state.lastApplied?.position).toBe(BigInt(Math.max(...order)));
        expect(state.lastVerifiedAt).toBe(at(Math.max(...order)).toISOString());
      }),
    );
  });
});

describe('an identity whose data keys were lost', () => {
  const decideLost = (lostKeyId: string, presentKeyIds: readonly string[] = []): IdentityCommand =>
    decideErasure(9, presentKeyIds, '', { lostKeyId });
  const [A, B] = ['key-a', 'key-b'];

  it.each<[string, boolean, readonly IdentityCommand[]]>([
    ['is erased', true, [apply(1, { key: A }), decideLost(A)]],
    [
      'is kept where an older record was under the key',
      false,
      [apply(1, { key: A }), apply(2, { key: B }), decideLost(A)],
    ],
    [
      'is erased where the key returned to its latest record',
      true,
      [A, B, A].map((key, n) => apply(n + 1, { key })).concat(decideLost(A)),
    ],
    ['is kept where the key is here after all', false, [apply(1, { key: A }), decideLost(A, [A])]],
    ['is left alone where there is none', false, [decideLost(A)]],
  ])('%s', (_, erased, commands) => {
    const { phase } = after(...commands);
    expect(phase === 'erasing').toBe(erased);
  });
});

describe('a person of whom there are only ingestions', () => {
  it.each([
    ['never had an identity', []],
    ['had one that was erased', ERASED],
  ])('is erased when they have been kept long enough, and %s', (_, history) => {
    const [decided] = given(...history)
      .when(decideDormant())
      .outcome();
    expect(decided?.data).toMatchObject({ identityHash: HASH, reason: 'retention', dataKeyIds: ['key-2'] });
    const [erased] = given(...history, decideDormant())
      .when(completeErasure())
      .outcome();
    expect(erased).toMatchObject({ type: 'IdentityErased.v1', data: { identityHash: HASH, dataKeyIds: ['key-2'] } });
    given(...history, decideDormant())
      .when(apply(9))
      .thenRejected('identity_deleted');
    given(...history, decideDormant(), completeErasure())
      .when(apply(9, { key: 'key-2' }))
      .thenRejected('identity_deleted');
    given(...history, decideDormant(), completeErasure())
      .when(apply(9, { key: 'key-3' }))
      .thenTypes('IdentityIngested.v1', 'IdentityVerified.v1');
  });

  it('is left alone where nothing says for how long', () =>
    given()
      .when(decideErasure(0, ['key-2']))
      .thenNothing());

  it('is judged as an identity where there is one', () =>
    given(apply(1))
      .when(decideDormant(at(0).toISOString()))
      .thenNothing());
});
