/** Injection tokens for what has no class of its own. */
export const CLOCK = Symbol('Clock');
export const CONFIG = Symbol('Config');
export const STORE_ADDRESSES = Symbol('StoreAddresses');

/** Where the stores are, embedded or not. */
export interface StoreAddresses {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
}
