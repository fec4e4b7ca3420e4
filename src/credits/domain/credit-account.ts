import { type BillableOperation } from '../../kernel/contract.js';
import { type OverlayMap } from '../../kernel/overlay-map.js';
import { type CappedSpending } from './key-caps.js';
import { type Alerts, type AutoRecharge, type Referenced } from './credits.events.js';

export interface OpenDeduction {
  readonly operation: BillableOperation;
  /** Credits. */
  readonly amount: number;
}

export interface CreditAccount {
  /** Credits that may be spent. Open deductions are already subtracted. */
  readonly balance: number;
  readonly open: OverlayMap<string, OpenDeduction>;
  /** References of purchases, reversals, adjustments and returns. */
  readonly references: OverlayMap<string, Referenced>;
  /** Whether older references are left out. */
  readonly referencesForgotten: boolean;
  /** Reversed charges, each with the time of the charge. */
  readonly reversals: OverlayMap<string, string>;
  /** A charge from before this time may have a forgotten reversal. '' if none is forgotten. */
  readonly reversalsSince: string;
  /** The latest month for which it was carried forward. Null before the first. */
  readonly carriedFor: string | null;
  /** Credits owed from reversals that the balance did not cover. The next purchase pays them. */
  readonly debt: number;
  readonly alerts: Alerts;
  readonly recharge: AutoRecharge;
  readonly spending: CappedSpending;
}
