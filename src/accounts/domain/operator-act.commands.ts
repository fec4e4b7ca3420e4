import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';
import { type AccountMetadata } from './account-metadata.commands.js';
import { type OperatorAct } from './operator-act.events.js';

export type Text = string | Envelope;

export class ProposeOperatorAct<T extends Text = string> {
  readonly type = 'ProposeOperatorAct';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly proposalId: string; readonly act: OperatorAct; readonly reason: T; readonly by: string },
    readonly metadata: AccountMetadata,
  ) {}
}

/** `reason`: that of the proposal, for what follows from its approval. */
export class AnswerOperatorAct<T extends Text = string> {
  readonly type = 'AnswerOperatorAct';
  constructor(
    readonly tenantId: TenantId,
    readonly data: {
      readonly proposalId: string;
      readonly isApproved: boolean;
      readonly reason: T;
      readonly by: string;
    },
    readonly metadata: AccountMetadata,
  ) {}
}

/** Records that what was approved could not be carried out. */
export class FailOperatorAct {
  readonly type = 'FailOperatorAct';
  constructor(
    readonly tenantId: TenantId,
    readonly data: { readonly proposalId: string },
    readonly metadata: AccountMetadata,
  ) {}
}

export type OperatorActCommand = ProposeOperatorAct<Envelope> | AnswerOperatorAct<Envelope> | FailOperatorAct;
