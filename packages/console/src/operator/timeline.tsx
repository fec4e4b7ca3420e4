import { useQuery } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
import { actOf, isAct } from './acts.js';
import { useAddress } from '../parts/address.js';
import { saveFile } from '../parts/file.js';
import { Field } from '../parts/form.js';
import { many, words } from '../parts/format.js';
import { Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Exact, useZone } from '../parts/time.js';
import { Title } from '../parts/title.js';

const HOUR_MS = 3_600_000;
/** Entries of the operators' log of one page. */
const AT_ONCE = 200;
/** A longer incident needs a later beginning. */
const MAX_PAGES = 10;

interface Moment {
  readonly id: string;
  readonly at: string;
  readonly what: string;
  readonly who: string;
}

const acted = (entry: Answers['OperatorLogEntry']): Moment => {
  const { id, timestamp, action, outcome, justification, tenant_id: account, operator_name: name, operator } = entry;
  const why = justification === null ? '' : `, because “${justification}”`;
  return {
    ...{ id, at: timestamp },
    what: `${actOf(action)}${account === null ? '' : `, ${account}`}${outcome === 'done' ? '' : `: ${words(outcome)}`}${why}`,
    who: name ?? operator.slice(0, 12),
  };
};

const worked = ({ id, kind, projections, state, error, ...job }: Answers['ProjectionJobAnswer']): readonly Moment[] => {
  const what = `${kind === 'verify' ? 'Verification' : 'Rebuild'} of ${projections.join(', ')}`;
  const begun = { id: `${id} begun`, at: job.began_at, what: `${what} began`, who: 'service' };
  if (job.ended_at === null) return [begun];
  const end = `${what}: ${state}${error === null ? '' : ` with ${error}`}`;
  return [begun, { id: `${id} ended`, at: job.ended_at, what: end, who: 'service' }];
};

const changed = ({ name, status, since, sentence }: Answers['PartAnswer']): Moment => ({
  ...{ id: `part ${name}`, at: since, who: 'service' },
  what: `${words(name)} is ${status} since then: ${sentence}`,
});

/** Acts of operators since then, the newest first. */
const actsSince = async (since: Date): Promise<readonly Moment[]> => {
  const found: Moment[] = [];
  let cursor: number | null | undefined;
  for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
    const query = { limit: AT_ONCE, start_date: since.toISOString(), ...(cursor === undefined ? {} : { cursor }) };
    const { logs, pagination } = await answer(api.GET('/admin/audit-log', { params: { query } }));
    found.push(...logs.filter(isAct).map(acted));
    cursor = pagination.next_cursor;
  }
  return found;
};

const read = async (since: Date): Promise<readonly Moment[]> => {
  const [acts, { jobs }, { parts }] = await Promise.all([
    actsSince(since),
    answer(api.GET('/admin/projection-jobs', { params: { query: { limit: 50 } } })),
    answer(api.GET('/admin/now')),
  ]);
  return [...acts, ...jobs.flatMap(worked), ...parts.filter(({ status }) => status !== 'up').map(changed)]
    .filter(({ at }) => Date.parse(at) >= since.getTime())
    .sort((one, other) => one.at.localeCompare(other.at));
};

const reportOf = (since: Date, moments: readonly Moment[]): string =>
  [
    `# Timeline of the incident since ${since.toISOString()}`,
    '',
    ...moments.map(({ at, what, who }) => `- ${at} ${what} (${who})`),
    '',
  ].join('\n');

/** The value of a `datetime-local` field, in the zone of the page. */
const localOf = (zone: string, time: Date): string =>
  new Date(time.getTime() - (zone === 'UTC' ? 0 : time.getTimezoneOffset() * 60_000)).toISOString().slice(0, 16);

/** What was done since an incident began: acts of operators, jobs, and parts that are not up. For its report. */
export const Timeline = () => {
  const address = useAddress();
  const zone = useZone();
  const given = address.read('since');
  const begun = Number.isNaN(Date.parse(given)) ? new Date(Date.now() - 4 * HOUR_MS) : new Date(given);
  const since = new Date(Math.floor(Math.min(begun.getTime(), Date.now()) / 60_000) * 60_000);
  const moments = useQuery({ queryKey: ['timeline', since.toISOString()], queryFn: () => read(since) });
  const choose = (text: string): void => {
    const time = new Date(zone === 'UTC' ? `${text}Z` : text);
    if (!Number.isNaN(time.getTime())) address.write({ since: time.toISOString() });
  };
  const { data } = moments;
  return (
    <>
      <Title path="/admin/audit-log" query={{ start_date: since.toISOString() }} operator>
        Timeline
      </Title>
      <div className="filters">
        <Field label="The incident began" type="datetime-local" value={localOf(zone, since)} onChange={choose} />
        <button
          type="button"
          className="plain"
          disabled={data === undefined}
          onClick={() => saveFile('incident-timeline.md', 'text/markdown', reportOf(since, data ?? []))}
        >
          Save for the report
        </button>
      </div>
      <Show of={moments}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>Nothing was done since then, and every part is up.</Empty>
          ) : (
            <>
              <p>{many(rows.length, 'entry', 'entries')} since then.</p>
              <Table
                label="What was done, oldest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Time', cell: ({ at }) => <Exact at={at} /> },
                  { title: 'What', cell: ({ what }) => what },
                  { title: 'Who', cell: ({ who }) => who },
                ]}
              />
            </>
          )
        }
      </Show>
    </>
  );
};
