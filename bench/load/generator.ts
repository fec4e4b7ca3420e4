import { type LoadJob } from './job.js';
import { runJob } from './run.js';

// The process of the load generator. It takes one job, announces the start of the measurement, returns the result and ends.
process.once('message', (job: LoadJob) => {
  runJob(job, () => process.send?.({ measuring: true })).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => process.send?.({ error: String(error) }, () => process.exit(1)),
  );
});
