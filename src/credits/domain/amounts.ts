/** Highest balance. Credits are safe integers (docs/contract.md, Credits). */
export const MAXIMUM_BALANCE = 1_000_000_000_000;

export const isCredits = (amount: number): boolean =>
  Number.isSafeInteger(amount) && Math.abs(amount) <= MAXIMUM_BALANCE;
