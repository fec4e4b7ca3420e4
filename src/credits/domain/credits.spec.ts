import {
  access,
  accountAfter,
  adjust,
  adjusted,
  carry,
  metadata,
  charge,
  charged,
  deduct,
  deducted,
  given,
  purchase,
  purchased,
  refund,
  refunded,
  reverse,
  reversed,
  rules,
  settle,
  settled,
  tenant,
} from '../../../test/support/credit-account.js';
import { ConfirmFunds, ConfirmState, ChargeOperation } from './credits.commands.js';
import { type CreditEvent } from './credits.events.js';
import { MAXIMUM_BALANCE } from './amounts.js';
import { newAutoRecharge } from './auto-recharge.js';
import { MAX_CARRIED } from './carrying.js';

describe('purchasing credits', () => {
  it('credits a purchase', () => given().when(purchase('p1', 1_000)).then(purchased('p1', 1_000)));
  it('credits a purchase once, however often it is announced', () =>
    given(purchased('p1', 1_000)).when(purchase('p1', 1_000)).thenNothing());
  it('credits a purchase once even when the credits are spent by then', () =>
    given(purchased('p1', 5), deducted('d1', 5), settled('d1')).when(purchase('p1', 5)).thenNothing());
  it('refuses the same reference for another amount', () =>
    given(purchased('p1', 1_000)).when(purchase('p1', 10_000)).thenRejected('reference_reused'));
  it('never lets a balance exceed its maximum', () =>
    given(purchased('p1', MAXIMUM_BALANCE)).when(purchase('p2', 1)).thenRejected('balance_limit_exceeded'));
  it('takes a purchase for a bug when it brings nothing', () =>
    expect(() => rules.decide(purchase('p1', 0), accountAfter([]))).toThrow('invariant'));
});

describe('adjusting credits', () => {
  it('adds and takes', () => {
    given().when(adjust('a1', 7)).then(adjusted('a1', 7));
    given(adjusted('a1', 7)).when(adjust('a2', -1)).then(adjusted('a2', -1));
  });
  it('never goes below zero', () =>
    given(adjusted('a1', 7)).when(adjust('a2', -8)).thenRejected('adjustment_below_zero'));
  it('cannot take what an open deduction holds', () =>
    given(adjusted('a1', 7), deducted('d1', 3)).when(adjust('a2', -5)).thenRejected('adjustment_below_zero'));
  it('is applied once', () => given(adjusted('a1', 7)).when(adjust('a1', 7)).thenNothing());
  it('refuses a reference that moved another amount', () =>
    given(adjusted('a1', 7)).when(adjust('a1', 8)).thenRejected('reference_reused'));
});

describe('deducting credits', () => {
  it('takes the cost', () => given(purchased('p', 5)).when(deduct('d1', 3)).then(deducted('d1', 3)));
  it('never takes more than the balance', () =>
    given(purchased('p', 5)).when(deduct('d1', 6)).thenRejected('insufficient_credits'));
  it('says so when nothing is left', () =>
    given(purchased('p', 5), deducted('d1', 5)).when(deduct('d2', 1)).thenRejected('credits_depleted'));
  it('treats a retry as already done', () =>
    given(purchased('p', 5), deducted('d1', 3)).when(deduct('d1', 3)).thenNothing());
  it('treats a retry as already done when nothing is left', () =>
    given(purchased('p', 3), deducted('d1', 3)).when(deduct('d1', 3)).thenNothing());
  it('refuses an id that holds another amount', () =>
    given(purchased('p', 5), deducted('d1', 3)).when(deduct('d1', 2)).thenRejected('deduction_id_reused'));
});

describe('ending a deduction', () => {
  const open = [purchased('p', 5), deducted('d1', 3)];
  it('settles what is open', () =>
    given(...open)
      .when(settle('d1'))
      .then(settled('d1')));
  it('refunds what is open, in full', () =>
    given(...open)
      .when(refund('d1'))
      .then(refunded('d1', 3)));
  it('never settles what was refunded', () =>
    given(...open, refunded('d1', 3))
      .when(settle('d1'))
      .thenNothing());
  it('never refunds what was settled', () =>
    given(...open, settled('d1'))
      .when(refund('d1'))
      .thenNothing());
  it('never refunds twice', () =>
    given(...open, refunded('d1', 3))
      .when(refund('d1'))
      .thenNothing());
  it('never refunds what was never deducted', () =>
    given(...open)
      .when(refund('d2'))
      .thenNothing());
});

describe('charging a look-up', () => {
  it('takes the cost and tells the balance after it', () =>
    given(purchased('p', 5))
      .when(charge('c1', 2))
      .then(charged('c1', 2, 3)));
  it('never takes more than the balance', () =>
    given(purchased('p', 5), charged('c1', 3, 2))
      .when(charge('c2', 3))
      .thenRejected('insufficient_credits'));
  it('says so when nothing is left', () =>
    given(purchased('p', 5), charged('c1', 5, 0))
      .when(charge('c2', 1))
      .thenRejected('credits_depleted'));
  it('keeps what later events need of it', () => {
    const { tenantId, data } = charge('c1', 2);
    const command = new ChargeOperation(tenantId, { ...data, record: access }, metadata);
    const event = charged('c1', 2, 3);
    given(purchased('p', 5))
      .when(command)
      .then({ ...event, data: { ...event.data, record: access } } as CreditEvent);
  });
  it('cannot take what an open deduction holds', () =>
    given(purchased('p', 5), deducted('d1', 4)).when(charge('c1', 2)).thenRejected('insufficient_credits'));
});

describe('reversing a charge', () => {
  it('gives it back in full', () =>
    given(purchased('p', 5), charged('c1', 2, 3))
      .when(reverse('c1', 2))
      .then(reversed('c1', 2, 5)));
  it('counts once, whoever reverses', () =>
    given(purchased('p', 5), charged('c1', 2, 3), reversed('c1', 2, 5))
      .when(reverse('c1', 2))
      .thenNothing());
  it('counts once for a reader that begins with a balance carried forward', () => {
    const history = [purchased('p', 5), charged('c1', 2, 3), reversed('c1', 2, 5)];
    const [forward] = rules.decide(carry('2026-12'), accountAfter(history));
    given(forward as CreditEvent)
      .when(reverse('c1', 2))
      .thenNothing();
  });

  describe('that is older than the account remembers', () => {
    const old = { chargedAt: '2026-11-23T23:59:59.999Z' };
    const history = [purchased('p', 5), charged('c1', 2, 3)];
    const forwardAfter = (...events: CreditEvent[]): CreditEvent =>
      rules.decide(carry('2026-12'), accountAfter(events))[0] as CreditEvent;
    const searched = { ...old, searchedIn: '2026-12' };

    it('waits for a search of the stream, and counts once after it', () => {
      const forward = forwardAfter(...history);
      given(forward)
        .when(reverse('c1', 2, old))
        .thenNothing();
      given(forward)
        .when(reverse('c1', 2, searched))
        .then(reversed('c1', 2, 5, old));
      given(forward, reversed('c1', 2, 5, old))
        .when(reverse('c1', 2, searched))
        .thenNothing();
    });
    it('waits for another search where the account was carried forward since', () => {
      const [again] = rules.decide(
        carry('2027-01'),
        accountAfter([forwardAfter(...history), reversed('c1', 2, 5, old)]),
      );
      given(again as CreditEvent)
        .when(reverse('c1', 2, searched))
        .thenNothing();
    });
    it('is forgotten for good, also by a clock that is set back', () => {
      const first = forwardAfter(...history, reversed('c1', 2, 5, old));
      const events = rules.decide(carry('2027-01', '2026-06-01T00:00:00.000Z'), accountAfter([first]));
      expect(events).toMatchObject([{ data: { reversals: { since: '2026-11-24T00:00:00.000Z', charges: [] } } }]);
      given(...events)
        .when(reverse('c1', 2, old))
        .thenNothing();
    });
  });
});

describe('confirming funds', () => {
  it('changes nothing', () =>
    given(purchased('p', 5))
      .when(new ConfirmFunds(tenant, { amount: 5 }, metadata))
      .thenNothing());
  it('refuses what the balance does not cover', () => {
    given(purchased('p', 5))
      .when(new ConfirmFunds(tenant, { amount: 6 }, metadata))
      .thenRejected('insufficient_credits');
    given()
      .when(new ConfirmFunds(tenant, { amount: 1 }, metadata))
      .thenRejected('credits_depleted');
  });
});

describe('reading the state', () => {
  it('changes nothing', () => given(purchased('p', 5)).when(new ConfirmState(tenant, metadata)).thenNothing());
});

describe('carrying the balance forward', () => {
  const history = [purchased('p1', 1_000), adjusted('a1', -10), deducted('d1', 1), deducted('d2', 5), settled('d1')];
  const forward: CreditEvent = {
    type: 'BalanceCarriedForward.v1',
    data: {
      spending: { day: '', keys: [], deductions: [] },
      period: '2026-12',
      balance: 984,
      open: [{ deductionId: 'd2', operation: 'check_eligibility', amount: 5 }],
      references: [
        { reference: 'p1', kind: 'purchase', amount: 1_000, reversed: 0, carriedAt: '2026-12-01T00:00:00.000Z' },
        { reference: 'a1', kind: 'adjustment', amount: -10, carriedAt: '2026-12-01T00:00:00.000Z' },
      ],
      referencesForgotten: false,
      reversals: { since: '2026-11-24T00:00:00.000Z', charges: [] },
      debt: 0,
      alerts: { percentages: [20, 5, 0], base: 1_000, reached: 101, accountRevision: -1 },
      recharge: newAutoRecharge(),
    },
  };

  it('writes the whole account down', () =>
    given(...history)
      .when(carry('2026-12'))
      .then(forward));
  it('does so once a month, and never for a month that is behind', () => {
    given(...history, forward)
      .when(carry('2026-12'))
      .thenNothing();
    given(...history, forward)
      .when(carry('2026-11'))
      .thenNothing();
  });
  it('is what a reader may begin with: purchases stay known, and what is open can end', () => {
    given(forward).when(purchase('p1', 1_000)).thenNothing();
    given(forward).when(refund('d2')).then(refunded('d2', 5));
    given(forward).when(deduct('d3', 985)).thenRejected('insufficient_credits');
  });
  it('counts for nothing what a reader saw of earlier events', () => {
    given(purchased('left over', 5), deducted('d9', 2), forward).when(refund('d9')).thenNothing();
  });
  it('names the reversals of charges that are younger than seven days', () => {
    const charges = ['2026-11-23T23:59:59.999Z', '2026-11-24T00:00:00.000Z', '2026-11-30T10:00:00.000Z'];
    const events = charges.map((chargedAt) => reversed(`of ${chargedAt}`, 1, 1, { chargedAt }));
    expect(rules.decide(carry('2026-12'), accountAfter(events))).toMatchObject([
      { data: { references: [], reversals: { charges: charges.slice(1).map((chargedAt) => ({ chargedAt })) } } },
    ]);
  });
  it('goes on whatever number of reversals there were in an account’s life', () => {
    const old = { chargedAt: '2026-11-01T00:00:00.000Z' };
    const many = Array.from({ length: MAX_CARRIED + 1 }, (_, index) => reversed(`c${index}`, 1, index + 1, old));
    expect(rules.decide(carry('2026-12'), accountAfter(many))).toHaveLength(1);
  });
  it('leaves alone an account too large for an append', () => {
    const large = Array.from({ length: MAX_CARRIED + 1 }, (_, index) => purchased(`p${index}`, 1));
    given(...large)
      .when(carry('2026-12'))
      .thenNothing();
  });
});
