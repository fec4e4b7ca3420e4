import { newTenantId, newUuid } from '../kernel/ids.js';
import { type StoredEvent } from '../kernel/events.js';
import { type Mailer, type Notice } from '../kernel/mail.js';
import { type Config } from '../platform/config/config.js';
import { type Checkouts } from './checkouts.js';
import { paymentDecider } from './domain/payment.js';
import { paymentStream } from './domain/payment.events.js';
import { type PaymentLedger } from './payment-ledger.js';
import { PaymentMailReactor } from './payment-mail.reactor.js';

const tenantId = newTenantId();

/** A recharge's failure at this time. */
const failed = (time: string, reason = 'authentication_required'): StoredEvent => {
  const purchaseId = newUuid();
  const origin = 'auto_recharge';
  return {
    id: newUuid(),
    type: 'PaymentFailed.v1',
    data: { purchaseId, origin, package: 'small', amountMinor: 12_000, reason },
    metadata: { $correlationId: 'r', actor: { type: 'system', id: 's' }, time, schemaVersion: 1 },
    stream: paymentStream(tenantId, purchaseId),
    revision: 1n,
    position: 1n,
    created: new Date(time),
  };
};

/** A reactor with the purchases that were opened, those that are paid, and the mail that is noted, once for an id. */
const world = () => {
  const opened: string[] = [];
  const paid = new Set<string>();
  const mail = new Map<string, Notice>();
  const checkouts: Pick<Checkouts, 'credits'> = {
    credits: (_tenant, purchaseId) => {
      opened.push(purchaseId);
      return Promise.resolve(`https://pay/${purchaseId}`);
    },
  };
  const ledger: Pick<PaymentLedger, 'read'> = {
    read: (_tenant, purchaseId) =>
      Promise.resolve({ ...paymentDecider.initialState(), status: paid.has(purchaseId) ? 'received' : 'open' }),
  };
  const mailer: Mailer = {
    notify: (notice) => Promise.resolve(void (mail.has(notice.id) ? undefined : mail.set(notice.id, notice))),
  };
  const config: Pick<Config, 'publicUrl'> = { publicUrl: 'https://kyc.example.org' };
  const reactor = new PaymentMailReactor(checkouts as Checkouts, ledger as PaymentLedger, mailer, config as Config);
  return { reactor, opened, paid, mail };
};

describe('a recharge for which the bank wants the person', () => {
  it('mails one page for failures that follow quickly, however often each is told', async () => {
    const { reactor, opened, mail } = world();
    const three = ['10:00:00.000Z', '10:00:01.000Z', '10:00:02.000Z'].map((at) => failed(`2026-11-27T${at}`));
    for (const event of [...three, ...three]) await reactor.handle(event);
    expect([new Set(opened).size, mail.size]).toEqual([1, 1]);
    expect([...mail.values()][0]?.text).toContain(`https://pay/${opened[0]}`);
  });

  it('mails another page once that one is paid, and on another day', async () => {
    const { reactor, opened, paid, mail } = world();
    await reactor.handle(failed('2026-11-27T10:00:00.000Z'));
    paid.add(opened[0] ?? '');
    await reactor.handle(failed('2026-11-27T11:00:00.000Z'));
    await reactor.handle(failed('2026-11-28T10:00:00.000Z'));
    expect([new Set(opened).size, mail.size]).toEqual([3, 3]);
  });

  it('and no other failure mails a page', async () => {
    const { reactor, opened, mail } = world();
    await reactor.handle(failed('2026-11-27T10:00:00.000Z', 'card_declined'));
    expect([opened, mail.size]).toEqual([[], 0]);
  });
});
