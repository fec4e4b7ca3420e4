import fc from 'fast-check';
import { eventsOf, givenFor, stateAfter } from '../../../test/support/given.js';
import { isRejection } from '../../kernel/rejection.js';
import { type ClaimsCommand } from './claims.commands.js';
import { CLAIM_PERIOD, claimsDecider, claimsSnapshots, type Grant } from './claims.js';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const DAY = 24 * 3_600_000;
const at = (days: number): Date => new Date(NOON + days * DAY);

const request = (claimId: string, day = 0, person = claimId): ClaimsCommand => ({
  kind: 'request',
  claimId,
  identityHash: person,
  purpose: 'onboarding',
  now: at(day),
});
const grantOf = (claimId: string, attestor = 't1', day = 1): Grant => ({
  claimId,
  attestorTenantId: attestor,
  attestedBy: 'A bank',
  identityId: 'idn_1',
  life: 'key-1',
  fields: ['tier'],
  grantedAt: at(day).toISOString(),
  expiresAt: at(day + 30).toISOString(),
});
const grant = (...parameters: Parameters<typeof grantOf>): ClaimsCommand => ({
  kind: 'grant',
  grant: grantOf(...parameters),
});
const lapse = (claimId: string, day: number): ClaimsCommand => ({ kind: 'lapse', claimId, now: at(day) });

const given = (...history: ClaimsCommand[]) => givenFor(claimsDecider)(...eventsOf(claimsDecider, history));
const many = (count: number): ClaimsCommand[] => Array.from({ length: count }, (_, number) => request(`c${number}`));

describe('requesting a claim', () => {
  it('runs for 30 days', () =>
    given()
      .when(request('c1'))
      .then({
        type: 'ClaimRequested.v1',
        data: {
          claimId: 'c1',
          identityHash: 'c1',
          purpose: 'onboarding',
          requestedAt: at(0).toISOString(),
          expiresAt: at(30).toISOString(),
        },
      }));

  it('is already done for a retry', () => given(request('c1')).when(request('c1', 1)).thenNothing());

  it('is refused for a person who was claimed less than 30 days ago, however that claim ended', () => {
    for (const history of [[], [grant('c1')]])
      given(request('c1', 0, 'maria'), ...history)
        .when(request('c2', 29.9, 'maria'))
        .thenRejected('claim_repeated');
  });

  it('may be made again after 30 days', () =>
    given(request('c1', 0, 'maria'))
      .when(request('c2', 30, 'maria'))
      .thenTypes('ClaimRequested.v1'));

  it('is refused while 20 claims are open', () => {
    given(...many(20))
      .when(request('one more'))
      .thenRejected('too_many_claims');
    given(...many(19))
      .when(request('one more'))
      .thenTypes('ClaimRequested.v1');
  });

  it('counts no claim as open that was approved, or has run out', () => {
    given(...many(20), grant('c7'))
      .when(request('one more'))
      .thenTypes('ClaimRequested.v1');
    given(...many(20))
      .when(request('one more', 30))
      .thenTypes('ClaimRequested.v1');
  });
});

describe('granting a claim', () => {
  it('counts once for each attestor', () => {
    given(request('c1'), grant('c1')).when(grant('c1')).thenNothing();
    given(request('c1'), grant('c1'))
      .when(grant('c1', 't2'))
      .then({ type: 'ClaimGranted.v1', data: grantOf('c1', 't2') });
  });

  it('holds though the claim has lapsed meanwhile', () =>
    given(request('c1'), lapse('c1', 30)).when(grant('c1')).thenTypes('ClaimGranted.v1'));

  it('of an unknown claim is nothing', () => given().when(grant('c1')).thenNothing());
});

describe('a claim that nobody approves', () => {
  it('lapses after 30 days, and once', () => {
    given(request('c1')).when(lapse('c1', 29.9)).thenNothing();
    given(request('c1')).when(lapse('c1', 30)).thenTypes('ClaimLapsed.v1');
    given(request('c1'), lapse('c1', 30)).when(lapse('c1', 31)).thenNothing();
  });

  it('does not lapse once it is approved', () => given(request('c1'), grant('c1')).when(lapse('c1', 30)).thenNothing());
});

describe('the state of all claims', () => {
  it('forgets what has ended, so that it stays small, and never what is still to end', () => {
    const history = [request('granted'), grant('granted'), request('lapsed'), lapse('lapsed', 30), request('open')];
    const state = stateAfter(claimsDecider, eventsOf(claimsDecider, [...history, request('late', 91)]));
    expect([...state.claims.keys()]).toEqual(['open', 'late']);
  });

  it('is the same from a snapshot', () => {
    const state = stateAfter(claimsDecider, eventsOf(claimsDecider, [request('c1'), grant('c1'), request('c2')]));
    const kept = JSON.parse(JSON.stringify(claimsSnapshots.encode(state))) as never;
    expect(claimsSnapshots.decode(kept, 'claims-t1')).toEqual(state);
  });

  it('never has more than 20 open claims, nor one person claimed twice in 30 days, whatever happens', () => {
    const anyCommand = fc.oneof(
      fc.tuple(fc.nat(60), fc.nat(25)).map(([claim, person]) => request(`c${claim}`, 0, `p${person}`)),
      fc.nat(60).map((claim) => grant(`c${claim}`)),
      fc.nat(60).map((claim) => lapse(`c${claim}`, 0)),
    );
    const steps = fc.array(fc.tuple(anyCommand, fc.nat(10)), { maxLength: 150 });
    fc.assert(
      fc.property(steps, (all) => {
        const state = claimsDecider.initialState();
        let day = 0;
        const requested: { person: string; at: number }[] = [];
        for (const [command, days] of all) {
          day += days;
          const now = at(day);
          try {
            const dated = 'now' in command ? { ...command, now } : command;
            for (const event of claimsDecider.decide(dated, state)) {
              claimsDecider.evolve(state, event);
              if (event.type !== 'ClaimRequested.v1') continue;
              const { identityHash: person } = event.data;
              expect(requested.some((one) => one.person === person && now.getTime() - one.at < CLAIM_PERIOD)).toBe(
                false,
              );
              requested.push({ person, at: now.getTime() });
            }
          } catch (error) {
            if (!isRejection(error)) throw error;
          }
          const open = [...state.claims.values()].filter(
            ({ lapsed, grants, expiresAt }) => !lapsed && grants.length === 0 && expiresAt > now.toISOString(),
          );
          expect(open.length).toBeLessThanOrEqual(20);
        }
      }),
    );
  });
});
