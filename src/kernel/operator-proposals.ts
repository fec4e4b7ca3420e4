import { type CommandMetadata } from './events.js';
import { type FieldChange } from './field-change.js';
import { type TenantId } from './ids.js';

export interface ProposedAdjustment {
  /** A UUID, the reference of the adjustment once it is approved. */
  readonly proposalId: string;
  /** Credits, signed; not 0. */
  readonly amount: number;
  readonly reason: string;
}

/** The interface through which other slices ask for a second operator. */
export abstract class OperatorProposals {
  /** `by`: keyed hash of the operator's subject. Answers what changed. Throws Unavailable. */
  abstract adjustment(
    tenantId: TenantId,
    proposed: ProposedAdjustment,
    operator: { readonly by: string; readonly requestId: string },
  ): Promise<readonly FieldChange[]>;

  /** Records that an approved adjustment could not be carried out. `effectId`: a UUID, the same for every attempt. Throws Unavailable. */
  abstract failed(tenantId: TenantId, proposalId: string, effectId: string, metadata: CommandMetadata): Promise<void>;
}
