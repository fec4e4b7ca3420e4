import fc from 'fast-check';
import { type KycStatus } from '../../kernel/kyc.js';
import { isRejection, refuse, type RejectionCode } from '../../kernel/rejection.js';
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
  },
  suppliedUnder: options.suppliedUnder ?? options.key ?? 'key-1',
});
const remove = (time = 0): IdentityCommand => ({ kind: 'delete', identityId: IDENTITY, now: at(time) });
const restore = (time = 0): IdentityCommand => ({ kind: 'restore', identityId: IDENTITY, now: at(time) });
const expire = (time = 0): IdentityCommand => ({ kind: 'expire', identityId: IDENTITY, now: at(time) });
const decideErasure = (
  time: number,
  presentKeyIds: string[] = [],
  inactiveSince = '',
  dormant: { dormantHash?: string } = {},
): IdentityCommand => ({
  kind: 'decide_erasure',
  identityId: IDENTITY,
  now: at(time),
  inactiveSince,
  presentKeyIds,
  ...dormant,
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

const evolveAll = (state: Identity, events: readonly IdentityEvent[]): Identity =>
  events.reduce((before, event) => identityDecider.evolve(before, event), state);

const after = (...commands: IdentityCommand[]): Identity =>
  commands.reduce(
    (state, command) => evolveAll(state, identityDecider.decide(command, state)),
    identityDecider.initialState(),
  );

const given = (...history: IdentityCommand[]) => ({
  when: (command: IdentityCommand) => {
    const attempt = (): readonly IdentityEvent[] => identityDecider.decide(command, after(...history));
    return {
      then: (...types: IdentityEvent['type'][]) => expect(attempt().map(({ type }) => type)).toEqual(types),
      thenNothing: () => expect(attempt()).toEqual([]),
      events: attempt(),
    };
  },
});
const refused = (history: IdentityCommand[], command: IdentityCommand, code: RejectionCode): void =>
  expect(() => identityDecider.decide(command, after(...history))).toThrow(refuse(code));

const ERASED = [apply(1), remove(), decideErasure(GRACE_PERIOD), completeErasure()];

describe('ingesting an identity', () => {
  it('creates it and announces an approval', () =>
    given().when(apply(1)).then('IdentityIngested.v1', 'IdentityVerified.v1'));
  it('announces a manual review', () =>
    given()
      .when(apply(1, { status: 'PENDING_REVIEW' }))
      .then('IdentityIngested.v1', 'IdentityFlagged.v1'));
  it('announces nothing more for a rejection', () =>
    given()
      .when(apply(1, { status: 'REJECTED' }))
      .then('IdentityIngested.v1'));
  it.each(['APPROVED', 'REJECTED', 'PENDING_REVIEW', 'EXPIRED'] as const)('moves from any status to %s', (status) => {
    for (const before of ['APPROVED', 'REJECTED', 'PENDING_REVIEW', 'EXPIRED'] as const) {
      const [event] = given(apply(1, { status: before })).when(apply(2, { status })).events;
      expect(event).toMatchObject({ type: 'IdentityUpdated.v1', data: { kycStatus: status } });
    }
  });
  it('remembers when it was last approved', () => {
    const [event] = given(apply(1)).when(apply(2, { status: 'REJECTED' })).events;
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
      .then('IdentityUpdated.v1', 'IdentityVerified.v1');
    given(apply(5, { index: 1 }))
      .when(apply(5, { index: 0 }))
      .thenNothing();
  });
  it('is refused while the identity is deleted, whenever it was accepted', () => {
    refused([apply(1), remove()], apply(2), 'identity_deleted');
    refused([apply(1), remove(), decideErasure(GRACE_PERIOD)], apply(2), 'identity_deleted');
  });
  it('begins a new life after the erasure', () => {
    const [event] = given(...ERASED).when(apply(9, { key: 'key-2', status: 'REJECTED' })).events;
    expect(event).toMatchObject({ type: 'IdentityIngested.v1', data: { lastVerifiedAt: null } });
    expect(after(...ERASED, apply(9, { key: 'key-2' })).dataKeyIds).toEqual(['key-2']);
  });
  it.each([
    ['sealed for its new place before the erasure', { key: 'key-1' }],
    ['opened before the erasure and sealed under a new key after it', { key: 'key-2', suppliedUnder: 'key-1' }],
  ])('does not revive an erased identity by what was %s', (_, options) => {
    refused(ERASED, apply(9, options), 'identity_deleted');
    const reborn = [...ERASED, apply(8, { key: 'key-2' })];
    refused(reborn, apply(9, options), 'identity_deleted');
    const again = [...reborn, remove(), decideErasure(GRACE_PERIOD), completeErasure()];
    refused(again, apply(9, options), 'identity_deleted');
    expect(after(...again).destroyedKeyIds).toEqual(['key-1', 'key-2']);
  });
  it('does not revive an erased identity by what was superseded before', () =>
    given(...ERASED)
      .when(apply(1))
      .thenNothing());
});

describe('KYC expiry', () => {
  const expiring = apply(1, { expiresAt: at(1_000) });
  it('comes at kyc_expires_at and not before', () => {
    given(expiring).when(expire(999)).thenNothing();
    given(expiring).when(expire(1_000)).then('IdentityExpired.v1');
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
    given(apply(1)).when(remove()).then('IdentityDeleted.v1');
    given(apply(1), remove()).when(remove(5)).thenNothing();
    given(apply(1), remove())
      .when(remove(GRACE_PERIOD - 1))
      .thenNothing();
    refused([apply(1), remove()], remove(GRACE_PERIOD), 'not_found');
  });
  it('does not know what never was or was erased', () => {
    refused([], remove(), 'not_found');
    refused(ERASED, remove(), 'not_found');
    refused([], restore(), 'not_found');
    refused(ERASED, restore(), 'not_found');
  });
  it('restores within 30 days to the millisecond', () => {
    given(apply(1), remove())
      .when(restore(GRACE_PERIOD - 1))
      .then('IdentityRestored.v1');
    refused([apply(1), remove()], restore(GRACE_PERIOD), 'not_found');
  });
  it('refuses to restore what is not deleted', () => refused([apply(1)], restore(), 'identity_not_deleted'));
  it('may be deleted again after being restored', () =>
    given(apply(1), remove(), restore()).when(remove()).then('IdentityDeleted.v1'));
});

describe('erasing', () => {
  it('is decided once 30 days have passed, naming every data key', () => {
    given(apply(1), remove())
      .when(decideErasure(GRACE_PERIOD - 1))
      .thenNothing();
    const [event] = given(apply(1), remove()).when(decideErasure(GRACE_PERIOD, ['key-1', 'key-9'])).events;
    expect(event).toMatchObject({ data: { reason: 'deletion', dataKeyIds: ['key-1', 'key-9'] } });
  });
  it('is not decided for what was restored meanwhile, and cannot be undone once decided', () => {
    given(apply(1), remove(), restore()).when(decideErasure(GRACE_PERIOD)).thenNothing();
    refused([apply(1), remove(), decideErasure(GRACE_PERIOD)], restore(1), 'not_found');
  });
  it('comes for the sake of retention to what had no activity since', () => {
    const limit = at(100).toISOString();
    given(apply(1))
      .when(decideErasure(200, [], limit))
      .then('IdentityErasureDecided.v1');
    given(apply(100))
      .when(decideErasure(200, [], limit))
      .thenNothing();
  });
  it('is completed once, after it was decided', () => {
    given(apply(1), remove()).when(completeErasure()).thenNothing();
    given(apply(1), remove(), decideErasure(GRACE_PERIOD)).when(completeErasure()).then('IdentityErased.v1');
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
            state = evolveAll(state, identityDecider.decide(command, state));
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

describe('a person of whom there are only ingestions', () => {
  it.each([
    ['never had an identity', []],
    ['had one that was erased', ERASED],
  ])('is erased when they have been kept long enough, and %s', (_, history) => {
    const [decided] = given(...history).when(decideDormant()).events;
    expect(decided?.data).toMatchObject({ identityHash: HASH, reason: 'retention', dataKeyIds: ['key-2'] });
    const [erased] = given(...history, decideDormant()).when(completeErasure()).events;
    expect(erased).toMatchObject({ type: 'IdentityErased.v1', data: { identityHash: HASH, dataKeyIds: ['key-2'] } });
    refused([...history, decideDormant()], apply(9), 'identity_deleted');
    refused([...history, decideDormant(), completeErasure()], apply(9, { key: 'key-2' }), 'identity_deleted');
    given(...history, decideDormant(), completeErasure())
      .when(apply(9, { key: 'key-3' }))
      .then('IdentityIngested.v1', 'IdentityVerified.v1');
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
