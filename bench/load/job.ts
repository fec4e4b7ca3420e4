/** What the load generator is told to do, in a process of its own. */
export interface LoadJob {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** One for each tenant; requests take them in turn. */
  readonly apiKeys: readonly string[];
  /** Identities are numbered; each check draws one at random. */
  readonly identities: { readonly first: number; readonly count: number };
  readonly connections: number;
  readonly warmupSeconds: number;
  /** Measured after the warm-up. */
  readonly seconds: number;
  /** Open loop: requests a second, whether or not earlier ones are answered. Absent: closed loop, each connection busy. */
  readonly rate?: number | undefined;
}

export interface LoadResult {
  readonly seconds: number;
  /** Answered with success. */
  readonly answered: number;
  /** Answered otherwise. */
  readonly failed: number;
  readonly perSecond: number;
  /** Milliseconds; in an open loop from the moment at which the request was due. */
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
  /** Open loop: requests that were sent more than 5 ms after they were due, since every connection was busy. */
  readonly late: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** 200 answers that found somebody. */
  readonly found: number;
  /** The first answer that was no success. */
  readonly fault: string | undefined;
  /** Processor time of the generator itself, seconds. */
  readonly generatorCpu: number;
}
