import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '../kernel/clock.js';
import { EncryptedFiles } from './encrypted-files.js';
import { type ErasedSubject, ErasureStep, type Erases } from '../contract/erasure/erasure-step.js';
import { CLOCK } from '../platform/tokens.js';
import { DocumentRepository, type DocumentTarget } from './document-repository.js';

/** Destroys every report and export of the tenant that names the person. */
@ErasureStep({ kind: 'documents' })
@Injectable()
export class DocumentsErasure implements Erases {
  constructor(
    private readonly files: EncryptedFiles,
    private readonly documents: DocumentRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async erase({ tenantId, identityHash, decisionId, requestId }: ErasedSubject): Promise<number> {
    const named = await this.files.documentsNaming(tenantId, identityHash);
    const metadata = { requestId, causationId: decisionId, actor: { type: 'system', id: 'erasure' } } as const;
    const expire = async (document: DocumentTarget): Promise<number> => {
      const command = { kind: 'expire', reason: 'erasure', now: this.clock.now() } as const;
      return (await this.documents.execute(document, command, metadata)).appended.length;
    };
    let expired = 0;
    for (const document of named) {
      const before = await this.documents.load(document);
      if (before.state.status === 'completed') expired += await expire(document);
      await this.files.destroyOthers(document, null);
      // A document in the making starts again without the person, unless it was completed meanwhile.
      const { state } = await this.documents.load(document);
      const file = state.status === 'completed' ? state.file : undefined;
      if (file !== undefined && !(await this.files.isPresent(file.fileId))) expired += await expire(document);
    }
    return expired;
  }
}
