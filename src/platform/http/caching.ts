import { type AccessRule } from './request-context.js';

const NEVER = 'no-store';

/** Of what is the same for everybody, caches may keep a copy for 5 minutes: that long a key may be known after its withdrawal. */
export const PUBLIC_DOCUMENT = 'public, max-age=300';

/** Where credentials decide, a cache that keeps answers all the same must at least tell callers apart. */
const DECIDED_BY = 'X-API-Key, Authorization';

/** What an answer says of being kept by caches, unless its operation says that it is a public document. */
export const cachingHeaders = (
  rule: AccessRule | { readonly kind: 'unlimited' } | undefined,
): Record<string, string> =>
  rule?.kind === 'public' ? { 'Cache-Control': NEVER } : { 'Cache-Control': NEVER, Vary: DECIDED_BY };

/** The same of an error, which may come of a public document too. */
export const ERROR_CACHING = { 'Cache-Control': NEVER } as const;
