import { type RecordFault } from './batch-client.js';
import { type Batch } from './batches.js';
import { type RejectedLine } from './rejected-file.js';

/** The lines of a batch that were not read, and those whose records were refused, in the order of the file. */
export const rejectedOf = ({ lines }: Batch, faults: readonly RecordFault[]): RejectedLine[] => {
  const sent = lines.filter(({ record }) => record !== undefined);
  const unread = lines.flatMap(({ fault, ...line }) => (fault === undefined ? [] : [{ ...line, ...fault }]));
  const refused = faults.flatMap(({ record_index, code, detail }) => {
    const at = sent[record_index];
    return at === undefined ? [] : [{ ...at, code, detail }];
  });
  return [...unread, ...refused].sort((one, other) => one.line - other.line);
};
