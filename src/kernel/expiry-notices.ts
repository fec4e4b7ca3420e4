/** The owner is notified twice before something expires. */
export type ExpiryNotice = 'first' | 'last';

/** How long before the expiry each notice goes out, days. */
export interface NoticeDays {
  readonly first: number;
  readonly last: number;
}

export const daysBefore = (notice: ExpiryNotice, { first, last }: NoticeDays): number =>
  notice === 'last' ? last : first;

const DAY = 86_400_000;

/** The latest expiry of which this notice is due. */
export const noticedUntil = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY);

export interface Expiring {
  /** ISO 8601, UTC, milliseconds. */
  readonly expiresAt: string;
  /** The latest notice so far. */
  readonly noticed: ExpiryNotice | null;
}

/** Whether this notice goes out now. After the last one none does, and none of what has expired. */
export const isNoticeDue = (
  { expiresAt, noticed }: Expiring,
  notice: ExpiryNotice,
  { days, now }: { readonly days: number; readonly now: Date },
): boolean =>
  noticed !== 'last' &&
  noticed !== notice &&
  now.toISOString() < expiresAt &&
  expiresAt <= noticedUntil(now, days).toISOString();

/** Whole days from a notice to the expiry, begun ones included. */
export const daysLeft = (expiresAt: string, noticedAt: string): number =>
  Math.ceil((Date.parse(expiresAt) - Date.parse(noticedAt)) / DAY);
