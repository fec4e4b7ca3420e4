import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import pLimit from 'p-limit';
import pMap from 'p-map';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata } from '../kernel/events.js';
import { newUuid, type TenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { isRejection } from '../kernel/rejection.js';
import { Unavailable } from '../kernel/unavailable.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { ERASED, Vault } from '../platform/crypto/vault.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { CLOCK } from '../platform/tokens.js';
import { type PersonalData, ProcessIngestion } from './commands.js';
import { EXTERNAL_ID_FIELD, identityStream, PERSONAL_FIELD } from './domain/identity.events.js';
import { isSuperseded } from './domain/identity.js';
import { type IngestionCommand, type RecordFault } from './domain/ingestion.commands.js';
import { type IngestionFault } from './domain/ingestion.events.js';
import { FAULT_DETAILS, isDue } from './domain/ingestion.js';
import { IdentityRepository } from './identity-repository.js';
import { acceptedEvent, IngestionRepository, type PlacedRecord, placedRecords } from './ingestion-repository.js';

/** Records of one ingestion processed at the same time. Their appends are committed together. */
const AT_ONCE = 64;
/** The same limit over all ingestions of this process, so that jobs leave the stores room for requests. */
const AT_ONCE_IN_ALL = 128;
/** Read budget of a job, milliseconds. No caller waits, so a busy store gets more time than for a request. */
const READ_BUDGET_MS = 10_000;

/** Values shared by all records of an ingestion. */
interface Ingest {
  readonly tenantId: TenantId;
  readonly ingestionId: string;
  readonly position: bigint;
  readonly receivedAt: string;
  readonly metadata: CommandMetadata;
}

type Outcome = 'applied' | 'superseded' | { readonly fault: RecordFault; readonly lasting: boolean };

/** Faults that no later try can fix. */
const LASTING: ReadonlySet<IngestionFault> = new Set(['IDENTITY_DELETED', 'KEY_DESTROYED']);

@CommandHandler(ProcessIngestion)
export class ProcessIngestionHandler implements ICommandHandler<ProcessIngestion, void> {
  private readonly limited = pLimit(AT_ONCE_IN_ALL);

  constructor(
    private readonly vault: Vault,
    private readonly ingestions: IngestionRepository,
    private readonly identities: IdentityRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ data: { tenantId, ingestionId } }: ProcessIngestion): Promise<void> {
    const loaded = await this.ingestions.load(tenantId, ingestionId, READ_BUDGET_MS);
    if (!isDue(loaded.state, this.clock.now())) return;
    const accepted = acceptedEvent(loaded.events);
    invariant(accepted !== undefined, 'an accepted ingestion has its event');
    const { $correlationId: requestId, actor } = accepted.metadata;
    const metadata = { requestId, causationId: accepted.id, actor };
    const { receivedAt, attempts } = loaded.state;
    const ingest = { tenantId, ingestionId, position: accepted.position, receivedAt, metadata };
    const records = placedRecords(tenantId, loaded.events);
    const outcomes = await this.processAll(ingest, records);
    const identityId = loaded.state.kind === 'single' ? (records[0]?.record.identityId ?? null) : null;
    const conclusion = this.conclusion(outcomes, identityId, attempts + 1);
    await this.ingestions.execute(ingest, conclusion, metadata, { loaded });
  }

  /**
   * The last record comes first. Earlier records of the same identity are then superseded instead of overwritten one
   * by one.
   */
  private async processAll(ingest: Ingest, records: readonly PlacedRecord[]): Promise<Outcome[]> {
    const process = (placed: PlacedRecord): Promise<Outcome> => this.limited(() => this.process(ingest, placed));
    const outcomes = await pMap([...records].reverse(), process, { concurrency: AT_ONCE });
    return outcomes.reverse();
  }

  private async process(ingest: Ingest, placed: PlacedRecord): Promise<Outcome> {
    try {
      return await this.apply(ingest, placed);
    } catch (error) {
      // An outage is not the record's fault, so the whole ingestion stays due.
      if (error instanceof Unavailable && error.part !== 'keys') throw error;
      const code = faultOf(error);
      if (code === 'PROCESSING_FAILED') this.logWith(ingest, error);
      const fault = { recordIndex: placed.record.recordIndex, code, detail: FAULT_DETAILS[code] };
      return { fault, lasting: LASTING.has(code) };
    }
  }

  private logWith({ ingestionId }: Ingest, error: unknown): void {
    this.logger.error({ ingestion_id: ingestionId, error: describeError(error) }, 'a record could not be processed');
  }

  private async apply(ingest: Ingest, { record, place }: PlacedRecord): Promise<Outcome> {
    const personal = (await this.vault.open(place, record.personal)) as PersonalData | typeof ERASED;
    if (personal === ERASED) throw new RecordErased();
    const { tenantId, ingestionId, receivedAt } = ingest;
    const { recordIndex, identityId, identityHash, kycStatus, tier, kycExpiresAt } = record;
    const key = await this.vault.subjectKey(tenantId, identityId);
    const eventId = newUuid();
    const home = { tenantId, stream: identityStream(tenantId, identityId), eventId };
    const seal = (field: string, value: unknown) => this.vault.seal(key, { ...home, field }, value);
    const { external_id: externalId } = personal;
    const sealed = {
      personal: seal(PERSONAL_FIELD, personal),
      ...(externalId === undefined ? {} : { externalId: seal(EXTERNAL_ID_FIELD, externalId) }),
    };
    const order = { position: ingest.position, recordIndex };
    const evidence = {
      hasDocument: personal.document_reference !== undefined,
      hasDateOfBirth: personal.date_of_birth !== undefined,
    };
    const attested = { identityId, identityHash, ingestionId, receivedAt, kycStatus, tier, kycExpiresAt, evidence };
    const { state } = await this.identities.apply(
      { tenantId, identityId },
      { kind: 'apply', order, record: { ...attested, ...sealed }, suppliedUnder: record.personal.key },
      ingest.metadata,
      eventId,
    );
    return isSuperseded(state.identity, order) ? 'superseded' : 'applied';
  }

  private conclusion(outcomes: readonly Outcome[], identityId: string | null, attempt: number): IngestionCommand {
    const faulty = outcomes.filter((outcome) => typeof outcome === 'object');
    const faults = faulty.map(({ fault }) => fault);
    const passing = faulty.find(({ lasting }) => !lasting)?.fault;
    const now = this.clock.now();
    const recordsProcessed = outcomes.length - faulty.length;
    if (passing !== undefined) {
      const [first, ...rest] = [passing, ...faults.filter((fault) => fault !== passing)] as const;
      return { kind: 'fail_attempt', now, attempt, recordsProcessed, faults: [first, ...rest] };
    }
    const recordsSuperseded = outcomes.filter((outcome) => outcome === 'superseded').length;
    return { kind: 'conclude', now, identityId, recordsProcessed, recordsSuperseded, faults };
  }
}

/** The record was sealed under a destroyed data key. */
class RecordErased extends Error {
  override readonly name = 'RecordErased';
}

const faultOf = (error: unknown): IngestionFault => {
  if (isRejection(error, 'identity_deleted')) return 'IDENTITY_DELETED';
  if (error instanceof RecordErased) return 'KEY_DESTROYED';
  if (error instanceof Unavailable || error instanceof DataKeyMissing) return 'KEY_UNAVAILABLE';
  return 'PROCESSING_FAILED';
};
