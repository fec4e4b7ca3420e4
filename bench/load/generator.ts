import { type LoadJob } from './job.js';
import { runJob } from './run.js';

// The process of the load generator: takes one job, says when the measuring begins, gives the result, ends.
process.once('message', (job: LoadJob) => {
  runJob(job, () => process.send?.({ measuring: true })).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.exit(1)),
  );
});
