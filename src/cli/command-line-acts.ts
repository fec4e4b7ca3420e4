import { newUuid, type TenantId } from '../kernel/ids.js';
import { type KeyedHashes } from '../platform/crypto/vault.js';
import { type OpenAct, type OperatorTrail } from '../platform/http/operator-trail.js';

/** What a command line does, in the operators' log. Of a command that throws, the outcome stays unknown. */
export class CommandLineActs {
  private readonly open: OpenAct[] = [];

  constructor(
    private readonly trail: OperatorTrail,
    private readonly hashes: Pick<KeyedHashes, 'actor'>,
    private readonly operator = 'command line',
  ) {}

  get operatorHash(): string {
    return this.hashes.actor(this.operator);
  }

  /** Throws Unavailable. */
  async record(action: string, tenantId: TenantId | null): Promise<void> {
    const { operatorHash } = this;
    this.open.push(await this.trail.record({ operatorHash, roles: [], requestId: newUuid(), action, tenantId }));
  }

  /** By the command's exit status. What cannot be written stays unknown, since the command has done its work. */
  async conclude(exitStatus: number): Promise<void> {
    const outcome = exitStatus === 0 ? 'done' : 'refused';
    const conclusion = { outcome, status: null, code: null, changes: [] } as const;
    for (const act of this.open.splice(0)) await this.trail.conclude(act, conclusion).catch(() => undefined);
  }
}
