import { ProjectionSession } from '../../src/platform/projections/session.js';
import { readCheckpoint, schemaOf } from '../../src/platform/projections/checkpoints.js';

/** Where the rows of a running service stand, whose code may have another hash than the sources have. */
export const liveSchema = async (databaseUrl: string, name: string): Promise<string> => {
  const session = await ProjectionSession.open(databaseUrl);
  try {
    const hash = (await readCheckpoint(session, name))?.hash ?? '';
    return schemaOf({ name, hash }, 'live');
  } finally {
    session.close();
  }
};
