import { invariant } from '../../kernel/invariant.js';
import { refuse } from '../../kernel/rejection.js';
import { isCredits, MAXIMUM_BALANCE } from './amounts.js';
import { dueRecharge, withoutPendingPurchase } from './auto-recharge.js';
import { type PurchaseCredits, type RestoreCredits, type ReverseCredits } from './credits.commands.js';
import { type CreditEvent, type CreditsReversed } from './credits.events.js';
import { type CreditAccount } from './credit-account.js';
import { withLowBalanceEffects } from './low-balance.js';
import { find, isCounted } from './references.js';

type Dated<Command> = Command & { readonly today: string };

export const purchase = (
  { tenantId, data, older, today }: Dated<PurchaseCredits>,
  account: CreditAccount,
): CreditEvent[] => {
  invariant(isCredits(data.credits) && data.credits > 0, 'a purchase brings credits');
  const { reference, credits, origin } = data;
  // The payment provider may announce a purchase repeatedly.
  if (isCounted({ reference, amount: credits }, account, older)) return [];
  if (account.balance + credits > MAXIMUM_BALANCE) throw refuse('balance_limit_exceeded');
  const events: CreditEvent[] = [
    {
      type: origin === 'checkout' ? 'CreditsPurchased.v1' : 'CreditsRecharged.v1',
      data: { reference, package: data.package, credits, amountMinor: data.amountMinor, currency: 'USD' },
    },
  ];
  const paid = Math.min(account.debt, credits);
  if (paid > 0) events.push({ type: 'DebtPaid.v1', data: { reference, amount: paid } });
  const balance = account.balance + credits - paid;
  const due = dueRecharge(withoutPendingPurchase(account.recharge, reference), { tenantId, balance, today });
  return due === undefined ? events : [...events, due];
};

export const reverseCredits = (command: Dated<ReverseCredits>, account: CreditAccount): CreditEvent[] => {
  const { data, older } = command;
  invariant(isCredits(data.credits) && data.credits >= 0, 'a reversal claims whole credits');
  const earlier = find(data.reference, account, older);
  if (earlier !== undefined && earlier.kind !== 'reversal') throw refuse('reference_reused');
  if (earlier !== undefined) return [];
  const bought = find(data.purchaseReference, account, older);
  if (bought?.kind !== 'purchase') throw refuse('not_found');
  const credits = Math.min(data.credits, bought.amount - bought.reversed);
  const taken = Math.min(credits, account.balance);
  const reversed: CreditsReversed = {
    type: 'CreditsReversed.v1',
    data: {
      reference: data.reference,
      purchaseReference: data.purchaseReference,
      cause: data.dispute === true ? 'dispute' : 'refund',
      purchased: bought.amount,
      reversed: bought.reversed + credits,
      credits,
      taken,
    },
  };
  if (data.dispute !== true) return withLowBalanceEffects(reversed, account, account.balance - taken, command);
  const recharge = { ...account.recharge, enabled: false };
  const events = withLowBalanceEffects(reversed, { ...account, recharge }, account.balance - taken, command);
  if (account.recharge.enabled) events.push({ type: 'AutoRechargeSwitchedOff.v1', data: { reason: 'dispute' } });
  return events;
};

export const restoreCredits = ({ data, older }: RestoreCredits, account: CreditAccount): CreditEvent[] => {
  const { reference, reversalReference } = data;
  const earlier = find(reference, account, older);
  if (earlier !== undefined && earlier.kind !== 'restoration') throw refuse('reference_reused');
  const reversal = find(reversalReference, account, older);
  if (reversal?.kind !== 'reversal') throw refuse('not_found');
  if (earlier !== undefined || reversal.restored) return [];
  return [
    {
      type: 'CreditsRestored.v1',
      data: {
        reference,
        reversalReference,
        purchaseReference: reversal.purchaseReference,
        credits: -reversal.amount,
        debtCancelled: Math.min(reversal.debt, account.debt),
      },
    },
  ];
};
