import { isRejection } from '../../kernel/rejection.js';
import { type IdentityCommand } from './identity.commands.js';
import { type IdentityEvent } from './identity.events.js';
import { type Identity, identityDecider } from './identity.js';

const { decide, evolve, initialState } = identityDecider;
const identityId = 'idn_1';
const now = new Date('2026-03-01T12:00:00Z');
const ACTIVE: Identity = { ...initialState(), phase: 'active', identityHash: 'hash' };

const propose = (by: string): IdentityCommand => ({
  kind: 'erase_at_once',
  identityId,
  now,
  proposal: { proposalId: `by-${by}`, by },
});
const answer = (by: string, isApproved = true, proposalId = 'by-ann'): IdentityCommand => {
  const isAnother = (proposer: string): boolean => proposer !== by;
  return { kind: 'answer_erasure', identityId, now, proposalId, isApproved, isAnother };
};

const after = (state: Identity, ...commands: readonly IdentityCommand[]): Identity =>
  commands.reduce((present, command) => decide(command, present).reduce(evolve, present), state);
const proposed = (): Identity => after(ACTIVE, propose('ann'));

const refusalOf = (command: IdentityCommand, state: Identity): string | undefined => {
  try {
    decide(command, state);
  } catch (error) {
    return isRejection(error) ? error.code : 'another error';
  }
  return undefined;
};

describe('an erasure that needs two people', () => {
  it('is proposed, and approved by another alone', () => {
    expect(proposed()).toMatchObject({ phase: 'active', erasureProposal: { proposalId: 'by-ann', by: 'ann' } });
    expect(refusalOf(propose('bob'), proposed())).toBe('erasure_state');
    expect(refusalOf(answer('ann'), proposed())).toBe('forbidden');
    const [deleted] = decide(answer('bob'), proposed());
    expect(deleted).toMatchObject({ type: 'IdentityDeleted.v1', data: { atOnce: true, proposedBy: 'ann' } });
    for (const by of ['ann', 'bob'])
      for (const isApproved of [true, false])
        expect(refusalOf(answer(by, isApproved), after(proposed(), answer('bob')))).toBe('erasure_state');
    expect(refusalOf(answer('bob', true, 'another'), proposed())).toBe('erasure_state');
  });

  it('is kept by a rejection, the proposer’s too', () => {
    for (const by of ['ann', 'bob']) {
      const kept = after(proposed(), answer(by, false));
      expect(kept).toMatchObject({ phase: 'active', erasureProposal: null });
      expect(refusalOf(answer('bob'), kept)).toBe('erasure_state');
    }
  });

  it('is asked anew once the identity changes', () => {
    const record = { personal: { key: 'k' }, acceptedPosition: '1', recordIndex: 0, identityHash: 'hash' };
    const updated = { type: 'IdentityUpdated.v1', data: record } as unknown as IdentityEvent;
    const deleted = after(proposed(), { kind: 'delete', identityId, now });
    const restored = after(deleted, { kind: 'restore', identityId, now });
    for (const changed of [evolve(proposed(), updated), deleted, restored])
      expect([changed.phase, refusalOf(answer('bob'), changed)]).toEqual([changed.phase, 'erasure_state']);
  });
});
