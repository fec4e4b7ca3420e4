import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { Title } from '../parts/title.js';
import { saveFile } from '../parts/file.js';
import { Ask } from '../parts/form.js';
import { many } from '../parts/format.js';
import { Badge, Failure, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { useRole } from '../who.js';

type Drifting = Answers['DriftAnswer']['differing'][number];
type Parked = Answers['ParkedEventsAnswer']['parked_events'][number];

/** The wrong rows of an account, and where the log has the right ones. */
const Finding = ({ account }: { readonly account: Drifting }) => (
  <details className="card">
    <summary>
      <Badge of="invalid" text={many(account.differing_rows, 'wrong row')} /> <code>{account.tenant_id}</code>{' '}
      <span className="quiet">
        since position {account.first_position ?? 'unknown'}, checked <Ago at={account.checked_at} />
      </span>
    </summary>
    <pre tabIndex={0}>
      <code>{JSON.stringify(account.findings, null, 2)}</code>
    </pre>
    <p className="actions">
      <Link href={`/replay?account=${account.tenant_id}`}>The events of the account</Link>
      <Link href="/projections">Verify or rebuild</Link>
    </p>
  </details>
);

const Drift = () => {
  const drift = useQuery({ queryKey: ['drift'], queryFn: () => answer(api.GET('/admin/drift')) });
  return (
    <section className="card">
      <h2>Drift</h2>
      <Show of={drift}>
        {({ accounts_checked: checked, differing, oldest_check: oldest }) => (
          <>
            <p className="quiet">
              {many(checked, 'account')} compared with the log
              {oldest !== null && (
                <>
                  , the oldest check <Ago at={oldest} />
                </>
              )}
              .
            </p>
            {differing.length === 0 ? (
              <p>
                <Badge of="valid" text="All rows match the log." />
              </p>
            ) : (
              differing.map((account) => <Finding key={account.tenant_id} account={account} />)
            )}
          </>
        )}
      </Show>
    </section>
  );
};

const Retry = ({ event }: { readonly event: Parked }) => {
  const mayRetry = useRole('admin');
  const retry = useAct(
    () => answer(api.POST('/admin/parked-events/{event_id}/retry', { params: { path: { event_id: event.event_id } } })),
    'parked',
  );
  if (event.retry_requested) return <span className="quiet">retry requested</span>;
  if (!mayRetry) return null;
  return (
    <Ask
      button="Retry"
      title={`Process ${event.event_type} by ${event.reactor} again`}
      className="plain small"
      act={() => retry.mutateAsync()}
    >
      <p>
        {event.event_type} by {event.reactor}. It is tried within seconds, and parked again where it fails.
      </p>
    </Ask>
  );
};

const ParkedEvents = () => {
  const parked = useQuery({ queryKey: ['parked'], queryFn: () => answer(api.GET('/admin/parked-events')) });
  return (
    <section className="card">
      <h2>Parked events</h2>
      <Show of={parked}>
        {({ parked_events: events, dead_jobs: jobs }) => (
          <>
            {events.length === 0 ? (
              <p>
                <Badge of="valid" text="Every event was processed." />
              </p>
            ) : (
              <Table
                label="Parked events, newest first"
                rows={events}
                keyOf={({ reactor, event_id }) => `${reactor} ${event_id}`}
                columns={[
                  { title: 'Parked', cell: ({ parked_at }) => <Ago at={parked_at} /> },
                  { title: 'By', cell: ({ reactor }) => reactor },
                  { title: 'Event', cell: ({ event_type }) => event_type },
                  { title: 'Stream', cell: ({ stream }) => <code>{stream}</code> },
                  { title: 'Position', number: true, cell: ({ position }) => position },
                  { title: 'Attempts', number: true, cell: ({ attempts }) => attempts },
                  { title: 'Error', cell: ({ kind }) => kind },
                  { title: '', cell: (event) => <Retry event={event} /> },
                ]}
              />
            )}
            {jobs.length > 0 && (
              <Table
                label="Dead jobs, newest first"
                rows={jobs}
                keyOf={({ queue, job_id }) => `${queue} ${job_id}`}
                columns={[
                  { title: 'Died', cell: ({ died_at }) => <Ago at={died_at} /> },
                  { title: 'Queue', cell: ({ queue }) => queue },
                  { title: 'Job', cell: ({ job_id }) => <code>{job_id}</code> },
                  { title: 'Times', number: true, cell: ({ times }) => times },
                  { title: 'Error', cell: ({ kind }) => kind },
                ]}
              />
            )}
          </>
        )}
      </Show>
    </section>
  );
};

const save = (incident: Answers['IncidentAnswer']): void =>
  saveFile(
    `incident-${incident.taken_at.replaceAll(/[:.]/g, '')}.json`,
    'application/json',
    JSON.stringify(incident, null, 2),
  );

const Snapshot = () => {
  const take = useAct(async () => save(await answer(api.GET('/admin/incident'))));
  return (
    <section className="card">
      <h2>Incident snapshot</h2>
      <p>Checkpoints, lags, versions, last errors, instances and load in one file, without personal data.</p>
      <button type="button" className="plain" disabled={take.isPending} onClick={() => take.mutate()}>
        Take a snapshot
      </button>
      {take.error !== null && <Failure error={take.error} />}
    </section>
  );
};

/** What needs an operator. */
export const Troubles = () => (
  <>
    <Title path="/admin/incident" operator>
      Drift and parked events
    </Title>
    <div className="about">
      <Drift />
      <ParkedEvents />
    </div>
    <Snapshot />
  </>
);
