import { type Caps, type KeyCap } from '../../kernel/charging.js';
import { OverlayMap } from '../../kernel/overlay-map.js';
import { refuse } from '../../kernel/rejection.js';
import { type CreditEvent } from './credits.events.js';

/** What the calls of a capped key spent. */
export interface SpentByKey {
  readonly credits: number;
  readonly isAnnounced: boolean;
}

/** Where the spending of a capped call counts. */
export interface Capped {
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  /** The key, and those that made it, by the ids under which they count. */
  readonly keyIds: readonly string[];
}

/** The spending of capped keys on one UTC day. A later day begins anew. */
export interface CappedSpending {
  /** '' before the first. */
  readonly day: string;
  readonly keys: OverlayMap<string, SpentByKey>;
  /** The day's deductions that count. A look-up's charge names its keys itself. */
  readonly deductions: OverlayMap<string, readonly string[]>;
}

export const spendingOn = (day: string): CappedSpending => ({
  day,
  keys: new OverlayMap(),
  deductions: new OverlayMap(),
});

export const draftOfSpending = ({ day, keys, deductions }: CappedSpending): CappedSpending => ({
  day,
  keys: keys.draft(),
  deductions: deductions.draft(),
});

const NOTHING: SpentByKey = { credits: 0, isAnnounced: false };

/** Another process may be past midnight already, and a clock may be set back. */
const dayOf = ({ day }: CappedSpending, today: string): string => (today > day ? today : day);

const spentBy = (spending: CappedSpending, keyId: string, today: string): SpentByKey =>
  dayOf(spending, today) === spending.day ? (spending.keys.get(keyId) ?? NOTHING) : NOTHING;

/** The first cap that such a call would exceed. */
export const exceededCap = (spending: CappedSpending, caps: Caps, amount: number, today: string): KeyCap | undefined =>
  caps?.find(({ countsAs, creditsPerDay }) => spentBy(spending, countsAs, today).credits + amount > creditsPerDay);

const DAY_MS = 86_400_000;

const dayAfter = (day: string): Date => new Date(Date.parse(day) + DAY_MS);

export const refuseBeyondCap = (spending: CappedSpending, caps: Caps, amount: number, today: string): void => {
  const exceeded = exceededCap(spending, caps, amount, today);
  if (exceeded === undefined) return;
  const { keyId, countsAs, creditsPerDay } = exceeded;
  const left = Math.max(0, creditsPerDay - spentBy(spending, countsAs, today).credits);
  throw refuse('key_cap_reached', {
    detail: `the key ${keyId} may spend ${creditsPerDay} credits a day; ${left} are left until midnight UTC`,
    retryAt: dayAfter(dayOf(spending, today)),
  });
};

export const cappedBy = (spending: CappedSpending, caps: Caps, today: string): { readonly capped?: Capped } =>
  caps === undefined || caps.length === 0
    ? {}
    : { capped: { day: dayOf(spending, today), keyIds: caps.map(({ countsAs }) => countsAs) } };

const moved = (spending: CappedSpending, keyIds: readonly string[], credits: number): CappedSpending => {
  for (const keyId of keyIds) {
    const before = spending.keys.get(keyId) ?? NOTHING;
    spending.keys.set(keyId, { ...before, credits: before.credits + credits });
  }
  return spending;
};

const atDay = (spending: CappedSpending, day: string): CappedSpending =>
  day > spending.day ? spendingOn(day) : spending;

export const spend = (
  spending: CappedSpending,
  { capped, amount, deductionId }: { readonly capped?: Capped; readonly amount: number; readonly deductionId?: string },
): CappedSpending => {
  if (capped === undefined) return spending;
  const present = atDay(spending, capped.day);
  if (present.day !== capped.day) return present;
  if (deductionId !== undefined) present.deductions.set(deductionId, capped.keyIds);
  return moved(present, capped.keyIds, amount);
};

/** What was spent on an earlier day gives nothing back to this one. */
export const giveBack = (
  spending: CappedSpending,
  { capped, amount, deductionId }: { readonly capped?: Capped; readonly amount: number; readonly deductionId: string },
): CappedSpending => {
  if (capped !== undefined) return capped.day === spending.day ? moved(spending, capped.keyIds, -amount) : spending;
  const keyIds = spending.deductions.get(deductionId);
  if (keyIds === undefined) return spending;
  spending.deductions.delete(deductionId);
  return moved(spending, keyIds, -amount);
};

/** The alert of a cap that kept a call from being made. One a key and day. */
export const announceCap = (spending: CappedSpending, caps: Caps, amount: number, today: string): CreditEvent[] => {
  const exceeded = exceededCap(spending, caps, amount, today);
  if (exceeded === undefined) return [];
  const { credits, isAnnounced } = spentBy(spending, exceeded.countsAs, today);
  if (isAnnounced) return [];
  return [{ type: 'KeyCapReached.v1', data: { ...exceeded, spent: credits, day: dayOf(spending, today) } }];
};

export const announced = (spending: CappedSpending, keyId: string, day: string): CappedSpending => {
  const present = atDay(spending, day);
  if (present.day === day) present.keys.set(keyId, { ...(present.keys.get(keyId) ?? NOTHING), isAnnounced: true });
  return present;
};

export interface CarriedSpending {
  readonly day: string;
  readonly keys: readonly (SpentByKey & { readonly keyId: string })[];
  readonly deductions: readonly { readonly deductionId: string; readonly keyIds: readonly string[] }[];
}

export const toCarried = ({ day, keys, deductions }: CappedSpending): CarriedSpending => ({
  day,
  keys: [...keys].map(([keyId, spent]) => ({ keyId, ...spent })),
  deductions: [...deductions].map(([deductionId, keyIds]) => ({ deductionId, keyIds })),
});

export const fromCarried = ({ day, keys, deductions }: CarriedSpending): CappedSpending => {
  const spending = spendingOn(day);
  for (const { keyId, credits, isAnnounced } of keys) spending.keys.set(keyId, { credits, isAnnounced });
  for (const { deductionId, keyIds } of deductions) spending.deductions.set(deductionId, keyIds);
  return spending;
};
