import { type CompletedFile, type DocumentRequested, type ExpiryReason } from './document.events.js';

export type DocumentCommand =
  | { readonly kind: 'request'; readonly request: DocumentRequested['data'] }
  | { readonly kind: 'complete'; readonly file: CompletedFile }
  /** `reason` is shown to the account. */
  | { readonly kind: 'fail'; readonly reason: string; readonly now: Date }
  /** The file of a completed document is gone, though nothing expired it. */
  | { readonly kind: 'lose'; readonly fileId: string; readonly now: Date }
  | { readonly kind: 'expire'; readonly reason: ExpiryReason; readonly now: Date }
  /** Undoes a report whose credits went back, or forestalls it. */
  | { readonly kind: 'withdraw'; readonly documentId: string; readonly now: Date };
