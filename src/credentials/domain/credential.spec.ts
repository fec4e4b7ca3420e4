import fc from 'fast-check';
import { eventsOf, givenFor, stateAfter } from '../../../test/support/given.js';
import { type Decider } from '../../kernel/decider.js';
import { type Recorded } from '../../kernel/events.js';
import { isRejection } from '../../kernel/rejection.js';
import { type CredentialChange, type CredentialCommand } from './credential.commands.js';
import { type CredentialEvent, type CredentialIssued } from './credential.events.js';
import { type Credential, credentialDecider, statusOf } from './credential.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');

const issued: CredentialIssued['data'] = {
  credentialId: '99999999-9999-4999-8999-999999999991',
  identityId: 'idn_00000000000000000000000000000001',
  identityHash: 'ab'.repeat(32),
  tier: 'Tier2',
  kid: 'key-1',
  issuedAt: NOW.toISOString(),
  expiresAt: '2027-03-01T12:00:00.000Z',
  status: { list: 1, index: 7 },
  token: { v: 1, alg: 'A256GCM', key: 'key-1', iv: 'iv', ct: 'ct' },
};

const rules: Decider<Credential, CredentialCommand, CredentialEvent> = {
  initialState: () => credentialDecider.initialState(''),
  decide: credentialDecider.decide,
  evolve: (state, event) => credentialDecider.evolve(state, { ...event, id: 'an-event' } as Recorded<CredentialEvent>),
};
const given = givenFor(rules);

const issue: CredentialCommand = { kind: 'issue', issued, now: NOW };
const change = (kind: CredentialChange['kind'], cause: string): CredentialChange =>
  ({ kind, cause, now: NOW, reason: null }) as CredentialChange;
const [suspend, reinstate, revoke] = [
  change('suspend', 'issuer'),
  change('reinstate', 'issuer'),
  change('revoke', 'issuer'),
];
const [hold, release, erase] = [
  change('suspend', 'identity_deleted'),
  change('reinstate', 'identity_deleted'),
  change('revoke', 'identity_erased'),
];
const after = (...commands: CredentialCommand[]): CredentialEvent[] => eventsOf(rules, [issue, ...commands]);

const withdraw: CredentialCommand = { kind: 'withdraw', credentialId: issued.credentialId, now: NOW };

describe('a credential whose credits went back', () => {
  it('is revoked, whoever revoked it before', () => {
    for (const history of [after(), after(suspend), after(revoke)]) {
      const state = stateAfter(rules, [...history, ...rules.decide(withdraw, stateAfter(rules, history))]);
      expect([statusOf(state), state.revokedBy]).toEqual(['revoked', 'unpaid']);
      expect(rules.decide(withdraw, state)).toEqual([]);
    }
  });

  it('is never issued where it was not yet', () => {
    given()
      .when(withdraw)
      .then({ type: 'CredentialWithdrawn.v1', data: { credentialId: issued.credentialId } });
    const withdrawn = rules.decide(withdraw, rules.initialState());
    given(...withdrawn)
      .when(withdraw)
      .thenNothing();
    given(...withdrawn)
      .when(issue)
      .thenRejected('timeout');
  });
});

describe('a credential', () => {
  it('is issued once, and unknown before', () => {
    given().when(issue).then({ type: 'CredentialIssued.v1', data: issued });
    given(...after())
      .when({ kind: 'issue', issued: { ...issued, kid: 'key-2' }, now: NOW })
      .thenNothing();
    for (const command of [suspend, reinstate, revoke, hold, release, erase])
      given().when(command).thenRejected('not_found');
  });

  it('is suspended and reinstated by its issuer, and says the place of its bits with every change', () => {
    given(...after())
      .when(suspend)
      .then({
        type: 'CredentialSuspended.v1',
        data: {
          credentialId: issued.credentialId,
          status: { list: 1, index: 7 },
          reason: null,
          changedAt: NOW.toISOString(),
          cause: 'issuer',
        },
      });
    given(...after(suspend))
      .when(suspend)
      .thenNothing();
    given(...after(suspend))
      .when(reinstate)
      .thenTypes('CredentialReinstated.v1');
    given(...after())
      .when(reinstate)
      .thenRejected('credential_not_suspended');
  });

  it('is suspended by its issuer a hundred times at most, and is revoked or followed with its identity even then', () => {
    const often = after(...Array.from({ length: 100 }, () => [suspend, reinstate]).flat());
    given(...often)
      .when(suspend)
      .thenRejected('credential_suspended_too_often');
    given(...often)
      .when(hold)
      .thenTypes('CredentialSuspended.v1');
    given(...often)
      .when(revoke)
      .thenTypes('CredentialRevoked.v1');
  });

  it('once revoked stays revoked, and nothing that becomes of the identity is an error', () => {
    given(...after(revoke))
      .when(revoke)
      .thenNothing();
    given(...after(revoke))
      .when(suspend)
      .thenRejected('credential_revoked');
    given(...after(suspend, revoke))
      .when(reinstate)
      .thenRejected('credential_revoked');
    for (const command of [hold, release, erase])
      given(...after(hold, revoke))
        .when(command)
        .thenNothing();
  });

  it('stays suspended while either its issuer or the deletion of the identity suspends it', () => {
    expect(statusOf(stateAfter(rules, after(suspend, hold, release)))).toBe('suspended');
    expect(statusOf(stateAfter(rules, after(hold, suspend, reinstate)))).toBe('suspended');
    expect(statusOf(stateAfter(rules, after(hold, suspend, reinstate, release)))).toBe('issued');
    given(...after(hold))
      .when(reinstate)
      .thenRejected('identity_deleted');
  });

  it('has the status that a model of its history gives, whatever is asked of it', () => {
    const anyCommand = fc.constantFrom(suspend, reinstate, revoke, hold, release, erase);
    fc.assert(
      fc.property(fc.array(anyCommand, { maxLength: 20 }), (commands) => {
        const [held, model] = [new Set<string>(), { revoked: false }];
        let events = after();
        for (const command of commands) {
          try {
            events = [...events, ...rules.decide(command, stateAfter(rules, events))];
          } catch (error) {
            expect(isRejection(error)).toBe(true);
            continue;
          }
          if (command.kind === 'revoke') model.revoked = true;
          if (model.revoked) continue;
          if (command.kind === 'suspend') held.add(command.cause);
          else held.delete(command.cause);
        }
        const expected = model.revoked ? 'revoked' : held.size > 0 ? 'suspended' : 'issued';
        expect(statusOf(stateAfter(rules, events))).toBe(expected);
      }),
    );
  });
});
