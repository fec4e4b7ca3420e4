import { Inject, Injectable } from '@nestjs/common';
import {
  type CompletedDocument,
  type DocumentRow,
  documentsCompleted,
  documentsExpired,
  documentsGenerating,
} from '../../projections/documents/documents.queries.js';
import { Attempts } from '../kernel/attempts.js';
import { type Clock } from '../kernel/clock.js';
import { forEachDue } from '../platform/periodic/for-each-due.js';
import { isTenantId } from '../kernel/ids.js';
import { invariant } from '../kernel/invariant.js';
import { type Job, JobQueue } from '../kernel/jobs.js';
import { Periodic } from '../platform/periodic/periodic.js';
import { ReadModels } from '../log/project/projection.js';
import { Worker } from '../platform/queue/worker.js';
import { CLOCK } from '../platform/tokens.js';
import { DocumentMaker } from './document-maker.js';
import { EncryptedFiles } from './encrypted-files.js';
import { DocumentRepository } from './document-repository.js';

export const DOCUMENT_QUEUE = 'documents';

const CONCURRENCY = 2;
const TRIES = { attempts: 3 } as const;
/** Interval of the search for documents that the queue lost, milliseconds. */
const RECONCILE_INTERVAL_MS = 5_000;
/** A document requested this lately is probably still in the queue, milliseconds. */
const HEAD_START = 3_000;
const EXPIRE_INTERVAL_MS = 60_000;
const LOOK_FOR_LOST_INTERVAL_MS = 600_000;
const MAX_AT_ONCE = 200;

/** Sends requested documents through the queue, and expires old ones. Each call may be repeated. */
@Injectable()
export class DocumentJobs {
  private readonly running = new Set<string>();

  constructor(
    private readonly queue: JobQueue,
    private readonly maker: DocumentMaker,
    private readonly documents: DocumentRepository,
    private readonly files: EncryptedFiles,
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Never throws. See JobQueue. */
  enqueue({ tenantId, documentId }: DocumentRow): Promise<void> {
    return this.queue.enqueue(DOCUMENT_QUEUE, { id: documentId, payload: { tenantId, documentId } }, TRIES);
  }

  /** Queues documents again that wait for their file, and makes one itself while the queue is away. */
  @Periodic({ every: RECONCILE_INTERVAL_MS, role: 'jobs', alone: true })
  async reconcile(stopping?: AbortSignal): Promise<void> {
    const before = new Date(this.clock.now().getTime() - HEAD_START);
    const due = await documentsGenerating(this.readModels, before, MAX_AT_ONCE);
    if (due.length === 0) return;
    await Promise.all(due.map((document) => this.enqueue(document)));
    if ((await this.queue.health()) === 'up') return;
    const attempts = new Attempts();
    for (const document of due) {
      if (stopping?.aborted !== true) await attempts.make(() => this.maker.make(document));
    }
    attempts.end();
  }

  @Periodic({ every: EXPIRE_INTERVAL_MS, role: 'jobs', alone: true })
  async expire(stopping?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const find = (last: DocumentRow | undefined, limit: number) => documentsExpired(this.readModels, now, last, limit);
    const expire = (document: DocumentRow) => {
      const metadata = { requestId: document.documentId, actor: { type: 'system', id: 'documents' } } as const;
      return this.documents.execute(document, { kind: 'expire', reason: 'age', now }, metadata);
    };
    await forEachDue(find, expire, { concurrency: CONCURRENCY, signal: stopping });
  }

  /** Makes those again whose files are gone, though nothing expired them. */
  @Periodic({ every: LOOK_FOR_LOST_INTERVAL_MS, role: 'jobs', alone: true })
  async findLost(stopping?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const find = (last: CompletedDocument | undefined, limit: number) =>
      documentsCompleted(this.readModels, last, limit);
    const lose = async ({ fileId, ...document }: CompletedDocument): Promise<void> => {
      if (await this.files.isPresent(fileId)) return;
      const metadata = { requestId: document.documentId, actor: { type: 'system', id: 'documents' } } as const;
      await this.documents.execute(document, { kind: 'lose', fileId, now }, metadata);
    };
    await forEachDue(find, lose, { concurrency: CONCURRENCY, signal: stopping });
  }

  @Worker({ queue: DOCUMENT_QUEUE, concurrency: CONCURRENCY })
  async process({ payload: { tenantId, documentId } }: Job): Promise<void> {
    invariant(tenantId !== undefined && isTenantId(tenantId) && documentId !== undefined, 'a job names its document');
    // A large document is still due while it is being made.
    if (this.running.has(documentId)) return;
    this.running.add(documentId);
    try {
      await this.maker.make({ tenantId, documentId });
    } finally {
      this.running.delete(documentId);
    }
  }
}
