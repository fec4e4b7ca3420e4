import { Injectable } from '@nestjs/common';
import {
  IDENTITY_STREAM_PREFIX,
  type IdentityIngested,
  type IdentityUpdated,
  PERSONAL_FIELD,
} from '../../identity/domain/identity.events.js';
import { type Recorded, type StoredEvent, tenantOfStream } from '../../kernel/events.js';
import { type TenantId } from '../../kernel/ids.js';
import { ERASED, Vault } from '../../platform/crypto/vault.js';
import { type Reaction, type ReactionContext } from '../../kernel/reaction.js';
import { Reactor } from '../../log/react/reactor.js';
import { isReadable } from '../matching/normalise.js';
import { Screener, type ScreeningKind, type ScreeningOutcome } from '../screener.js';
import { ReviewSettingsDesk } from '../settings/review-settings-desk.js';
import { IdentityScreening, waitingForLists } from './identity-screening.js';
import { type PersonalNames, queryOf } from './personal-names.js';

type Attested = IdentityIngested | IdentityUpdated;

/** Screens new and updated identities for sanctions and for political exposure, free of charge. */
@Reactor({
  name: 'ingestion-screening',
  version: 1,
  streamPrefixes: [IDENTITY_STREAM_PREFIX],
  eventTypes: ['IdentityIngested.v1', 'IdentityUpdated.v1'] satisfies readonly Attested['type'][],
  startsAt: 'beginning',
})
@Injectable()
export class IngestionScreeningReactor implements Reaction {
  constructor(
    private readonly screener: Screener,
    private readonly identities: IdentityScreening,
    private readonly settings: ReviewSettingsDesk,
    private readonly vault: Vault,
  ) {}

  async handle(event: StoredEvent, { signal }: ReactionContext): Promise<void> {
    const { type, data, stream, id, metadata } = event as Recorded<Attested>;
    const tenantId = tenantOfStream(stream) as TenantId;
    const personal = await this.vault.open({ tenantId, stream, eventId: id, field: PERSONAL_FIELD }, data.personal);
    if (personal === ERASED) return;
    const query = await this.settings.asked(tenantId, queryOf(personal as PersonalNames));
    const { identityId, identityHash } = data;
    const requestId = metadata.$correlationId;
    const cause = { requestId, causationId: id };
    if (!isReadable(query.fullName)) {
      await this.identities.recordUnscreened({ tenantId, identityId, identityHash, ...cause });
      return;
    }
    const screened = { tenantId, identityId, identityHash, query, examined: 'all', ...cause } as const;
    const record = async (kind: ScreeningKind, outcome: ScreeningOutcome | undefined): Promise<void> => {
      if (this.screener.unread(kind).length > 0)
        await this.identities.recordUnscreened({ tenantId, identityId, identityHash, ...cause });
      // Nothing is known of a new identity that could have to be cleared.
      if (outcome === undefined || (type === 'IdentityIngested.v1' && outcome.matches.length === 0)) return;
      await this.identities.record({ ...screened, kind, outcome });
    };
    await record('sanctions', await waitingForLists(this.screener.screen('sanctions', query, signal)));
    // A list of office holders that is late must not hold up the screening for sanctions of those behind.
    await record('pep', await waitingForLists(this.screener.screenPresent('pep', query, signal)));
  }
}
