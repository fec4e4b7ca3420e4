import { type NoticeDays } from '../../kernel/expiry-notices.js';
import { type TrustedProxies } from './trusted-proxies.js';

export type Environment = 'sandbox' | 'production';
export type ProcessRole = 'api' | 'projections' | 'jobs';
/** The client for appends, reads and subscriptions: connections of our own, or @eventstore/db-client as for everything else. */
export type EventStoreClient = 'direct' | 'official';
/** `attested`: the network must attest the person as the request says. `open`: the caller attests. */
export type IssuancePolicy = 'attested' | 'open';
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
/** The samplers of the specification of OpenTelemetry. */
export type SamplerName = (typeof SAMPLERS)[number];
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The whole configuration, read once from the environment and validated. No other code reads process.env. */
export interface Config {
  readonly environment: Environment;
  /** Requests a minute of an account in a sandbox. */
  readonly sandboxRateLimit: number;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly managementPort: number | undefined;
  /** Seconds for which requests are served after the signal to stop. */
  readonly shutdownDelay: number;
  /** Seconds for which a connection without a request stays open. */
  readonly keepAlive: number;
  /** The URL at which callers reach the service, without a slash at its end. Undefined: the address where it listens. */
  readonly publicUrl: string | undefined;
  /** Beyond it an adjustment needs two operators, as distrust does. Undefined: nothing does. */
  readonly fourEyesCredits: number | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  readonly roles: ReadonlySet<ProcessRole>;
  /** Undefined: the embedded part. */
  readonly eventStoreUrl: string | undefined;
  readonly eventStoreClient: EventStoreClient;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Undefined: the development identity provider, or none. */
  readonly identityProvider:
    { readonly issuer: string; readonly jwksUrl: string; readonly audience: string } | undefined;
  /** The client as which the console signs operators in at the identity provider. */
  readonly consoleClient: { readonly id: string; readonly secret: string; readonly scope: string } | undefined;
  /**
   * Whether this process signs tokens itself. Only a sandbox without a provider does, and only callers on this machine can
   * reach it.
   */
  readonly developmentProvider: boolean;
  readonly tenantClaim: string;
  readonly scopeClaim: string | undefined;
  readonly payments: PaymentSettings;
  readonly keys: { readonly file: string | undefined; readonly inline: string | undefined };
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Files of the certificate under which wallets are asked. */
  readonly verifier: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** A file with the certificates of the authorities behind issuers of PIDs. */
  readonly pidTrustAnchors: string | undefined;
  readonly trustProxy: TrustedProxies;
  /** Whether webhooks may go to this machine's loopback addresses. */
  readonly allowLoopback: boolean;
  readonly logLevel: LogLevel;
  readonly issuancePolicy: IssuancePolicy;
  readonly timing: Timing;
  readonly erasure: ErasureTiming;
  /** Days before an expiry at which its owner is notified (30 and 7). */
  readonly noticeDays: NoticeDays;
  /** Milliseconds between two signed checkpoints of the log (60,000). */
  readonly checkpointEvery: number;
  /** Milliseconds from one check of an account for drift to the next (1,000). */
  readonly driftEvery: number;
  readonly screening: ScreeningSettings;
  /** Undefined: nothing is sent to a collector, and nothing of OpenTelemetry is loaded. */
  readonly telemetry: TelemetrySettings | undefined;
}

/** What is sent to an OpenTelemetry collector. */
export interface TelemetrySettings {
  readonly traces: TraceSettings | undefined;
  readonly metrics: { readonly url: string; readonly every: number } | undefined;
  /** Pairs as the specification writes them. */
  readonly headers: string | undefined;
  readonly serviceName: string;
  /** Of the resource; pairs likewise. */
  readonly attributes: string | undefined;
}

export interface TraceSettings {
  readonly url: string;
  readonly sampler: SamplerName;
  /** 0–1, for the samplers with a ratio. */
  readonly share: number;
  /** Spans that wait to be sent. */
  readonly maxQueueSize: number;
  /** Milliseconds from a span's end until it is sent (5,000). */
  readonly delay: number;
}

/** How the service reaches Stripe. */
export interface PaymentSettings {
  /** Undefined: the embedded simulator of Stripe. */
  readonly secretKey: string | undefined;
  /** Secrets of /webhooks/payments: one, or two while one replaces the other. */
  readonly webhookSecrets: ReadonlySet<string>;
  /** Undefined: Stripe's own address. */
  readonly apiUrl: string | undefined;
  /** Whom a tenant asks for the enterprise tier. */
  readonly salesContact: string;
}

export interface ScreeningSettings {
  /** Production screens against no list whose publisher answered longer ago. */
  readonly maxListAgeDays: number;
  /** Scores, 0–1: of a match, and of the name of a confirmed one. */
  readonly thresholds: { readonly potential: number; readonly confirmed: number };
  /** Whether this deployment downloads the lists each day. */
  readonly downloads: boolean;
  /** Milliseconds after which every instance screens against a new version (10,000). */
  readonly switchedWithin: number;
  /** Ids of further lists that production must have: those with a publisher are downloaded. */
  readonly requiredLists: ReadonlySet<string>;
  /** The dataset of OpenSanctions that office holders are downloaded from. */
  readonly pepDataset?: string;
}

/** The waiting times of deletion and erasure, milliseconds. Tests configure shorter ones. */
export interface ErasureTiming {
  /** The time in which a deleted identity can be restored (30 days; production accepts no other value). */
  readonly gracePeriod: number;
  /** Every instance forgets a destroyed data key within this time (60,000). */
  readonly keysForgotten: number;
  /** Interval between searches for identities whose erasure has become due (5,000). */
  readonly ageEvery: number;
  /** Interval between checks whether the day's purge has been carried out (60,000). */
  readonly purgeCheckEvery: number;
}

/** The waiting times of the charging protocol, milliseconds. Tests configure shorter ones. */
export interface Timing {
  /** Budget of one call to a store (1,500). */
  readonly storeBudget: number;
  /** A charged operation is refunded after this time (30,000). */
  readonly operationDeadline: number;
  /** A success is sent only if its audit entry was acknowledged within this time after the request's start (40,000). */
  readonly answerDeadline: number;
  /** A deduction is settled within this time after its response (5,000). */
  readonly settleWithin: number;
  /** A process may close another process's open deduction once it has seen it open for this time (45,000). */
  readonly foreignDeduction: number;
  /** Interval between searches for open deductions (5,000). */
  readonly sweepEvery: number;
  /** How long an offer waits for a wallet (900,000). */
  readonly offerLasts: number;
}
