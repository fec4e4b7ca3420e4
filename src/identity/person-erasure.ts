import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ELIGIBILITY } from '../../projections/eligibility/eligibility.queries.js';
import { heldOfPerson } from '../../projections/eligibility/held-of-person.queries.js';
import { remainsOfPerson, RETENTION } from '../../projections/retention/retention.queries.js';
import { Attempts } from '../kernel/attempts.js';
import { type AccessRecord } from '../kernel/access.js';
import { deriveUuid, type TenantId } from '../kernel/ids.js';
import { isRejection } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { ReadModels } from '../log/project/projection.js';
import { EventStore } from '../platform/eventstore/event-store.js';
import { KeyedHashes } from '../platform/crypto/vault.js';
import { ApplyRetention, EraseIdentity } from './commands.js';

/** How long rows are waited for, milliseconds. */
const ROWS_BUDGET_MS = 5_000;

export interface ErasedPerson {
  readonly email: string;
  readonly phone: string;
}

export interface PersonErasureRequest extends ErasedPerson {
  /** A UUID. A repeated call with the same one goes on where the first one ended. */
  readonly erasureId: string;
  readonly reason: string;
  readonly repeated: boolean;
  /** The members see the erasure as one of the service. */
  readonly access: AccessRecord;
}

/** Erases a person who wrote to the deployment, at every account that holds a record. */
@Injectable()
export class PersonErasure {
  constructor(
    private readonly readModels: ReadModels,
    private readonly store: EventStore,
    private readonly hashes: KeyedHashes,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Returns at how many accounts the erasure begins or is under way. An ingestion that failed or waits is erased like a record.
   * What one account delays holds up no other. Throws Unavailable.
   */
  async erase({ erasureId, email, phone, reason, repeated, access }: PersonErasureRequest): Promise<number> {
    await this.assertAllIsSeen();
    const dormantHash = this.hashes.identityHash(email, phone);
    const attempts = new Attempts();
    const members = new Set<TenantId>();
    const held = await heldOfPerson(this.readModels, dormantHash);
    const heldAt = new Set(held.map(({ tenantId }) => tenantId));
    const remains = await remainsOfPerson(this.readModels, dormantHash);
    for (const { tenantId, identityId } of held) {
      const changeId = deriveUuid(erasureId, tenantId);
      const command = new EraseIdentity({ tenantId, identityId, changeId, repeated, reason, access });
      await attempts.make(async () => {
        if (await this.eraseAt(command)) members.add(tenantId);
      });
    }
    for (const { tenantId, identityId, isUnderWay } of remains.filter((one) => !heldAt.has(one.tenantId))) {
      const command = new ApplyRetention({ tenantId, identityId, change: 'decide_erasure', dormantHash });
      await attempts.make(async () => {
        if (!isUnderWay) await this.commands.execute(command);
        members.add(tenantId);
      });
    }
    attempts.end();
    return members.size;
  }

  /** What was accepted before this request counts, though its rows come later. */
  private async assertAllIsSeen(): Promise<void> {
    const head = (await this.store.head()) ?? -1n;
    const seen = await Promise.all(
      [ELIGIBILITY, RETENTION].map((readModel) => this.readModels.waitFor(readModel, head, ROWS_BUDGET_MS)),
    );
    if (seen.includes(false)) throw new Unavailable('read_models');
  }

  /** Another request may have erased it meanwhile. */
  private async eraseAt(command: EraseIdentity): Promise<boolean> {
    try {
      await this.commands.execute(command);
      return true;
    } catch (error) {
      if (isRejection(error, 'not_found')) return false;
      throw error;
    }
  }
}
