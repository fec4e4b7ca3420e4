import Fastify from 'fastify';
import { randomUUID } from 'node:crypto';
import pg from 'pg';

/**
 * The peer of the service: a Fastify handler with the least work of a charged look-up. It commits one INSERT and runs one
 * SELECT by an index. It checks no key, counts no limit and validates no body. It does not charge or refund.
 */
interface Check {
  readonly email: string;
  readonly phone_number: string;
}

const INSERT = { name: 'insert', text: 'INSERT INTO bare_entry (id, tenant, detail) VALUES ($1, $2, $3)' };
const SELECT = { name: 'select', text: 'SELECT tier, verified_at FROM bare_identity WHERE email = $1 AND phone = $2' };

const serve = async (job: { readonly databaseUrl: string; readonly connections: number }): Promise<void> => {
  const pool = new pg.Pool({ connectionString: job.databaseUrl, max: job.connections });
  const server = Fastify();
  server.post<{ Body: Check }>('/check', async (request) => {
    const { email, phone_number: phone } = request.body;
    const tenant = request.headers['x-api-key'];
    await pool.query({ ...INSERT, values: [randomUUID(), tenant, '{"operation":"check_eligibility","amount":1}'] });
    const { rows } = await pool.query<{ tier: string; verified_at: Date }>({ ...SELECT, values: [email, phone] });
    const [row] = rows;
    return row === undefined
      ? { found: false }
      : { found: true, tier: row.tier, last_verified_at: row.verified_at.toISOString() };
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ address });
};

process.once('message', (job: { readonly databaseUrl: string; readonly connections: number }) => {
  void serve(job).catch((error: unknown) => process.send?.({ error: String(error) }));
});
process.once('disconnect', () => process.exit(0));
