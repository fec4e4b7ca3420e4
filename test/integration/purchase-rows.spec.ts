import { jest } from '@jest/globals';
import fc from 'fast-check';
import { payments } from '../../projections/payments/payments.projection.js';
import { type PaymentLedger } from '../../src/billing/payment-ledger.js';
import { Purchases } from '../../src/billing/purchases.js';
import { paymentDecider } from '../../src/billing/domain/payment.js';
import { type PaymentCommand } from '../../src/billing/domain/payment.commands.js';
import { LABELS_FIELD, type PaymentEvent, paymentStream } from '../../src/billing/domain/payment.events.js';
import { type Payment } from '../../src/billing/domain/payment-state.js';
import { type Recorded } from '../../src/kernel/events.js';
import { newTenantId, newUuid } from '../../src/kernel/ids.js';
import { isRejection } from '../../src/kernel/rejection.js';
import { createSlot, schemaOf } from '../../src/log/project/checkpoints.js';
import { type ReadModels, type Statement } from '../../src/log/project/projection.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';
import { LegibleVault } from '../support/accounts-world.js';
import { createServiceDatabase } from '../support/stack.js';
import { openSession } from './projections-histories.js';

jest.setTimeout(120_000);

let session: ProjectionSession;
const vault = new LegibleVault();
const tenantId = newTenantId();

beforeAll(async () => {
  session = await openSession(await createServiceDatabase(), [payments]);
});

afterAll(() => session.close());

const KINDS = ['pay', 'pay', 'fail', 'hold', 'release', 'refuse', 'refund', 'dispute', 'dispute'] as const;
const steps = fc.array(fc.record({ kind: fc.constantFrom(...KINDS), nth: fc.nat(2), choice: fc.nat(5) }), {
  minLength: 1,
  maxLength: 30,
});

type Step = typeof steps extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

const commandOf = ({ kind, choice }: Step, purchaseId: string, { purchase }: Payment): PaymentCommand => {
  const amountMinor = purchase?.amountMinor ?? 0;
  switch (kind) {
    case 'pay': {
      const paid = { ownMode: choice !== 1, paid: choice !== 2, currency: choice === 3 ? 'eur' : 'usd' };
      const by = { providerId: `evt_${choice}`, paymentIntentId: choice === 0 ? null : `pi_${choice}` };
      return { type: 'ReportPayment', purchaseId, amountMinor, ...paid, ...by };
    }
    case 'fail':
      return { type: 'ReportFailure', purchaseId, reason: 'declined' };
    case 'hold': {
      const amount = choice === 0 ? null : 100 * choice;
      const held = {
        reason: 'other_amount',
        amountMinor: amount,
        currency: 'usd',
        providerId: `evt_${choice}`,
      } as const;
      return { type: 'HoldPayment', purchaseId, ...held };
    }
    case 'release':
      return { type: 'ReleaseHeld', purchaseId };
    case 'refuse':
      return { type: 'RefuseHeld', purchaseId };
    case 'refund':
      return { type: 'ReportRefund', purchaseId, refundedMinor: Math.floor((amountMinor * choice) / 4) };
    case 'dispute': {
      const state = (['open', 'won', 'lost'] as const)[choice % 3] ?? 'open';
      return { type: 'ReportDispute', purchaseId, disputeId: `dp_${choice % 2}`, amountMinor, state };
    }
  }
};

/** Three purchases, and their events as the log has them. */
class Life {
  readonly log: Recorded<PaymentEvent>[] = [];
  readonly ids = [newUuid(), newUuid(), newUuid()];
  readonly states = new Map<string, Payment>();

  async open(): Promise<void> {
    for (const [index, purchaseId] of this.ids.entries()) {
      const id = newUuid();
      const place = { tenantId, stream: paymentStream(tenantId, purchaseId), eventId: id, field: LABELS_FIELD };
      const labels = vault.seal(await vault.tenantKey(tenantId), place, { order: String(index) });
      const opening = { type: 'OpenPayment', purchaseId, origin: 'checkout', package: 'small' } as const;
      this.decide(index === 0 ? opening : { ...opening, labels }, id);
    }
  }

  step(step: Step): void {
    const purchaseId = this.ids[step.nth] ?? '';
    this.decide(commandOf(step, purchaseId, this.stateOf(purchaseId)));
  }

  stateOf(purchaseId: string): Payment {
    return this.states.get(purchaseId) ?? paymentDecider.initialState();
  }

  private decide(command: PaymentCommand, firstId = newUuid()): void {
    try {
      const events = paymentDecider.decide(command, this.stateOf(command.purchaseId));
      for (const [index, event] of events.entries()) this.append(event, index === 0 ? firstId : newUuid());
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
  }

  private append(event: PaymentEvent, id: string): void {
    const { purchaseId } = event.data;
    this.states.set(purchaseId, paymentDecider.evolve(this.stateOf(purchaseId), event));
    const position = BigInt(this.log.length + 1);
    const time = new Date(Number(position)).toISOString();
    this.log.push({
      ...event,
      id,
      metadata: { $correlationId: 'r', actor: { type: 'system', id: 's' }, time, schemaVersion: 1 },
      stream: paymentStream(tenantId, purchaseId),
      ...{ revision: position, position, created: new Date(time) },
    });
  }
}

const inRows = <Result>(work: () => Promise<Result>): Promise<Result> =>
  session.transaction(schemaOf(payments, 'live'), work);

const purchasesIn = (life: Life): Purchases => {
  const ledger = {
    lastAppended: undefined,
    load: (_tenant: string, purchaseId: string) => {
      const events = life.log.filter(({ data }) => data.purchaseId === purchaseId);
      return Promise.resolve({ state: life.stateOf(purchaseId), events });
    },
  };
  const query = ({ text, values }: Statement) => inRows(() => session.query(text, values));
  return new Purchases(ledger as unknown as PaymentLedger, { query } as unknown as ReadModels, vault, {} as never);
};

it('a list of purchases shows each as its own stream does, and reads no stream', () =>
  fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const life = new Life();
      await life.open();
      for (const step of taken) life.step(step);
      await session.transaction('projections', () => createSlot(session, payments, 'live'));
      await inRows(async () => {
        for (const { text, values } of payments.project(life.log)) await session.query(text, values);
      });
      const purchases = purchasesIn(life);
      const alone = await Promise.all(life.ids.map((id) => purchases.find(tenantId, id)));
      const load = jest.fn(() => Promise.reject(new Error('a stream was read')));
      Object.assign((purchases as unknown as { ledger: object }).ledger, { load });
      const { purchases: listed } = await purchases.page(tenantId, 10, undefined);
      expect(listed).toEqual(alone.toReversed());
      expect(load).not.toHaveBeenCalled();
    }),
    { numRuns: 60 },
  ));
