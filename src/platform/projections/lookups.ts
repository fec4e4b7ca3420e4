/** What queries merge their look-ups of the moment with. */
export { MergedLookup } from '../crypto/merged-lookup.js';
