import { ProjectionSession } from '../../src/platform/projections/session.js';
import { readCheckpoint, schemaOf } from '../../src/platform/projections/checkpoints.js';

/** Where the rows of a running service stand, which may be of another version than the sources are. */
export const liveSchema = async (databaseUrl: string, name: string): Promise<string> => {
  const session = await ProjectionSession.open(databaseUrl);
  try {
    const version = (await readCheckpoint(session, name))?.version ?? '';
    return schemaOf({ name, version }, 'live');
  } finally {
    session.close();
  }
};
