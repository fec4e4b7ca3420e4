import { type AccountEvent, ACCOUNT_STREAM_PREFIX } from '../accounts/domain/account.events.js';
import { type Account, accountDecider } from '../accounts/domain/account.js';
import { PAYMENT_STREAM_PREFIX, type PaymentEvent } from '../billing/domain/payment.events.js';
import { paymentDecider } from '../billing/domain/payment.js';
import { type Payment } from '../billing/domain/payment-state.js';
import { creditsCategory } from '../credits/domain/credits.category.js';
import { creditsStream } from '../credits/domain/credits.events.js';
import { type Recorded, tenantOfStream } from '../kernel/events.js';
import { type TenantId, tenantUuid } from '../kernel/ids.js';
import { type AggregateStore } from '../log/append/aggregate-store.js';
import { type EventStore } from '../platform/eventstore/event-store.js';
import { type Payments } from '../billing/stripe/payments.js';
import { type Queryable } from '../platform/postgres/database.js';

export interface ReconciliationContext {
  readonly store: EventStore;
  readonly aggregates: AggregateStore;
  /** Its search path leads to the live read models. */
  readonly database: Queryable;
  readonly payments: Payments;
}

export interface Reconciliation {
  /** One line each, which names what differs. */
  readonly differences: readonly string[];
  readonly payments: number;
  readonly invoices: number;
  readonly accounts: number;
}

interface LedgerPayment {
  readonly tenantId: TenantId;
  readonly purchaseId: string;
  readonly payment: Payment;
  readonly receivedAt: Date | undefined;
}

interface Ledger {
  /** By purchase id. */
  readonly payments: ReadonlyMap<string, LedgerPayment>;
  readonly accounts: ReadonlyMap<string, Account>;
}

/** Reads payments and subscriptions from the log, as they stand now. */
const readLedger = async (store: EventStore): Promise<Ledger> => {
  const payments = new Map<string, LedgerPayment>();
  const accounts = new Map<string, Account>();
  const streamPrefixes = [PAYMENT_STREAM_PREFIX, ACCOUNT_STREAM_PREFIX];
  for await (const events of store.readAll({ streamPrefixes }))
    for (const event of events) {
      if (event.stream.startsWith(PAYMENT_STREAM_PREFIX)) notePayment(payments, event as Recorded<PaymentEvent>);
      else noteAccount(accounts, event as Recorded<AccountEvent>);
    }
  return { payments, accounts };
};

const notePayment = (payments: Map<string, LedgerPayment>, event: Recorded<PaymentEvent>): void => {
  const { purchaseId } = event.data;
  const known = payments.get(purchaseId);
  payments.set(purchaseId, {
    tenantId: tenantOfStream(event.stream) as TenantId,
    purchaseId,
    payment: paymentDecider.evolve(known?.payment ?? paymentDecider.initialState(), event),
    receivedAt: event.type === 'PaymentReceived.v1' ? event.created : known?.receivedAt,
  });
};

const noteAccount = (accounts: Map<string, Account>, event: Recorded<AccountEvent>): void => {
  const tenantId = tenantOfStream(event.stream);
  const known = accounts.get(tenantId) ?? accountDecider.initialState();
  accounts.set(tenantId, accountDecider.evolve(known, event));
};

const standingOf = ({ status, held }: Payment): string => (held === undefined ? status : `held (${held.reason})`);

/** Milliseconds. A checkout stays open for a day, and the event that it was paid may come three days late. */
const LATE = 4 * 86_400_000;

/** What the provider has and the ledger has not, or otherwise. */
const againstPayments = async (
  provider: Payments,
  { payments }: Ledger,
  since: Date,
): Promise<{ readonly differences: string[]; readonly count: number }> => {
  const differences: string[] = [];
  const paid = new Set<string>();
  let count = 0;
  for await (const { payment: listed, refundedMinor } of provider.listPayments(
    new Date(Math.max(0, since.getTime() - LATE)),
  )) {
    count += 1;
    const { providerId, marks } = listed;
    const known = payments.get(marks.purchaseId ?? '');
    if (known === undefined) differences.push(`payment ${providerId}: paid at the provider, unknown to the ledger`);
    else if (known.payment.status !== 'received') {
      const standing = standingOf(known.payment);
      differences.push(`purchase ${known.purchaseId} (${providerId}): paid at the provider, ${standing} in the ledger`);
    } else if (known.payment.refundedMinor !== refundedMinor) {
      const { refundedMinor: noted } = known.payment;
      differences.push(
        `purchase ${known.purchaseId}: ${refundedMinor} refunded at the provider, ${noted} in the ledger`,
      );
    }
    paid.add(marks.purchaseId ?? '');
  }
  for (const { purchaseId, receivedAt } of payments.values()) {
    if (receivedAt === undefined || receivedAt < since || paid.has(purchaseId)) continue;
    differences.push(`purchase ${purchaseId}: received in the ledger, not paid at the provider`);
  }
  return { differences, count };
};

const againstInvoices = async (
  provider: Payments,
  { accounts }: Ledger,
  since: Date,
): Promise<{ readonly differences: string[]; readonly count: number }> => {
  const differences: string[] = [];
  let count = 0;
  for await (const { invoiceId, subscriptionId, marks } of provider.listPaidInvoices(since)) {
    count += 1;
    const billing = accounts.get(marks.tenantId ?? '')?.billing;
    const isKnown = billing?.subscription?.subscriptionId === subscriptionId || billing?.ended.includes(subscriptionId);
    if (isKnown !== true) differences.push(`invoice ${invoiceId} of ${subscriptionId}: paid, unknown to any account`);
  }
  return { differences, count };
};

/** Whether each payment's credits stand in the transactions, and the balances are those of the streams. */
const againstRows = async (
  { aggregates, database }: ReconciliationContext,
  { payments }: Ledger,
): Promise<{ readonly differences: string[]; readonly count: number }> => {
  const differences: string[] = [];
  const received = [...payments.values()].filter(({ payment }) => payment.status === 'received');
  const credits = aggregates.of(creditsCategory);
  const tenants = new Set(received.map(({ tenantId }) => tenantId));
  for (const tenantId of tenants) {
    const mine = received.filter((each) => each.tenantId === tenantId);
    const rows = await database.query<{ reference: string; amount: string }>(
      `SELECT reference, amount FROM credit_transactions
       WHERE tenant = $1 AND reference = ANY($2) AND type IN ('purchase', 'auto_recharge')`,
      [tenantUuid(tenantId), mine.map(({ purchaseId }) => purchaseId)],
    );
    const credited = new Map(rows.map(({ reference, amount }) => [reference, Number(amount)]));
    for (const { purchaseId, payment } of mine) {
      const [owed, given] = [payment.purchase?.credits, credited.get(purchaseId) ?? 0];
      if (owed !== given) differences.push(`purchase ${purchaseId}: ${owed} credits paid for, ${given} credited`);
    }
    const [row] = await database.query<{ balance: string }>('SELECT balance FROM balances WHERE tenant_id = $1', [
      tenantId,
    ]);
    const { balance } = (await credits.load(creditsStream(tenantId))).state;
    const shown = Number(row?.balance ?? 0);
    if (shown !== balance)
      differences.push(`account ${tenantId}: balance ${balance} in the log, ${shown} in the table`);
  }
  return { differences, count: tenants.size };
};

/** Compares what the provider was paid with the ledger, and the ledger with its tables. */
export const reconcile = async (context: ReconciliationContext, since: Date): Promise<Reconciliation> => {
  const ledger = await readLedger(context.store);
  const payments = await againstPayments(context.payments, ledger, since);
  const invoices = await againstInvoices(context.payments, ledger, since);
  const rows = await againstRows(context, ledger);
  return {
    differences: [...payments.differences, ...invoices.differences, ...rows.differences],
    payments: payments.count,
    invoices: invoices.count,
    accounts: rows.count,
  };
};
