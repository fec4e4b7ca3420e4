import { ProjectionSession } from '../../src/platform/projections/session.js';
import { readCheckpoint, schemaOf } from '../../src/platform/projections/checkpoints.js';

/** The schema with the rows of a running service. Its version may differ from the sources. */
export const liveSchema = async (databaseUrl: string, name: string): Promise<string> => {
  const session = await ProjectionSession.open(databaseUrl);
  try {
    const version = (await readCheckpoint(session, name))?.version ?? '';
    return schemaOf({ name, version }, 'live');
  } finally {
    session.close();
  }
};
