import { type Owner, type World } from './world.js';

export const account = (owner: Owner): Promise<Record<string, string>> => Promise.resolve({ id: owner.tenantId });
/** A new account, for calls that change one. */
export const fresh = async (_owner: Owner, world: World): Promise<Record<string, string>> => ({
  id: (await world.newTenant()).tenantId,
});
