import { type Decider } from '../../kernel/decider.js';
import { refuse } from '../../kernel/rejection.js';
import { type DocumentCommand } from './document.commands.js';
import { type CompletedFile, type DocumentEvent, type DocumentRequested } from './document.events.js';

/** A document that exists, whatever became of it. */
export type Existing = Extract<Document, { readonly request: DocumentRequested['data'] }>;

export type Document =
  | { readonly status: 'none' }
  | { readonly status: 'withdrawn' }
  | {
      readonly status: 'generating' | 'completed' | 'failed' | 'expired';
      readonly request: DocumentRequested['data'];
      /** When it was requested, or its file was lost. */
      readonly dueSince: string;
      /** The file of a completed document, also after it expired. */
      readonly file?: CompletedFile;
      readonly failure?: { readonly reason: string; readonly failedAt: string };
    };

const initialState = (): Document => ({ status: 'none' });

/** Changes nothing where the document has gone on already: jobs and requests repeat their commands. */
const decide = (command: DocumentCommand, document: Document): readonly DocumentEvent[] => {
  if (document.status === 'withdrawn') {
    // Its request has failed meanwhile, and its credits went back.
    if (command.kind === 'request') throw refuse('timeout');
    return [];
  }
  if (command.kind === 'withdraw') {
    const data = { documentId: command.documentId, withdrawnAt: command.now.toISOString() };
    return [{ type: 'DocumentWithdrawn.v1', data }];
  }
  if (document.status === 'none') {
    return command.kind === 'request' ? [{ type: 'DocumentRequested.v1', data: command.request }] : [];
  }
  const { documentId, kind } = document.request;
  const generating = document.status === 'generating';
  switch (command.kind) {
    case 'request':
      return [];
    case 'complete':
      return generating ? [{ type: 'DocumentCompleted.v1', data: { documentId, kind, ...command.file } }] : [];
    case 'fail': {
      const data = { documentId, kind, reason: command.reason, failedAt: command.now.toISOString() };
      return generating ? [{ type: 'DocumentFailed.v1', data }] : [];
    }
    case 'lose': {
      const { fileId, now } = command;
      if (document.status !== 'completed' || document.file?.fileId !== fileId) return [];
      return [{ type: 'DocumentFileLost.v1', data: { documentId, fileId, lostAt: now.toISOString() } }];
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
    return { status: 'generating', request: event.data, dueSince: event.data.requestedAt };
  }
  if (event.type === 'DocumentWithdrawn.v1') return { status: 'withdrawn' };
  if (document.status === 'none' || document.status === 'withdrawn') return document;
  switch (event.type) {
    case 'DocumentCompleted.v1': {
      const { fileId, sha256, bytes, completedAt, expiresAt } = event.data;
      return { ...document, status: 'completed', file: { fileId, sha256, bytes, completedAt, expiresAt } };
    }
    case 'DocumentFileLost.v1':
      return { status: 'generating', request: document.request, dueSince: event.data.lostAt };
    case 'DocumentFailed.v1': {
      const { reason, failedAt } = event.data;
      return { ...document, status: 'failed', failure: { reason, failedAt } };
    }
    case 'DocumentExpired.v1':
      return { ...document, status: 'expired' };
  }
};

export const documentDecider: Decider<Document, DocumentCommand, DocumentEvent> = { initialState, decide, evolve };
