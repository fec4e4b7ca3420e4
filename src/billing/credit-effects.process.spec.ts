import { accountAfter, metadata, tenant } from '../../test/support/credit-account.js';
import { ConfigureAutoRecharge } from '../credits/domain/credits.commands.js';
import { type CreditEvent } from '../credits/domain/credits.events.js';
import { creditAccount } from '../credits/domain/credits.js';
import { type Recorded } from '../kernel/events.js';
import { newUuid } from '../kernel/ids.js';
import { creditEffectOf } from './credit-effects.process.js';
import { type PaymentEvent, paymentStream } from './domain/payment.events.js';

const today = '2026-11-27';
const setting = { enabled: true, threshold: 100, package: 'small' } as const;

/** An account without credits, whose first recharge is in flight. */
const account = (): { readonly events: readonly CreditEvent[]; readonly inFlight: string } => {
  const configure = { ...new ConfigureAutoRecharge(tenant, setting, metadata), today };
  const events = creditAccount.decide(configure, creditAccount.initialState());
  return { events, inFlight: accountAfter(events).recharge.inFlight ?? '' };
};

const refused = (purchaseId: string): Recorded<PaymentEvent> => ({
  id: newUuid(),
  type: 'HeldPaymentRefused.v1',
  data: { purchaseId },
  metadata: { $correlationId: 'r', actor: { type: 'operator', id: 'o' }, time: '', schemaVersion: 1 },
  stream: paymentStream(tenant, purchaseId),
  revision: 2n,
  position: 2n,
  created: new Date(0),
});

const follow = (events: readonly CreditEvent[], event: Recorded<PaymentEvent>): readonly CreditEvent[] => {
  const effect = creditEffectOf(tenant, event);
  return effect === undefined ? [] : creditAccount.decide({ ...effect, today }, accountAfter(events));
};

describe('a held payment that an operator refuses', () => {
  it('ends the recharge that was in flight, which counts as a failure, so that the next can be asked for', () => {
    const { events, inFlight } = account();
    const after = follow(events, refused(inFlight));
    expect(after).toMatchObject([
      { type: 'AutoRechargeFailed.v1', data: { purchaseId: inFlight, reason: 'refused', failures: 1, enabled: true } },
      { type: 'AutoRechargeRequested.v1', data: { numberOfDay: 2 } },
    ]);
    expect(follow([...events, ...after], refused(inFlight))).toEqual([]);
  });

  it('changes nothing where it was another purchase', () => {
    const { events } = account();
    expect(follow(events, refused(newUuid()))).toEqual([]);
  });
});
