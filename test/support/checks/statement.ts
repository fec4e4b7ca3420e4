import { type CreditEvent } from '../../../src/credits/domain/credits.events.js';
import { type Logged } from './log-reader.js';

export type End = 'open' | 'settled' | 'refunded';

/** A deduction of an effect, or the charge of a look-up. A charge counts as settled from the start. */
export interface Deduction {
  readonly deductionId: string;
  readonly requestId: string;
  readonly amount: number;
  readonly revision: bigint;
  readonly ends: readonly End[];
}

/** The content of a credits stream, added up without the service's own code. */
export interface Statement {
  readonly given: number;
  readonly deducted: number;
  readonly refunded: number;
  /** Credits given back for operations that were answered and failed later, by deduction. */
  readonly returned: ReadonlyMap<string, number>;
  readonly balance: number;
  /** The lowest balance that the account ever had. */
  readonly lowest: number;
  readonly deductions: ReadonlyMap<string, Deduction>;
  readonly references: readonly string[];
}

export const stated = (events: readonly Logged<CreditEvent>[]): Statement => {
  const deductions = new Map<string, Deduction & { ends: End[] }>();
  const references: string[] = [];
  const returned = new Map<string, number>();
  const sums = { given: 0, deducted: 0, refunded: 0, returned: 0 };
  const balance = (): number => sums.given - sums.deducted + sums.refunded + sums.returned;
  let lowest = 0;
  const expectBalance = (said: number): void => {
    if (said !== balance()) throw new Error(`an event says that ${said} are left, and ${balance()} are`);
  };
  const end = (deductionId: string, how: End): void => {
    const deduction = deductions.get(deductionId);
    if (deduction === undefined) throw new Error(`${deductionId} ended without having been deducted`);
    deduction.ends.push(how);
  };
  for (const { revision, ...stored } of events) {
    const event = stored as unknown as CreditEvent;
    switch (event.type) {
      case 'CreditsPurchased.v1':
      case 'CreditsRecharged.v1':
        sums.given += event.data.credits;
        references.push(event.data.reference);
        break;
      case 'CreditsAdjusted.v1':
        sums.given += event.data.amount;
        references.push(event.data.reference);
        break;
      case 'DebtPaid.v1':
        sums.given -= event.data.amount;
        break;
      case 'CreditsReversed.v1':
        sums.given -= event.data.taken;
        references.push(event.data.reference);
        break;
      case 'CreditsRestored.v1':
        sums.given += event.data.credits - event.data.debtCancelled;
        references.push(event.data.reference);
        break;
      case 'CreditsReturned.v1': {
        const { deductionId, amount, reference } = event.data;
        if (returned.has(deductionId)) throw new Error(`${deductionId} was given back twice`);
        returned.set(deductionId, amount);
        sums.returned += amount;
        references.push(reference);
        break;
      }
      case 'OperationCharged.v1': {
        const { chargeId, requestId, amount } = event.data;
        if (deductions.has(chargeId)) throw new Error(`${chargeId} was charged twice`);
        deductions.set(chargeId, { deductionId: chargeId, requestId, amount, revision, ends: ['settled'] });
        sums.deducted += amount;
        expectBalance(event.data.balance);
        break;
      }
      case 'ChargeReversed.v1': {
        const charge = deductions.get(event.data.chargeId);
        if (charge?.ends.join() !== 'settled')
          throw new Error(`${event.data.chargeId} was reversed without having been charged`);
        charge.ends = ['refunded'];
        sums.refunded += event.data.amount;
        expectBalance(event.data.balance);
        break;
      }
      case 'CreditsDeducted.v1': {
        const { deductionId, requestId, amount } = event.data;
        if (deductions.has(deductionId)) throw new Error(`${deductionId} was deducted twice`);
        deductions.set(deductionId, { deductionId, requestId, amount, revision, ends: [] });
        sums.deducted += amount;
        break;
      }
      case 'DeductionSettled.v1':
        end(event.data.deductionId, 'settled');
        break;
      case 'DeductionRefunded.v1':
        end(event.data.deductionId, 'refunded');
        sums.refunded += event.data.amount;
        break;
    }
    lowest = Math.min(lowest, balance());
  }
  return { ...sums, returned, balance: balance(), lowest, deductions, references };
};

/** Deductions that have not ended yet. */
export const openOf = ({ deductions }: Statement): Deduction[] =>
  [...deductions.values()].filter(({ ends }) => ends.length === 0);

/** The number of deductions by their end. Two ends of one deduction count as a separate kind. */
export const endsOf = ({ deductions }: Statement): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { ends } of deductions.values()) {
    const how = ends.length === 0 ? 'open' : ends.join('+');
    counts[how] = (counts[how] ?? 0) + 1;
  }
  return counts;
};
