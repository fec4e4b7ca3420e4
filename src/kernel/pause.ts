import { setTimeout } from 'node:timers/promises';

/** Waits that long, or until the signal aborts. Never rejects. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
