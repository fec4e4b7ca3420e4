import { type AccountMetadata } from '../accounts/domain/account-metadata.commands.js';
import { ChangeAccount } from '../accounts/domain/account.commands.js';
import { type CommandMetadata } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { SetAlertThresholds } from './domain/credits.commands.js';

/** The part of an account that its change answers with. */
export interface ChangedAccount {
  readonly account: { readonly alertThresholds: readonly number[] };
  readonly revision: bigint;
}

/** The account's own stream holds the thresholds, since operators set them there too. */
export const changeThresholds = (
  tenantId: TenantId,
  alertThresholds: readonly number[],
  metadata: AccountMetadata,
): ChangeAccount => new ChangeAccount(tenantId, { alertThresholds }, metadata);

/** Makes them hold with the answer. The reactor does the same a moment later, also for a process that dies between. */
export const takeOver = (
  tenantId: TenantId,
  { account, revision }: ChangedAccount,
  metadata: CommandMetadata,
): SetAlertThresholds =>
  new SetAlertThresholds(
    tenantId,
    { percentages: account.alertThresholds, accountRevision: Number(revision) },
    metadata,
  );
