import { type Command } from '@nestjs/cqrs';
import { type Decision } from '../log/append/command-queue.js';
import { type CreditAccount } from './domain/credit-account.js';

/** What the handler of each command returns: the account as the command left it. */
type Decided = Command<Decision<CreditAccount>>;

/** Types the domain's commands for the command bus. The domain itself knows no framework. */
declare module './domain/credits.commands.js' {
  interface PurchaseCredits extends Decided {}
  interface ReverseCredits extends Decided {}
  interface RestoreCredits extends Decided {}
  interface ReturnCredits extends Decided {}
  interface AdjustCredits extends Decided {}
  interface ConfigureAutoRecharge extends Decided {}
  interface FailAutoRecharge extends Decided {}
  interface ReviewAutoRecharge extends Decided {}
  interface SetAlertThresholds extends Decided {}
  interface FollowSuspension extends Decided {}
  interface ReverseCharge extends Decided {}
  interface ConfirmFunds extends Decided {}
  interface DeductCredits extends Decided {}
  interface SettleDeduction extends Decided {}
  interface RefundDeduction extends Decided {}
  interface CarryBalanceForward extends Decided {}
}
