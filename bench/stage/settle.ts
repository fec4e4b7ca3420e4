import pg from 'pg';

const withClient = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Runs statistics, vacuum and checkpoint in every database of the cluster. Postgres would otherwise run them some time after a
 * big load, during a measurement.
 */
export const settle = async (databaseUrl: string): Promise<void> => {
  const list = 'SELECT datname AS name FROM pg_database WHERE datallowconn AND NOT datistemplate';
  const { rows } = await withClient(databaseUrl, (client) => client.query<{ name: string }>(list));
  for (const { name } of rows) {
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    await withClient(url.href, (client) => client.query('VACUUM (ANALYZE)'));
  }
  await withClient(databaseUrl, (client) => client.query('CHECKPOINT'));
};
