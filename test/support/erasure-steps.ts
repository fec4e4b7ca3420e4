import { type Database } from '../../src/platform/postgres/database.js';
import { ErasureSteps } from '../../src/contract/erasure/erasure-steps.js';
import { StoredAnswersErasure } from '../../src/idempotency/stored-answers.erasure.js';

/** The steps of this database, as discovery finds them in the service. */
export const erasureStepsOf = (database: Database): ErasureSteps =>
  new ErasureSteps(() => [{ kind: 'stored_answers', step: new StoredAnswersErasure(database) }]);
