export type Environment = 'sandbox' | 'production';
export type ProcessRole = 'api' | 'projections' | 'jobs';
/** What appends, reads and subscriptions go through: connections of our own, or @eventstore/db-client as everything else. */
export type EventStoreClient = 'direct' | 'official';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The whole configuration, read once from the environment and validated; nothing else reads process.env. */
export interface Config {
  readonly environment: Environment;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  readonly managementPort: number | undefined;
  /** Where callers reach the service, without a slash at its end; undefined: where it listens. */
  readonly publicUrl: string | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  readonly roles: ReadonlySet<ProcessRole>;
  /** Undefined: the embedded part. */
  readonly eventStoreUrl: string | undefined;
  readonly eventStoreClient: EventStoreClient;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  /** Undefined: the development identity provider, or none. */
  readonly identityProvider:
    { readonly issuer: string; readonly jwksUrl: string; readonly audience: string } | undefined;
  /** Whether this process signs tokens itself: in a sandbox without a provider, where nobody beyond this machine gets through. */
  readonly developmentProvider: boolean;
  readonly tenantClaim: string;
  readonly keys: { readonly file: string | undefined; readonly inline: string | undefined };
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly trustProxy: boolean;
  readonly logLevel: LogLevel;
  readonly timing: Timing;
  readonly erasure: ErasureTiming;
}

/** The waiting times of deletion and erasure, milliseconds; configurable so that tests need not wait. */
export interface ErasureTiming {
  /** How long a deleted identity can be restored (30 days; production takes nothing else). */
  readonly gracePeriod: number;
  /** Every instance forgets a destroyed data key within this time (60,000). */
  readonly keysForgotten: number;
  /** How often what has become due is looked for (5,000). */
  readonly ageEvery: number;
  /** How often it is looked whether the day's purge has been carried out (60,000). */
  readonly purgeCheckEvery: number;
}

/** The waiting times of the charging protocol, milliseconds; configurable so that tests need not wait. */
export interface Timing {
  /** Budget of one call to a store (1,500). */
  readonly storeBudget: number;
  /** A charged operation is refunded after this long (30,000). */
  readonly operationDeadline: number;
  /** A success is sent only if its audit entry was acknowledged within this time of the request's start (40,000). */
  readonly answerDeadline: number;
  /** What was answered is settled within this time (5,000). */
  readonly settleWithin: number;
  /** An open foreign deduction may be closed after having been seen open this long (45,000). */
  readonly foreignDeduction: number;
  /** How often open deductions are looked for (5,000). */
  readonly sweepEvery: number;
}
