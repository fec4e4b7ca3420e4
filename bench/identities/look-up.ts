import pg from 'pg';
import { ELIGIBILITY, EligibilityQueries } from '../../projections/eligibility/eligibility.queries.js';
import { schemaOf } from '../../src/log/project/checkpoints.js';
import { ReadModels, type Statement } from '../../src/log/project/projection.js';
import { Latencies } from '../load/latencies.js';

const LOOK_UPS = 5_000;

/** The read models over one connection. */
class ReadModelClient extends ReadModels {
  constructor(private readonly client: pg.Client) {
    super();
  }

  async query<Row extends object>({ text, values, name }: Statement & { readonly name?: string }): Promise<Row[]> {
    const named = name === undefined ? {} : { name };
    return (await this.client.query<Row>({ text, values: [...values], ...named })).rows;
  }

  snapshot(): Promise<never> {
    throw new Error('the look-up reads no snapshot');
  }

  nextCommit(): Promise<void> {
    return Promise.resolve();
  }
  waitFor(): Promise<boolean> {
    return Promise.resolve(true);
  }

  assertCurrent(): Promise<void> {
    return Promise.resolve();
  }
}

/** A connection that sees the eligibility index's tables. */
export const connectToIndex = async (databaseUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const live = `SELECT version FROM projections.checkpoints WHERE projection = $1 AND slot = 'live'`;
  const { rows } = await client.query<{ version: string }>(live, [ELIGIBILITY]);
  await client.query(`SET search_path TO ${schemaOf({ name: ELIGIBILITY, version: rows[0]?.version ?? '' }, 'live')}`);
  return client;
};

export interface LookUpTimes {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Times the service's own query for random identities, one at a time. The first pass warms the caches and does not count. */
export const timeLookUps = async (databaseUrl: string): Promise<LookUpTimes> => {
  const client = await connectToIndex(databaseUrl);
  try {
    const sample = 'SELECT identity_hash AS hash FROM attestations ORDER BY random() LIMIT $1';
    const { rows } = await client.query<{ hash: string }>(sample, [LOOK_UPS]);
    const queries = new EligibilityQueries(new ReadModelClient(client));
    const now = new Date();
    let latencies = new Latencies();
    for (let pass = 0; pass < 2; pass += 1) {
      latencies = new Latencies();
      for (const { hash } of rows) {
        const startedAt = performance.now();
        if ((await queries.find(hash, now)) === undefined) throw new Error('an attestation was not found');
        latencies.record(performance.now() - startedAt);
      }
    }
    const [p50 = 0, p99 = 0] = latencies.quantiles(0.5, 0.99);
    return { p50, p99 };
  } finally {
    await client.end();
  }
};
