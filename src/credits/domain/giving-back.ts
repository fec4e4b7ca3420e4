import { invariant } from '../../kernel/invariant.js';
import { refuse } from '../../kernel/rejection.js';
import { isCredits } from './amounts.js';
import { type CreditAccount } from './credit-account.js';
import { type ReturnCredits } from './credits.commands.js';
import { returnReferenceOf, type CreditEvent } from './credits.events.js';
import { isCounted } from './references.js';

/** Whether the credits of a charge or a settled deduction came back: by its reversal, or since its work failed later. */
export const isGivenBack = (account: CreditAccount, deductionId: string): boolean =>
  account.reversals.has(deductionId) || account.references.has(returnReferenceOf(deductionId));

/** Ends the deduction too if it is not settled yet, so that it is not given back twice. */
export const returnCredits = ({ data, older }: ReturnCredits, account: CreditAccount): CreditEvent[] => {
  invariant(isCredits(data.amount) && data.amount > 0, 'a return gives credits back');
  const { deductionId, operation, amount, settledIn } = data;
  const reference = returnReferenceOf(deductionId);
  if (isCounted({ reference, amount }, account, older) || isGivenBack(account, deductionId)) return [];
  // What is not open may have been refunded: a search of the stream must have found it settled. A carry after the search makes it
  // out of date.
  if (!account.open.has(deductionId) && settledIn !== account.carriedFor) throw refuse('unavailable');
  return [{ type: 'CreditsReturned.v1', data: { reference, deductionId, operation, amount } }];
};
