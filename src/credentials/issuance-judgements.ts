import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { KeyedMutex } from '../kernel/keyed-mutex.js';
import { refuse } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { type Config } from '../platform/config/config.js';
import { CLOCK, CONFIG } from '../platform/tokens.js';
import { Attestations, type Attested, type CredentialSubject } from './attestations.js';
import { RefusedIssuances } from './refused-issuances.js';
import { tooManyRefusals } from './too-many-refusals.js';

export interface IssuanceRequest {
  readonly tenantId: TenantId;
  readonly credentialId: string;
  readonly person: CredentialSubject;
  /** Refusals that this instance had noted when the caller last checked that the tenant need not wait. */
  readonly notedRefusals: number;
}

/** How long an answer waits for the index to reach the issuance, milliseconds. */
const INDEX_BUDGET_MS = 5_000;

/** Of anyone, under the open policy. */
const UNASKED: Attested = { until: null, verifiedAt: null, birthDateKnown: false, attestors: [] };

/** Whether a person may have a credential. */
@Injectable()
export class IssuanceJudgements {
  /** Requests about one person are judged one after the other. So those that run together cannot pass the limit of refusals. */
  private readonly judging = new KeyedMutex();

  constructor(
    private readonly attestations: Attestations,
    private readonly index: EligibilityQueries,
    private readonly refused: RefusedIssuances,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'issuancePolicy'>,
  ) {}

  /** Refuses identity_not_eligible, and answers 429 after too many such refusals. */
  async judge({ tenantId, credentialId, person, notedRefusals }: IssuanceRequest): Promise<Attested> {
    if (this.isOpen) return UNASKED;
    const subject = { tenantId, identityHash: person.identityHash };
    return this.judging.take(`${tenantId} ${subject.identityHash}`, async () => {
      // In its turn nothing refuses this person between the two.
      const [eligibility, wait] = await Promise.all([
        this.attestations.judge(person),
        this.refused.noted === notedRefusals ? undefined : this.refused.waitUntil(subject),
      ]);
      const now = this.clock.now();
      if (wait !== undefined) throw tooManyRefusals(wait, now);
      if (eligibility.eligible) return eligibility;
      await this.refused.add(subject, credentialId, now);
      throw refuse('identity_not_eligible');
    });
  }

  /** Undefined if the person is not attested any more. No refusal is counted. */
  async judgeAgain(person: CredentialSubject): Promise<Attested | undefined> {
    if (this.isOpen) return UNASKED;
    const eligibility = await this.attestations.judge(person);
    return eligibility.eligible ? eligibility : undefined;
  }

  /**
   * Whether the person was attested at the place of the issuance too: the attestation may have ended between the judgement and
   * the append. Throws Unavailable.
   */
  async holdsAt(position: bigint, person: CredentialSubject): Promise<boolean> {
    if (this.isOpen) return true;
    if (!(await this.index.reaches(position, INDEX_BUDGET_MS))) throw new Unavailable('read_models');
    return (await this.attestations.judge(person)).eligible;
  }

  private get isOpen(): boolean {
    return this.config.issuancePolicy === 'open';
  }
}
