import { Unavailable } from '../kernel/unavailable.js';
import { DataKeyMissing } from '../platform/crypto/data-keys.js';
import { EncryptionKeyMissing } from '../platform/crypto/key-ring.js';
import { isRefusedStatement } from '../platform/postgres/database.js';
import { type DocumentKind } from './domain/document.events.js';

const causeOf = (error: unknown): string => {
  if (error instanceof DataKeyMissing || error instanceof EncryptionKeyMissing)
    return 'A key that its entries are sealed under is missing';
  if (isRefusedStatement(error)) return 'The database refused to read its entries or to keep the file';
  if (error instanceof Unavailable) return 'Its entries could not be read within a day';
  return 'A fault of this service kept the file from being made';
};

/** Why a document failed, as its account reads it. The service's own log has the error beside the document's id. */
export const failureReason = (error: unknown, kind: DocumentKind): string =>
  kind === 'report' ? `${causeOf(error)}. The report's cost is given back.` : `${causeOf(error)}. Ask for it again.`;
