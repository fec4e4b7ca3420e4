import { Inject, Injectable } from '@nestjs/common';
import { EligibilityQueries, type OwnRecord } from '../../projections/eligibility/eligibility.queries.js';
import { recentLookUps } from '../../projections/ledger/audit-log.queries.js';
import { type Clock } from '../kernel/clock.js';
import { type TenantId } from '../kernel/ids.js';
import { PersonScreening, type ScreenedPerson } from '../kernel/person-screening.js';
import { ERASED, KeyedHashes, Vault } from '../platform/crypto/vault.js';
import { isOfCountry } from '../http/fields/phone.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { type RiskFacts } from './domain/assessment.js';

export interface RiskQuestion {
  readonly tenantId: TenantId;
  readonly email: string;
  readonly phone: string;
  readonly fullName?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

const LOOK_UPS_SINCE_MS = 24 * 3_600_000;
/** Look-ups of the caller that are read, newest first. They are about all persons. */
const LOOK_UPS_READ = 500;
/** Attesting tenants from which an answer says no more. */
const SEVERAL = 3;

let disposable: Promise<ReadonlySet<string>> | undefined;

/** The first question loads the list, because it is long. */
const disposableDomains = (): Promise<ReadonlySet<string>> =>
  (disposable ??= import('mailchecker').then(({ default: checker }) => checker.blacklist()));

/** Also a domain below a listed one. */
const isDisposable = async (email: string): Promise<boolean> => {
  const domains = await disposableDomains();
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return labels.some((_, index) => domains.has(labels.slice(index).join('.')));
};

/** Gathers what is known of a person, from what the caller may know. */
@Injectable()
export class RiskFactsReader {
  constructor(
    private readonly index: EligibilityQueries,
    private readonly readModels: ReadModels,
    private readonly screening: PersonScreening,
    private readonly vault: Vault,
    private readonly hashes: KeyedHashes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async read(question: RiskQuestion, signal?: AbortSignal): Promise<RiskFacts> {
    const { tenantId, email, phone, country } = question;
    const now = this.clock.now();
    const identityHash = this.hashes.identityHash(email, phone);
    const own = await this.index.own(tenantId, this.hashes.identityId(tenantId, email, phone));
    const person = await this.personOf(question, own);
    const [attesting, lookUps, screening, disposableEmail] = await Promise.all([
      this.index.attesting(identityHash, now),
      this.lookUps(tenantId, identityHash, now),
      person === undefined ? null : this.screening.screen(tenantId, person, signal),
      isDisposable(email),
    ]);
    return {
      own: own === undefined ? null : statusAt(own, now),
      attesting: attesting === 0 ? 'none' : attesting < SEVERAL ? 'some' : 'three_and_more',
      screening,
      disposableEmail,
      phoneElsewhere: country !== undefined && !isOfCountry(phone, country),
      lookUps,
    };
  }

  /** The name that was given, else that of the caller's own record. */
  private async personOf(question: RiskQuestion, own: OwnRecord | undefined): Promise<ScreenedPerson | undefined> {
    const country = question.country === undefined ? {} : { country: question.country };
    const kept = own && ((await this.vault.open(own.place, own.personal)) as Personal | typeof ERASED);
    const known = kept === ERASED ? undefined : kept;
    const born = known?.date_of_birth === undefined ? {} : { dateOfBirth: known.date_of_birth };
    const fullName = question.fullName ?? known?.full_name;
    return fullName === undefined ? undefined : { fullName, ...born, ...country };
  }

  private async lookUps(tenantId: TenantId, identityHash: string, now: Date): Promise<number> {
    const since = new Date(now.getTime() - LOOK_UPS_SINCE_MS);
    const entries = await recentLookUps(this.readModels, { tenantId, since, limit: LOOK_UPS_READ });
    const about = await Promise.all(
      entries.map(async ({ eventId, stream, access }) => {
        const opened = await this.vault.open({ tenantId, stream, eventId, field: 'access' }, access);
        return opened === ERASED ? null : (opened as { readonly identityHash: string | null }).identityHash;
      }),
    );
    return about.filter((hash) => hash === identityHash).length;
  }
}

interface Personal {
  readonly full_name: string;
  readonly date_of_birth?: string;
}

/** EXPIRED from its time on, even before the event of the expiry. */
const statusAt = ({ status, expiresAt }: OwnRecord, now: Date): OwnRecord['status'] =>
  status === 'APPROVED' && expiresAt !== null && expiresAt <= now ? 'EXPIRED' : status;
