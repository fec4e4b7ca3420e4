import { Inject, Injectable } from '@nestjs/common';
import { type Caps } from '../kernel/charging.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { Spenders } from '../kernel/spenders.js';
import { CLOCK } from '../platform/tokens.js';
import { AccountDirectory } from './account-directory.js';
import { capsOf, isLive } from './domain/key-grants.js';

/** As the directory of accounts has them: a second old at most. */
@Injectable()
export class DirectorySpenders extends Spenders {
  constructor(
    private readonly directory: AccountDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
  }

  async find(tenantId: TenantId, actorId: string): Promise<{ readonly caps: Caps } | undefined> {
    const account = (await this.directory.find(tenantId))?.account;
    if (account?.status !== 'active') return undefined;
    const key = account.keys.get(actorId);
    if (key === undefined) return account.members.get(actorId)?.status === 'active' ? { caps: undefined } : undefined;
    if (!isLive(key, this.clock.now().toISOString())) return undefined;
    const caps = capsOf(account, key);
    return { caps: caps.length === 0 ? undefined : caps };
  }
}
