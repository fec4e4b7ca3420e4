import { Inject, Injectable } from '@nestjs/common';
import { DOCUMENTS } from '../../projections/documents/documents.queries.js';
import { AUDIT_LOG } from '../../projections/ledger/audit-log.queries.js';
import { SCREENING } from '../../projections/screening/screening.queries.js';
import { AccountStandings } from '../kernel/account-standings.js';
import { AuditEntries } from '../kernel/access.js';
import { EventProofs } from '../kernel/event-proofs.js';
import { type Clock } from '../kernel/clock.js';
import { type CommandMetadata } from '../kernel/events.js';
import { Unavailable } from '../kernel/unavailable.js';
import { EncryptedFiles, FileDestroyed, type FileDraft } from './encrypted-files.js';
import { describeError, LOGGER, type Logger } from '../observability/logging.js';
import { ReadModels } from '../log/project/projection.js';
import { CLOCK } from '../platform/tokens.js';
import { ExportArchive } from './content/export-archive.js';
import { REPORT_WRITERS } from './content/report-formats.js';
import { ReportSource } from './content/report-source.js';
import { type DocumentCommand } from './domain/document.commands.js';
import { type CompletedFile, type DocumentRequested } from './domain/document.events.js';
import { DocumentRepository, type DocumentTarget } from './document-repository.js';
import { failureReason } from './failure-reason.js';

/** A file lives this long, milliseconds. */
export const FILE_LIFETIME = 30 * 86_400_000;
/** An attempt that has written nothing for this long is dead, milliseconds. */
const ATTEMPT_TIMEOUT = 60_000;
/** An append without an answer may still land for so long, milliseconds. Until then no one makes the document again. */
const LATE_APPEND_WINDOW = 5_000;
/** A document that no attempt has made for so long fails, milliseconds. */
const TRIED_FOR = 86_400_000;
/** How long a job waits for the read models to reach the request, milliseconds. */
const CATCH_UP = 5_000;

type Request = DocumentRequested['data'];

/** Checks in a PDF show their matches. */
const reportReadsFrom = ({ format, include }: Request): readonly string[] => {
  const hasChecks = include.includes('sanctions_checks') || include.includes('pep_checks');
  return format === 'pdf' && hasChecks ? [AUDIT_LOG, SCREENING] : [AUDIT_LOG];
};

/** Makes the file of a requested document, once in effect however often it is called. */
@Injectable()
export class DocumentMaker {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly files: EncryptedFiles,
    private readonly readModels: ReadModels,
    private readonly accounts: AccountStandings,
    private readonly archive: ExportArchive,
    private readonly entries: AuditEntries,
    private readonly proofs: EventProofs,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws Unavailable: the document stays due, for a day. Any other fault ends it as failed. */
  async make(target: DocumentTarget): Promise<void> {
    const { state, events } = await this.documents.load(target);
    const [requested] = events;
    if (state.status !== 'generating' || requested === undefined) return;
    const metadata: CommandMetadata = {
      requestId: requested.metadata.$correlationId,
      causationId: requested.id,
      actor: { type: 'system', id: 'documents' },
    };
    try {
      await this.write(target, state.request, requested.position, metadata);
    } catch (error) {
      const isLate = this.clock.now().getTime() - Date.parse(state.dueSince) > TRIED_FOR;
      if (error instanceof Unavailable && !isLate) throw error;
      // An erasure took the file in the making, or another attempt was faster. What is still due is made again.
      if (error instanceof FileDestroyed) return;
      this.logger.error(
        { error: describeError(error), document_id: target.documentId },
        'a document could not be made',
      );
      const reason = failureReason(error, state.request.kind);
      await this.end(target, { kind: 'fail', reason, now: this.clock.now() }, metadata);
    }
  }

  /** What becomes of the files follows from the state after the command: another attempt may have come first. */
  private async end(target: DocumentTarget, command: DocumentCommand, metadata: CommandMetadata): Promise<void> {
    const { state } = await this.documents.execute(target, command, metadata);
    if (state.status === 'generating') return;
    const kept = state.status === 'completed' ? (state.file?.fileId ?? null) : null;
    await this.files.destroyOthers(target, kept);
    // An erasure that found the document in the making took its file as it was completed.
    if (kept !== null && !(await this.files.isPresent(kept)))
      await this.documents.execute(target, { kind: 'lose', fileId: kept, now: this.clock.now() }, metadata);
  }

  private async write(
    target: DocumentTarget,
    request: Request,
    position: bigint,
    metadata: CommandMetadata,
  ): Promise<void> {
    const readFrom = request.kind === 'export' ? this.archive.readFrom() : reportReadsFrom(request);
    for (const projection of [...readFrom, DOCUMENTS]) {
      await this.readModels.reach(projection, position, CATCH_UP);
    }
    const draft = await this.files.claim(target, new Date(this.clock.now().getTime() - ATTEMPT_TIMEOUT));
    if (draft === undefined) return;
    const file = await this.fill(draft, target, request, position);
    try {
      await this.end(target, { kind: 'complete', file }, metadata);
    } catch (error) {
      const asOf = new Date(this.clock.now().getTime() - ATTEMPT_TIMEOUT + LATE_APPEND_WINDOW);
      // If Postgres is away too, the attempt counts as dead a minute after its last write.
      await draft.abandon(asOf).catch(() => undefined);
      throw error;
    }
  }

  /** What is not whole is of no use to any attempt. */
  private async fill(
    draft: FileDraft,
    target: DocumentTarget,
    request: Request,
    position: bigint,
  ): Promise<CompletedFile> {
    try {
      for await (const bytes of this.content(target, request, position, draft)) await draft.write(bytes);
      const file = await draft.finish();
      const completedAt = this.clock.now();
      const expiresAt = new Date(completedAt.getTime() + FILE_LIFETIME);
      return { ...file, completedAt: completedAt.toISOString(), expiresAt: expiresAt.toISOString() };
    } catch (error) {
      await this.files.destroy(draft.fileId).catch(() => undefined);
      throw error;
    }
  }

  private content(
    target: DocumentTarget,
    request: Request,
    position: bigint,
    draft: FileDraft,
  ): AsyncGenerator<Buffer> {
    const name = (hashes: readonly string[]): Promise<void> => draft.name(hashes);
    if (request.kind === 'export') return this.archive.of({ ...target, request, name });
    return this.report(target, request, position, name);
  }

  private async *report(
    { tenantId, documentId }: DocumentTarget,
    { period, include, format, requestedAt }: Request,
    upTo: bigint,
    name: (hashes: readonly string[]) => Promise<void>,
  ): AsyncGenerator<Buffer> {
    const { from, to } = period ?? { from: requestedAt, to: requestedAt };
    const account = await this.accounts.of(tenantId);
    const source = new ReportSource(
      { readModels: this.readModels, entries: this.entries, name },
      { tenantId, start: new Date(from), end: new Date(to), upTo },
    );
    const checkpoint = (await this.proofs.checkpoint())?.note;
    const accountName = account?.name ?? '';
    const what = { reportId: documentId, tenantId, accountName, period: { from, to }, include, checkpoint };
    yield* REPORT_WRITERS[format]({ ...what, generatedAt: requestedAt, source });
  }
}
