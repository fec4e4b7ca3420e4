import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { PAYMENTS, type PurchaseRow, purchasesOf } from '../../projections/payments/payments.queries.js';
import { type Envelope } from '../kernel/envelope.js';
import { type Recorded } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { type CreditPackage } from '../kernel/pricing.js';
import { Unavailable } from '../kernel/unavailable.js';
import { ReadModels } from '../log/project/projection.js';
import { openIfPossible } from '../platform/crypto/open-if-possible.js';
import { Vault } from '../platform/crypto/vault.js';
import {
  LABELS_FIELD,
  type PaymentEvent,
  type PaymentOpened,
  type PaymentReceived,
  paymentStream,
} from './domain/payment.events.js';
import { type Payment } from './domain/payment-state.js';
import { type PurchaseState, type PurchaseStatus, purchaseStatusOf } from './domain/purchase-status.js';
import { type LoadedPayment, PaymentLedger } from './payment-ledger.js';
import { PaymentRefused, Payments } from './stripe/payments.js';

/** Milliseconds that a list waits for what this instance has just appended. */
const OWN_PURCHASES = 1_000;

const RECEIPTS_KEPT = 1_000;

/** A purchase of credits, as its stream has it. */
export interface Purchase {
  readonly purchaseId: string;
  readonly origin: 'checkout' | 'auto_recharge';
  readonly package: CreditPackage;
  readonly credits: number;
  readonly amountMinor: number;
  readonly refundedMinor: number;
  readonly status: PurchaseStatus;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: string;
  /** Null until it was paid. */
  readonly paymentIntentId: string | null;
}

export interface PurchasePage {
  readonly purchases: readonly Purchase[];
  /** `before` of the next page. Null at the end. */
  readonly next: string | null;
}

interface SealedLabels {
  readonly purchaseId: string;
  readonly eventId: string;
  readonly labels: Envelope | undefined;
}

const disputesOf = ({ disputes }: Payment): PurchaseState['disputes'] =>
  Object.values(disputes).map(({ state }) => state);

const isOpening = (event: Recorded<PaymentEvent>): event is Recorded<PaymentOpened> =>
  event.type === 'PaymentOpened.v1';

const isReceipt = (event: Recorded<PaymentEvent>): event is Recorded<PaymentReceived> =>
  event.type === 'PaymentReceived.v1';

/** What an account has bought, from the opened page to whatever became of the money. Throws Unavailable. */
@Injectable()
export class Purchases {
  /** Whoever polls a purchase does not ask the provider each time. */
  private readonly receipts = new LRUCache<string, string>({ max: RECEIPTS_KEPT });

  constructor(
    private readonly ledger: PaymentLedger,
    private readonly readModels: ReadModels,
    private readonly vault: Vault,
    private readonly payments: Payments,
  ) {}

  /** Newest first. */
  async page(tenantId: TenantId, limit: number, before: string | undefined): Promise<PurchasePage> {
    const { lastAppended } = this.ledger;
    if (lastAppended !== undefined) await this.readModels.waitFor(PAYMENTS, lastAppended, OWN_PURCHASES);
    const rows = await purchasesOf(this.readModels, tenantId, before, limit + 1);
    const shown = await Promise.all(rows.slice(0, limit).map((row) => this.listed(tenantId, row)));
    const next = rows.length > limit ? (rows[limit - 1]?.openedAt ?? null) : null;
    return { purchases: shown, next };
  }

  async find(tenantId: TenantId, purchaseId: string): Promise<Purchase | undefined> {
    return this.loaded(tenantId, await this.ledger.load(tenantId, purchaseId));
  }

  /** The provider's receipt. Null until it was paid, and while the provider does not answer. */
  async receiptOf({ paymentIntentId }: Purchase): Promise<string | null> {
    if (paymentIntentId === null) return null;
    const known = this.receipts.get(paymentIntentId);
    if (known !== undefined) return known;
    try {
      const receipt = await this.payments.receipt(paymentIntentId);
      if (receipt !== null) this.receipts.set(paymentIntentId, receipt);
      return receipt;
    } catch (error) {
      if (error instanceof Unavailable || error instanceof PaymentRefused) return null;
      throw error;
    }
  }

  private async listed(tenantId: TenantId, { purchaseId, opened, ...row }: PurchaseRow): Promise<Purchase> {
    const { eventId, labels, createdAt, ...purchase } = opened;
    const refundedMinor = Number(row.refundedMinor);
    const paidMinor = Number(row.paidMinor);
    const disputes = Object.values(row.disputes);
    return {
      ...purchase,
      refundedMinor,
      status: purchaseStatusOf({ ...row, isHeld: row.held, disputes, refundedMinor, paidMinor }),
      labels: await this.labelsOf(tenantId, { purchaseId, eventId, labels }),
      createdAt,
      paymentIntentId: row.paymentIntentId,
    };
  }

  /** Undefined for a stream that no purchase of credits began. */
  private async loaded(tenantId: TenantId, { state, events }: LoadedPayment): Promise<Purchase | undefined> {
    const opened = events.find(isOpening);
    if (opened === undefined) return undefined;
    const { purchaseId, origin, package: name, credits, amountMinor } = opened.data;
    return {
      purchaseId,
      origin,
      package: name,
      credits,
      amountMinor,
      refundedMinor: state.refundedMinor,
      status: purchaseStatusOf({ ...state, isHeld: state.held !== undefined, disputes: disputesOf(state) }),
      labels: await this.labelsOf(tenantId, { purchaseId, eventId: opened.id, labels: opened.data.labels }),
      createdAt: opened.metadata.time,
      paymentIntentId: events.find(isReceipt)?.data.paymentIntentId ?? null,
    };
  }

  private async labelsOf(
    tenantId: TenantId,
    { purchaseId, eventId, labels }: SealedLabels,
  ): Promise<Readonly<Record<string, string>>> {
    if (labels === undefined) return {};
    const place = { tenantId, stream: paymentStream(tenantId, purchaseId), eventId, field: LABELS_FIELD };
    return ((await openIfPossible(this.vault, place, labels)) ?? {}) as Record<string, string>;
  }
}
