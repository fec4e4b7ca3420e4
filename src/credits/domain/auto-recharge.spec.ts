import {
  accountAfter,
  adjusted,
  carry,
  charge,
  deduct,
  given,
  metadata,
  purchased,
  rules,
  tenant,
} from '../../../test/support/credit-account.js';
import {
  ConfigureAutoRecharge,
  type CreditCommand,
  FailAutoRecharge,
  FollowSuspension,
  PurchaseCredits,
  ReverseCredits,
  ReviewAutoRecharge,
} from './credits.commands.js';
import { type AutoRechargeRequested, type CreditEvent } from './credits.events.js';
import { creditAccount } from './credits.js';

const configure = (data: Partial<ConfigureAutoRecharge['data']> = {}): ConfigureAutoRecharge =>
  new ConfigureAutoRecharge(tenant, { enabled: true, threshold: 100, package: 'small', ...data }, metadata);
const recharge = (reference: string): PurchaseCredits => {
  const data = { reference, package: 'small', credits: 1_000, amountMinor: 12_000, origin: 'auto_recharge' } as const;
  return new PurchaseCredits(tenant, data, metadata);
};
const fail = (purchaseId: string): FailAutoRecharge =>
  new FailAutoRecharge(tenant, { purchaseId, reason: 'declined' }, metadata);
const suspend = (suspended: boolean, accountRevision: number): FollowSuspension =>
  new FollowSuspension(tenant, { suspended, accountRevision }, metadata);
const review = new ReviewAutoRecharge(tenant, metadata);

const after = (history: readonly CreditEvent[], ...commands: CreditCommand[]): CreditEvent[] =>
  commands.reduce<CreditEvent[]>(
    (events, one) => [...events, ...rules.decide(one, accountAfter(events))],
    [...history],
  );
const requestsOf = (events: readonly CreditEvent[]): AutoRechargeRequested['data'][] =>
  events.flatMap((event) => (event.type === 'AutoRechargeRequested.v1' ? [event.data] : []));
const latest = (events: readonly CreditEvent[]): string => requestsOf(events).at(-1)?.purchaseId ?? '';

const enabled = after([purchased('p1', 150)], configure());

describe('auto-recharge', () => {
  it('is requested in the append of the deduction that goes below the threshold, and at the threshold not', () => {
    given(...enabled)
      .when(charge('c1', 50))
      .thenTypes('OperationCharged.v1');
    given(...enabled)
      .when(deduct('d1', 51))
      .thenTypes('CreditsDeducted.v1', 'AutoRechargeRequested.v1');
  });
  it('has one payment in flight, however many deductions follow', () => {
    const events = after(enabled, ...Array.from({ length: 150 }, (_, index) => charge(`c${index}`, 1)));
    expect(requestsOf(events)).toHaveLength(1);
  });
  it('begins at once where the balance is below already', () => {
    expect(requestsOf(after([purchased('p1', 50)], configure()))).toMatchObject([{ currentBalance: 50 }]);
    expect(requestsOf(after([], configure()))).toMatchObject([{ currentBalance: 0, day: '2026-11-27' }]);
  });
  it('is requested again for the next crossing, under another purchase id', () => {
    const once = after(enabled, charge('c1', 60));
    const twice = after(once, recharge(latest(once)), charge('c2', 1_000));
    expect(new Set(requestsOf(twice).map(({ purchaseId }) => purchaseId)).size).toBe(2);
  });
  it('is requested again at once where a purchase leaves the balance below', () => {
    const owing = after(
      [purchased('p1', 1_000)],
      charge('c1', 1_000),
      new ReverseCredits(tenant, { reference: 'r1', purchaseReference: 'p1', credits: 950 }, metadata),
      configure(),
    );
    const paid = after(owing, recharge(latest(owing)));
    expect(accountAfter(paid)).toMatchObject({ balance: 50, recharge: { inFlight: latest(paid), failures: 0 } });
    expect(requestsOf(paid)).toHaveLength(2);
  });
  it('is requested at most so often on one day, and again on the next', () => {
    let events = after([], configure({ maxPerDay: 3 }));
    for (let time = 1; time <= 3; time += 1)
      events = after(events, recharge(latest(events)), charge(`c${time}`, 1_000));
    expect(requestsOf(events).map(({ numberOfDay }) => numberOfDay)).toEqual([1, 2, 3]);
    expect(rules.decide(review, accountAfter(events))).toEqual([]);
    const nextDay = creditAccount.decide({ ...review, today: '2026-11-28' }, accountAfter(events));
    expect(nextDay).toMatchObject([{ data: { day: '2026-11-28', numberOfDay: 1 } }]);
    // A clock that is behind counts on the later day.
    const begun = [...events, ...nextDay];
    const again = rules.decide(recharge(latest(begun)), accountAfter(begun));
    expect(requestsOf(after([...begun, ...again], charge('last', 1_000)))).toContainEqual(
      expect.objectContaining({ day: '2026-11-28', numberOfDay: 2 }),
    );
  });
  it('goes on after a failure, and is switched off by the third in a row', () => {
    const first = after(enabled, charge('c1', 60));
    const second = after(first, fail(latest(first)));
    const third = after(second, fail(latest(first)), fail(latest(second)));
    expect(requestsOf(third)).toHaveLength(3);
    const off = after(third, fail(latest(third)));
    expect(off.slice(-2).map(({ type }) => type)).toEqual(['AutoRechargeFailed.v1', 'AutoRechargeSwitchedOff.v1']);
    const reportedEnabled = off.flatMap((event) =>
      event.type === 'AutoRechargeFailed.v1' ? [event.data.enabled] : [],
    );
    expect(reportedEnabled).toEqual([true, true, false]);
    expect(requestsOf(after(off, charge('c2', 1), review))).toHaveLength(3);
    expect(accountAfter(after(off, configure())).recharge).toMatchObject({ enabled: true, failures: 0 });
  });
  it('that its owner switched off meanwhile fails without another request, and says that it is off', () => {
    const inFlight = after(enabled, charge('c1', 60));
    const off = after(inFlight, new ConfigureAutoRecharge(tenant, { enabled: false }, metadata));
    const failed = after(off, fail(latest(inFlight)));
    expect(failed.slice(off.length)).toMatchObject([{ type: 'AutoRechargeFailed.v1', data: { enabled: false } }]);
  });
  it('forgets failures when a payment succeeds, and credits one that was believed failed', () => {
    const first = after(enabled, charge('c1', 60));
    const late = after(first, fail(latest(first)), recharge(latest(first)));
    expect(accountAfter(late)).toMatchObject({ balance: 1_090, recharge: { failures: 0 } });
    expect(accountAfter(late).recharge.inFlight).not.toBeNull();
  });
  it('does not begin while the account is suspended, and does when it is reinstated', () => {
    const suspended = after(enabled, suspend(true, 7), charge('c1', 60));
    expect(requestsOf(suspended)).toEqual([]);
    expect(after(suspended, suspend(false, 6))).toEqual(suspended);
    expect(requestsOf(after(suspended, suspend(false, 8)))).toHaveLength(1);
  });
  it('is switched off by a dispute, which does not request one itself', () => {
    const command = { reference: 'd1', purchaseReference: 'p1', credits: 150, dispute: true };
    const disputed = after(enabled, new ReverseCredits(tenant, command, metadata));
    expect(disputed.slice(enabled.length).map(({ type }) => type)).toEqual([
      'CreditsReversed.v1',
      'LowBalanceReached.v1',
      'AutoRechargeSwitchedOff.v1',
    ]);
  });
  it('keeps its state over a carry', () => {
    const requestedOnce = after(enabled, charge('c1', 60));
    const [forward] = rules.decide(carry('2026-12'), accountAfter(requestedOnce));
    expect(accountAfter([forward as CreditEvent]).recharge).toEqual(accountAfter(requestedOnce).recharge);
  });
});

describe('configuring auto-recharge', () => {
  it('needs a threshold and a package to be enabled', () => {
    const [nothing, noPackage] = [{ enabled: true }, { enabled: true, threshold: 5 }];
    given()
      .when(new ConfigureAutoRecharge(tenant, nothing, metadata))
      .thenRejected('invalid_field');
    given()
      .when(new ConfigureAutoRecharge(tenant, noPackage, metadata))
      .thenRejected('invalid_field');
  });
  it('takes a threshold from 1 to the credits of the package', () => {
    given()
      .when(configure({ threshold: 0 }))
      .thenRejected('invalid_field');
    given()
      .when(configure({ threshold: 1_001 }))
      .thenRejected('invalid_field');
    given(adjusted('a1', 1_000))
      .when(configure({ threshold: 1_000 }))
      .thenTypes('AutoRechargeConfigured.v1');
  });
  it('keeps what is not said, and changes nothing the second time', () => {
    const off = after(enabled, new ConfigureAutoRecharge(tenant, { enabled: false }, metadata));
    expect(accountAfter(off).recharge).toMatchObject({ enabled: false, threshold: 100, package: 'small' });
    given(...off)
      .when(new ConfigureAutoRecharge(tenant, { enabled: false }, metadata))
      .thenNothing();
  });
});
