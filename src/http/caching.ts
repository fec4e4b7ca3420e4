import { type AccessRule } from './request-context.js';

const NEVER = 'no-store';

/** For public documents, which caches may keep for 5 minutes. So a cache may serve a key for that long after its withdrawal. */
export const PUBLIC_DOCUMENT = 'public, max-age=300';

/** If a cache stores responses in spite of `no-store`, it must at least keep callers apart. */
const DECIDED_BY = 'X-API-Key, Authorization';

/** The caching headers of a response, unless its operation declares it a public document. */
export const cachingHeaders = (
  rule: AccessRule | { readonly kind: 'unlimited' } | undefined,
): Record<string, string> =>
  rule?.kind === 'public' ? { 'Cache-Control': NEVER } : { 'Cache-Control': NEVER, Vary: DECIDED_BY };

/** The caching headers of an error. A public document's route can return one too. */
export const ERROR_CACHING = { 'Cache-Control': NEVER } as const;

/** The type of an answer is the one that it says (fetch standard, nosniff). */
export const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' } as const;
