import { type Decider } from '../../kernel/decider.js';
import { type DocumentCommand } from './document.commands.js';
import { type CompletedFile, type DocumentEvent, type DocumentRequested } from './document.events.js';

export type Document =
  | { readonly status: 'none' }
  | {
      readonly status: 'generating' | 'completed' | 'failed' | 'expired';
      readonly request: DocumentRequested['data'];
      /** What paid for it: at most one of them is settled. */
      readonly deductionIds: readonly string[];
      /** The file of a completed document, also after it expired. */
      readonly file?: CompletedFile;
      readonly failure?: { readonly reason: string; readonly failedAt: string };
    };

const initialState = (): Document => ({ status: 'none' });

/** Changes nothing where the document has gone on already: jobs and requests repeat their commands. */
const decide = (command: DocumentCommand, document: Document): readonly DocumentEvent[] => {
  if (document.status === 'none') {
    return command.kind === 'request' ? [{ type: 'DocumentRequested.v1', data: command.request }] : [];
  }
  const { documentId, kind } = document.request;
  const generating = document.status === 'generating';
  switch (command.kind) {
    case 'request': {
      const { deductionId, requestedAt: paidAt } = command.request;
      const isNew = deductionId !== null && !document.deductionIds.includes(deductionId);
      return isNew ? [{ type: 'DocumentPaid.v1', data: { documentId, deductionId, paidAt } }] : [];
    }
    case 'complete':
      return generating ? [{ type: 'DocumentCompleted.v1', data: { documentId, kind, ...command.file } }] : [];
    case 'fail': {
      const data = { documentId, kind, reason: command.reason, failedAt: command.now.toISOString() };
      return generating ? [{ type: 'DocumentFailed.v1', data }] : [];
    }
    case 'expire': {
      const { reason, now } = command;
      const data = { documentId, fileId: document.file?.fileId ?? null, reason, expiredAt: now.toISOString() };
      return generating || document.status === 'completed' ? [{ type: 'DocumentExpired.v1', data }] : [];
    }
  }
};

const evolve = (document: Document, event: DocumentEvent): Document => {
  if (event.type === 'DocumentRequested.v1') {
    const { deductionId } = event.data;
    return { status: 'generating', request: event.data, deductionIds: deductionId === null ? [] : [deductionId] };
  }
  if (document.status === 'none') return document;
  switch (event.type) {
    case 'DocumentPaid.v1':
      return { ...document, deductionIds: [...document.deductionIds, event.data.deductionId] };
    case 'DocumentCompleted.v1': {
      const { fileId, sha256, bytes, completedAt, expiresAt } = event.data;
      return { ...document, status: 'completed', file: { fileId, sha256, bytes, completedAt, expiresAt } };
    }
    case 'DocumentFailed.v1': {
      const { reason, failedAt } = event.data;
      return { ...document, status: 'failed', failure: { reason, failedAt } };
    }
    case 'DocumentExpired.v1':
      return { ...document, status: 'expired' };
  }
};

export const documentDecider: Decider<Document, DocumentCommand, DocumentEvent> = { initialState, decide, evolve };
