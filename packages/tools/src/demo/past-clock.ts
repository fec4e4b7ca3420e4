/**
 * Loaded before the service by a demonstration of a month: its clock then runs as many days behind as its address says. Only `Date` is behind; timers and
 * the monotonic clock are as they are.
 */
const DAY = 86_400_000;
const behind = Number(new URL(import.meta.url).searchParams.get('days')) * DAY;
const Present = Date;

class Past extends Present {
  constructor(...args: readonly [] | ConstructorParameters<typeof Present>) {
    super(...((args.length === 0 ? [Present.now() - behind] : args) as [number]));
  }

  static override now(): number {
    return Present.now() - behind;
  }
}

globalThis.Date = Past as DateConstructor;
