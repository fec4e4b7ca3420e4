import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { Gauge } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Ask } from '../parts/form.js';
import { count, many } from '../parts/format.js';
import { useStream } from '../parts/live.js';
import { Badge, Failure, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { useRole } from '../who.js';

type Projection = Answers['ProjectionAnswer'];
type Job = Answers['ProjectionJobAnswer'];

/** What the table comes to, as a sentence. */
const standing = (rows: readonly Projection[]): string => {
  const failing = rows.filter(({ failure }) => failure !== null).length;
  const behind = rows.filter(({ lag }) => lag === null || Number(lag) > 0).length;
  if (failing > 0) return `${many(failing, 'projection')} stopped: see Trouble.`;
  return behind === 0 ? `All ${rows.length} are up to date.` : `${many(behind, 'projection')} behind the log.`;
};

/** Milliseconds between two looks, each an entry of the operators' log, while no stream is open. */
const ASK_AGAIN = 5_000;

const shareOf = ({ position, goal, state }: Job): number => {
  if (state === 'done') return 100;
  return position === null || goal === null || goal === '0' ? 0 : (100 * Number(position)) / Number(goal);
};

const Results = ({ job }: { readonly job: Job }) => (
  <ul className="entries">
    {job.results.map(({ projection, equal, tables, events, seconds }) => (
      <li key={projection}>
        <strong>{projection}</strong> <Badge of={equal ? 'valid' : 'invalid'} text={equal ? 'equal' : 'DIFFERENT'} />{' '}
        <span className="quiet">
          {many(events, 'event')} in {seconds} s
        </span>
        {tables
          .filter((table) => !table.equal)
          .map((table) => (
            <details key={table.table} open>
              <summary>
                {table.table}: {many(table.differing_rows, 'row')} of {count(table.live_rows)}
              </summary>
              <pre tabIndex={0}>
                <code>{JSON.stringify(table.differences, null, 2)}</code>
              </pre>
            </details>
          ))}
      </li>
    ))}
  </ul>
);

/** One job. Its errors stay in view until a later job takes its place in the list. */
const JobCard = ({ job }: { readonly job: Job }) => {
  const whole = job.projections.length > 3 ? many(job.projections.length, 'projection') : job.projections.join(', ');
  return (
    <section className="card" aria-label={`${job.kind === 'verify' ? 'Verification' : 'Rebuild'} of ${whole}`}>
      <h2>
        {job.kind === 'verify' ? 'Verification' : 'Rebuild'} of {whole} <Badge of={job.state} />
      </h2>
      <Gauge label={`${Math.round(shareOf(job))} percent of the log read`} share={shareOf(job)} />
      <p className="quiet">
        {many(job.events, 'event')} read, begun <Ago at={job.began_at} />
        {job.doing !== null && `, ${job.doing}`}
      </p>
      {job.error !== null && (
        <p className="failure" role="alert">
          It ended with {job.error}. What is not listed below kept its live rows; the log of the service says more.
        </p>
      )}
      <Results job={job} />
    </section>
  );
};

const Actions = ({ name, isBusy }: { readonly name: string; readonly isBusy: boolean }) => {
  const mayRebuild = useRole('admin');
  const path = { params: { path: { name } } };
  const verify = useAct(() => answer(api.POST('/admin/projections/{name}/verify', path)), 'projection jobs');
  const rebuild = useAct(
    (reason: string) => answer(api.POST('/admin/projections/{name}/rebuild', { ...path, body: { reason } })),
    'projection jobs',
  );
  return (
    <>
      <span className="actions">
        <button
          type="button"
          className="plain small"
          disabled={isBusy || verify.isPending}
          aria-label={`Verify: ${name}`}
          onClick={() => verify.mutate()}
        >
          Verify
        </button>
        {mayRebuild && (
          <Ask
            button="Rebuild"
            className="plain small"
            title={`Rebuild ${name}`}
            reason="Reason"
            phrase={name}
            act={rebuild.mutateAsync}
          >
            <p>The rows are made anew beside the live ones, compared, and put in their place. The service goes on.</p>
          </Ask>
        )}
      </span>
      {verify.error !== null && <Failure error={verify.error} />}
    </>
  );
};

const Trouble = ({ failure, set_aside: aside }: Projection) => (
  <>
    {failure !== null && <Badge of="failed" text={`stopped at ${failure.position}: ${failure.cause}`} />}
    {aside.length > 0 && <Badge of="pending" text={`goes on without ${many(aside.length, 'event')}`} />}
    {failure === null && aside.length === 0 && '–'}
  </>
);

const Checked = ({ last_verification: last }: Projection) => {
  if (last === null) return 'never';
  return (
    <>
      <Badge
        of={last.differing_rows === 0 ? 'valid' : 'invalid'}
        text={last.differing_rows === 0 ? 'equal' : many(last.differing_rows, 'row')}
      />{' '}
      <Ago at={last.verified_at} />
    </>
  );
};

/** Where the read models stand, as a stream says, and their verification and rebuild. */
export const Projections = () => {
  const queries = useQueryClient();
  const isHearing = useStream('/admin/stream', (type, data) => {
    if (type === 'projections') queries.setQueryData(['projections'], data);
    if (type === 'jobs') queries.setQueryData(['projection jobs'], data);
  });
  const projections = useQuery({
    queryKey: ['projections'],
    queryFn: () => answer(api.GET('/admin/projections')),
    refetchInterval: isHearing ? false : ASK_AGAIN,
  });
  const jobs = useQuery({
    queryKey: ['projection jobs'],
    queryFn: () => answer(api.GET('/admin/projection-jobs')),
    refetchInterval: isHearing ? false : ASK_AGAIN,
  });
  const isBusy = jobs.data?.jobs.some(({ state }) => state === 'running') === true;
  return (
    <>
      <Title path="/admin/projections" operator>
        Projections
      </Title>
      <Show of={projections}>
        {({ head, projections: rows }) => (
          <>
            <p>
              {standing(rows)} The log ends at position {count(Number(head))}.
            </p>
            <Table
              label="Projections"
              rows={rows}
              keyOf={({ name }) => name}
              marked={({ failure }) => failure !== null}
              columns={[
                { title: 'Projection', cell: ({ name }) => name },
                { title: 'Version', cell: ({ version }) => version },
                {
                  title: 'Position',
                  number: true,
                  cell: ({ position }) => (position === null ? '–' : count(Number(position))),
                },
                { title: 'Lag', number: true, cell: ({ lag }) => (lag === null ? '–' : count(Number(lag))) },
                { title: 'Trouble', cell: (row) => <Trouble {...row} /> },
                { title: 'Verified', cell: (row) => <Checked {...row} /> },
                { title: '', cell: ({ name }) => <Actions name={name} isBusy={isBusy} /> },
              ]}
            />
            <p className="actions">
              <span>All of them, reading the log once:</span>
              <Actions name="all" isBusy={isBusy} />
            </p>
          </>
        )}
      </Show>
      <h2>Jobs</h2>
      <Show of={jobs}>
        {({ jobs: rows }) =>
          rows.length === 0 ? <p className="quiet">None yet.</p> : rows.map((job) => <JobCard key={job.id} job={job} />)
        }
      </Show>
    </>
  );
};
