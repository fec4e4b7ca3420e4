/** A job of the load generator, which runs in its own process. */
export interface LoadJob {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** One key for each tenant. Requests take them in turn. */
  readonly apiKeys: readonly string[];
  /** Identities are numbered. Each check draws one at random. */
  readonly identities: { readonly first: number; readonly count: number };
  readonly connections: number;
  readonly warmupSeconds: number;
  /** Measured after the warm-up. */
  readonly seconds: number;
  /**
   * Requests per second of an open loop, sent without waiting for earlier responses. Absent: a closed loop with every
   * connection busy.
   */
  readonly rate?: number | undefined;
}

export interface LoadResult {
  readonly seconds: number;
  /** Successful responses. */
  readonly answered: number;
  /** Other responses. */
  readonly failed: number;
  readonly perSecond: number;
  /** Milliseconds. In an open loop they count from the moment at which the request was due. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  /** Open loop: requests that were sent more than 5 ms after they were due, since every connection was busy. */
  readonly late: number;
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** 200 responses that found an identity. */
  readonly found: number;
  /** The first response without success. */
  readonly fault: string | undefined;
  /** Processor time of the generator itself, in seconds. */
  readonly generatorCpu: number;
}
