/** Injection tokens for values without a class of their own. */
export const CLOCK = Symbol('Clock');
export const CONFIG = Symbol('Config');
export const STORE_ADDRESSES = Symbol('StoreAddresses');
export const TELEMETRY = Symbol('Telemetry');

/** The addresses of the stores, embedded or not. */
export interface StoreAddresses {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
}
