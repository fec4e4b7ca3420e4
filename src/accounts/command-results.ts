import { type Command } from '@nestjs/cqrs';
import { type Envelope } from '../kernel/envelope.js';
import { type ChangedAccount } from './account-repository.js';

/** What the handler of each command returns: the account after the change, and what changed. */
type Recorded = Command<ChangedAccount>;

/** Types the domain's commands for the command bus. The domain itself knows no framework. */
declare module './domain/account.commands.js' {
  interface CreateAccount<T extends Text = string> extends Recorded {}
  interface SuspendAccount<T extends Text = string> extends Recorded {}
  interface ReinstateAccount<T extends Text = string> extends Recorded {}
  interface JudgeAccount<T extends Text = string> extends Recorded {}
  interface ChangeAccount<T extends Text = string> extends Recorded {}
  interface IssueApiKey<T extends Text = string> extends Recorded {}
  interface RotateApiKey<Name extends Envelope | null = null> extends Recorded {}
  interface LimitApiKey extends Recorded {}
  interface RevokeApiKey extends Recorded {}
}

declare module './domain/operator-act.commands.js' {
  interface ProposeOperatorAct<T extends Text = string> extends Recorded {}
  interface AnswerOperatorAct<T extends Text = string> extends Recorded {}
  interface FailOperatorAct extends Recorded {}
}

declare module './domain/member.commands.js' {
  interface InviteMember<T extends Text = string> extends Recorded {}
  interface InviteMemberAgain extends Recorded {}
  interface JoinAccount extends Recorded {}
  interface AddPasskey extends Recorded {}
  interface RemovePasskey extends Recorded {}
  interface ChangeMember<T extends Text = string> extends Recorded {}
  interface RemoveMember extends Recorded {}
}

declare module './domain/subscription.commands.js' {
  interface ObserveSubscription extends Recorded {}
  interface LapseSubscription extends Recorded {}
  interface KeepPaymentCustomer extends Recorded {}
}
