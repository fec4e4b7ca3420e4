import { type Queryable } from '../postgres/database.js';

const DAY = 24 * 3_600_000;
/** A key is used on its own UTC day. A response under it is kept for 24 hours more. One day is a margin. */
const DAYS_KEPT = 3;
const MAX_AT_ONCE = 10_000;

/** The owner of the key that seals the responses about a person that are stored on this UTC day. */
export const answerSubject = (identityId: string, day: Date): string =>
  `${identityId}/answers/${day.toISOString().slice(0, 10)}`;

/** Every owner of such a key that can exist at `now`; tomorrow's too, since instances' clocks differ. */
export const answerSubjects = (identityId: string, now: Date): string[] =>
  Array.from({ length: DAYS_KEPT + 3 }, (_, index) =>
    answerSubject(identityId, new Date(now.getTime() + (1 - index) * DAY)),
  );

/**
 * Destroys the keys of responses that are no longer kept. No event is ever sealed under such a key, and no response is stored
 * under it after its day. So the key's age alone decides.
 */
export const destroyOldAnswerKeys = async (database: Queryable, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - DAYS_KEPT * DAY);
  for (;;) {
    const rows = await database.query(
      `DELETE FROM data_keys WHERE id IN
         (SELECT id FROM data_keys WHERE subject LIKE '%/answers/%' AND created_at < $1 ORDER BY created_at LIMIT $2)
       RETURNING 1`,
      [before, MAX_AT_ONCE],
    );
    if (rows.length < MAX_AT_ONCE) return;
  }
};
