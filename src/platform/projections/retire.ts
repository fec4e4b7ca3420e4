import { leaderLock } from './checkpoints.js';
import { type ProjectionSession } from './session.js';

const dropRows = async (session: ProjectionSession, name: string): Promise<void> => {
  const schemas = await session.query<{ schema: string }>(
    `SELECT quote_ident(nspname) AS schema FROM pg_namespace WHERE nspname = $1 OR starts_with(nspname, $1 || '_')`,
    [`projection_${name}`],
  );
  for (const { schema } of schemas) await session.query(`DROP SCHEMA ${schema} CASCADE`);
  await session.query('DELETE FROM projections.checkpoints WHERE projection = $1', [name]);
  await session.query('DELETE FROM projections.versions WHERE projection = $1', [name]);
};

/**
 * Drops the rows of retired projections, so that no purged or erased data stays in them. Rows that an instance of an
 * older version still keeps up to date are left to a later start. Returns the names of the dropped projections.
 */
export const dropRetired = async (session: ProjectionSession, names: readonly string[]): Promise<readonly string[]> => {
  const dropped: string[] = [];
  for (const name of names) {
    const known = await session.query('SELECT 1 FROM projections.checkpoints WHERE projection = $1', [name]);
    if (known.length === 0 || !(await session.tryLock(leaderLock(name)))) continue;
    await session.transaction('projections', () => dropRows(session, name));
    dropped.push(name);
  }
  return dropped;
};
