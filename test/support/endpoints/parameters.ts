import { type Owner, type World } from './world.js';

export const account = (owner: Owner): Promise<Record<string, string>> => Promise.resolve({ id: owner.tenantId });
/** An account of its own, for what changes one. */
export const fresh = async (_owner: Owner, world: World): Promise<Record<string, string>> => ({
  id: (await world.newTenant()).tenantId,
});
