import { type Clock, systemClock } from '../../kernel/clock.js';
import { type FieldFault } from '../../http/failure.js';
import { namesOf } from '../../http/validate.js';
import { nearestName } from '../../kernel/nearest-name.js';
import { judgeBatch } from './batch.dto.js';
import { RecordBody } from './record.dto.js';

/** What the service asks of ingested records, for programs that judge a file before they send it. */
export interface RecordRules {
  readonly fields: readonly string[];
  /** The field that was probably meant. */
  readonly nearest: (name: string) => string | undefined;
  /** The faults of a batch, as the service would answer them: `records[2].email`. */
  readonly judge: (records: readonly unknown[]) => readonly FieldFault[];
}

export const recordRules = (clock: Pick<Clock, 'now'> = systemClock): RecordRules => {
  const fields = [...namesOf(RecordBody)];
  return {
    fields,
    nearest: (name) => nearestName(name, fields),
    judge: (records) => judgeBatch({ records: [...records] }, clock).faults,
  };
};
