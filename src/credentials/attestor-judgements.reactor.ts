import { Inject, Injectable } from '@nestjs/common';
import { type AttestedCredential, CredentialQueries } from '../../projections/credentials/credentials.queries.js';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import {
  ACCOUNT_STREAM_PREFIX,
  type AccountDistrusted,
  type AccountTrusted,
} from '../accounts/domain/account.events.js';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata, type StoredEvent, tenantOfStream } from '../kernel/events.js';
import { type TenantId } from '../kernel/ids.js';
import { paginate } from '../kernel/paginate.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { type Reaction } from '../kernel/reaction.js';
import { Reactor } from '../log/react/reactor.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { Attestations } from './attestations.js';
import { CredentialRepository } from './credential-repository.js';

/** How long the read models are waited for, milliseconds. */
const READ_MODELS_BUDGET_MS = 5_000;

/** Suspends credentials that rest on a distrusted account alone, and reinstates them once a trusted account attests them. */
@Reactor({
  name: 'attestor-judgements',
  version: 1,
  streamPrefixes: [ACCOUNT_STREAM_PREFIX],
  eventTypes: ['AccountDistrusted.v1', 'AccountTrusted.v1'] satisfies readonly (
    AccountDistrusted | AccountTrusted
  )['type'][],
  startsAt: 'beginning',
  budgetMs: 600_000,
})
@Injectable()
export class AttestorJudgementsReactor implements Reaction {
  constructor(
    private readonly registry: CredentialQueries,
    private readonly index: EligibilityQueries,
    private readonly attestations: Attestations,
    private readonly credentials: CredentialRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Under the open policy a credential rests on no one. */
  concerns(): boolean {
    return this.config.issuancePolicy !== 'open';
  }

  async handle(event: StoredEvent): Promise<void> {
    const tenantId = tenantOfStream(event.stream) as TenantId;
    const reached = await Promise.all([
      this.registry.reaches(event.position, READ_MODELS_BUDGET_MS),
      this.index.reaches(event.position, READ_MODELS_BUDGET_MS),
    ]);
    if (reached.includes(false)) throw new Unavailable('read_models');
    const { $correlationId: requestId } = event.metadata;
    const metadata = { requestId, causationId: event.id, actor: { type: 'system', id: 'credentials' } } as const;
    const find = (last: AttestedCredential | undefined, limit: number) =>
      this.registry.attestedBy(tenantId, this.clock.now(), BigInt(last?.position ?? -1), limit);
    for await (const page of paginate(find)) for (const credential of page) await this.review(credential, metadata);
  }

  private async review(target: AttestedCredential, metadata: CommandMetadata): Promise<void> {
    const { state } = await this.credentials.load(target);
    const name = await this.credentials.nameIn(target, state);
    // The person was erased, and the credential is revoked with it.
    if (state.issued === null || name === undefined) return;
    const { identityHash, tier } = state.issued;
    const supported = await this.attestations.support(identityHash, tier, name);
    const change = { cause: 'attestor_distrusted', reason: null, now: this.clock.now() } as const;
    await this.credentials.change(target, { kind: supported ? 'reinstate' : 'suspend', ...change }, metadata);
  }
}
