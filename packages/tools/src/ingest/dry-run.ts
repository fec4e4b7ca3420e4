import { stat } from 'node:fs/promises';
import { faultsIn } from './batch-client.js';
import { type Batch, inBatches } from './batches.js';
import { Interrupted } from './connection.js';
import { rejectedOf } from './judgement.js';
import { type Outcome, Progress } from './progress.js';
import { type RecordFile } from './record-file.js';
import { type RejectedFile, type RejectedLine } from './rejected-file.js';
import { type ServiceRules } from './service-rules.js';

const judge = (batch: Batch, rules: ServiceRules): readonly RejectedLine[] => {
  const records = batch.lines.flatMap(({ record }) => (record === undefined ? [] : [JSON.parse(record) as unknown]));
  return rejectedOf(batch, faultsIn(rules.judge(records)));
};

/** Judges the lines of a file by the service's rules, and sends nothing. */
export const dryRun = async (
  file: string,
  records: RecordFile,
  rejected: RejectedFile,
  { rules, print, signal }: { rules: ServiceRules; print: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<Outcome> => {
  const progress = new Progress(print);
  await rejected.clear();
  progress.start((await stat(file)).size);
  try {
    for await (const batch of inBatches(records.lines(progress.pass))) {
      if (signal?.aborted === true) throw new Interrupted();
      const lines = judge(batch, rules);
      await rejected.append(lines);
      progress.count(batch, lines.length);
    }
  } finally {
    progress.stop();
  }
  print(`dry run, nothing was sent: ${progress.report}`);
  return progress.outcome;
};
