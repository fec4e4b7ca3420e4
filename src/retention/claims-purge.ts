import { type AgedHeldClaim, agedHeldClaims, askersBefore } from '../../projections/claims/claims.queries.js';
import { type TenantId } from '../kernel/ids.js';
import { paginate } from '../kernel/paginate.js';
import { type ReadModels } from '../platform/projections/projection.js';
import { askedClaimsOf, heldClaimOf } from './retention.process.js';
import { type PurgeStores, purgeStream } from './stream-purge.js';

interface Stores extends PurgeStores {
  readonly readModels: ReadModels;
}

/** Purges a holder's claim whole: it was decided, or has run out, years ago. */
const purgeHeld = async (stores: Stores, { tenantId, claimId }: AgedHeldClaim, before: Date): Promise<void> => {
  const ageing = heldClaimOf(tenantId, claimId);
  const [last] = await stores.store.read(ageing.stream, { direction: 'backwards', maxCount: 1 });
  if (last === undefined) return;
  await purgeStream(stores, ageing, { firstKept: Number(last.revision) + 1, occurredBefore: before });
};

/** Purges an asker's claims up to the first event that must be kept. No decision needs claims that are so old. */
const purgeAsked = async (stores: Stores, tenantId: TenantId, before: Date): Promise<void> => {
  const ageing = askedClaimsOf(tenantId);
  let firstKept = 0;
  for await (const page of stores.store.readPages(ageing.stream)) {
    const kept = page.find(({ metadata }) => new Date(metadata.time) >= before);
    firstKept = Number(kept?.revision ?? (page.at(-1)?.revision ?? -1n) + 1n);
    if (kept !== undefined) break;
  }
  if (firstKept > 0) await purgeStream(stores, ageing, { firstKept, occurredBefore: before });
};

/** Purges the claims of both sides that were requested before this time. */
export const purgeClaims = async (stores: Stores, before: Date): Promise<void> => {
  const held = (last: AgedHeldClaim | undefined, limit: number) =>
    agedHeldClaims(stores.readModels, before, last, limit);
  for await (const page of paginate(held)) for (const claim of page) await purgeHeld(stores, claim, before);
  const askers = (last: TenantId | undefined, limit: number) =>
    askersBefore(stores.readModels, before, last ?? '', limit);
  for await (const page of paginate(askers)) for (const tenantId of page) await purgeAsked(stores, tenantId, before);
};
