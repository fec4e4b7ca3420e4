import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../../kernel/clock.js';
import { type Envelope } from '../../kernel/envelope.js';
import { type TenantId } from '../../kernel/ids.js';
import { eachIfPossible } from '../../platform/crypto/open-if-possible.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { forEachDue } from '../../platform/periodic/for-each-due.js';
import { Periodic } from '../../platform/periodic/periodic.js';
import { Database } from '../../platform/postgres/database.js';
import { CLOCK } from '../../platform/tokens.js';
import { AccountDirectory } from '../account-directory.js';
import { isLive } from '../domain/key-grants.js';

/** A list's filters under a name. */
export interface SavedView {
  readonly name: string;
  /** As the address of the page has them, without the question mark. */
  readonly query: string;
}

export interface ViewsOfScreen {
  readonly screen: string;
  readonly views: readonly SavedView[];
}

interface Actor {
  readonly tenantId: TenantId;
  /** The id of a member or an API key. */
  readonly actorId: string;
}

interface Row {
  readonly screen: string;
  readonly views: Envelope;
}

const CONCURRENCY = 8;

/** What members keep of the console's lists, sealed. Everything throws Unavailable. */
@Injectable()
export class SavedViews {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly directory: AccountDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async of(actor: Actor): Promise<readonly ViewsOfScreen[]> {
    const rows = await this.database.query<Row>(
      'SELECT screen, views FROM saved_views WHERE tenant_id = $1 AND actor_id = $2 ORDER BY screen',
      [actor.tenantId, actor.actorId],
    );
    return eachIfPossible(rows, async ({ screen, views }) => {
      const opened = await this.vault.open(placeOf(actor, screen), views);
      return opened === ERASED ? undefined : { screen, views: opened as readonly SavedView[] };
    });
  }

  /** Replaces those of one screen. */
  async keep(actor: Actor, { screen, views }: ViewsOfScreen): Promise<void> {
    const { tenantId, actorId } = actor;
    if (views.length === 0) {
      const text = 'DELETE FROM saved_views WHERE tenant_id = $1 AND actor_id = $2 AND screen = $3';
      await this.database.query(text, [tenantId, actorId, screen]);
      return;
    }
    const sealed = this.vault.seal(await this.vault.tenantKey(tenantId, 'texts'), placeOf(actor, screen), views);
    await this.database.query(
      `INSERT INTO saved_views (tenant_id, actor_id, screen, views) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant_id, actor_id, screen) DO UPDATE SET views = excluded.views`,
      [tenantId, actorId, screen, JSON.stringify(sealed)],
    );
  }

  /** A key may end by time alone, without an event. Members' views end with their removal (MemberReactor). */
  @Periodic({ every: ({ erasure }) => erasure.purgeCheckEvery, role: 'jobs', alone: true })
  async forgetThoseOfEndedKeys(stopping?: AbortSignal): Promise<void> {
    const find = (last: Actor | undefined, limit: number) =>
      this.database.query<Actor>(
        `SELECT DISTINCT tenant_id AS "tenantId", actor_id AS "actorId" FROM saved_views
         WHERE (tenant_id, actor_id) > ($1, $2) AND actor_id NOT LIKE 'mbr_%' ORDER BY 1, 2 LIMIT $3`,
        [last?.tenantId ?? '', last?.actorId ?? '', limit],
      );
    const forget = async ({ tenantId, actorId }: Actor): Promise<void> => {
      const key = (await this.directory.find(tenantId))?.account.keys.get(actorId);
      if (key !== undefined && isLive(key, this.clock.now().toISOString())) return;
      await this.database.query('DELETE FROM saved_views WHERE tenant_id = $1 AND actor_id = $2', [tenantId, actorId]);
    };
    await forEachDue(find, forget, { concurrency: CONCURRENCY, signal: stopping });
  }
}

const placeOf = ({ tenantId, actorId }: Actor, screen: string) => ({
  tenantId,
  stream: 'saved_views',
  eventId: actorId,
  field: screen,
});
