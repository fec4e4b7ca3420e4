import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { answer, api, type paths } from './api.js';
import { Empty, Exact, Show, Table, words } from './ui.js';

type Query = NonNullable<paths['/api/v1/compliance/audit-log']['get']['parameters']['query']>;
type Action = NonNullable<Query['action']>[number];

const PAGE = 100;

interface Filters {
  readonly action: string;
  readonly request: string;
  readonly from: string;
}

/** What the log can hold, in the order in which a reader looks for it. Total: a new action does not compile without its line. */
const ACTIONS: Readonly<Record<Action, true>> = {
  eligibility_check: true,
  data_ingested: true,
  identity_read: true,
  identity_deleted: true,
  identity_restored: true,
  identity_erased: true,
  credential_issued: true,
  credential_verified: true,
  credential_read: true,
  credential_revoked: true,
  credential_suspended: true,
  credential_reinstated: true,
  sanctions_check: true,
  pep_check: true,
  match_assigned: true,
  match_confirmed: true,
  match_dismissed: true,
  decision_replayed: true,
  risk_assessment: true,
  claim_requested: true,
  claim_approved: true,
  claim_rejected: true,
  claim_record_read: true,
  report_created: true,
  report_downloaded: true,
  data_exported: true,
};
const isAction = (name: string): name is Action => name in ACTIONS;

const page = ({ action, request, from }: Filters, cursor: string) =>
  answer(
    api.GET('/api/v1/compliance/audit-log', {
      params: {
        query: {
          limit: PAGE,
          ...(cursor === '' ? {} : { cursor }),
          ...(isAction(action) ? { action: [action] } : {}),
          ...(request === '' ? {} : { request_id: request }),
          ...(from === '' ? {} : { start_date: from }),
        },
      },
    }),
  );

const Timeline = ({ filters }: { readonly filters: Filters }) => {
  const log = useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam }) => page(filters, pageParam),
    initialPageParam: '',
    getNextPageParam: (last) => last.pagination.next_cursor ?? undefined,
  });
  return (
    <Show of={log}>
      {({ pages }) => {
        const entries = pages.flatMap(({ logs }) => logs);
        if (entries.length === 0) return <Empty>No entries match these filters.</Empty>;
        return (
          <>
            <Table
              label="Entries of the audit log, newest first"
              rows={entries}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Time (UTC)', cell: ({ timestamp }) => <Exact at={timestamp} /> },
                { title: 'What', cell: ({ action }) => words(action) },
                { title: 'Result', cell: ({ result }) => <span className={`result ${result}`}>{words(result)}</span> },
                { title: 'By', cell: ({ actor }) => actor.key_id ?? actor.type },
                { title: 'From', cell: ({ ip_address }) => ip_address ?? '' },
                { title: 'Request', cell: ({ request_id }) => <code>{request_id}</code> },
              ]}
            />
            {log.hasNextPage && (
              <button type="button" disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                Older entries
              </button>
            )}
          </>
        );
      }}
    </Show>
  );
};

export const Audit = () => {
  const [params, setParams] = useSearchParams();
  const filters = {
    action: params.get('action') ?? '',
    request: params.get('request') ?? '',
    from: params.get('from') ?? '',
  };
  const change = (name: string, value: string): void =>
    setParams(
      (present) => {
        const next = new URLSearchParams(present);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <h1>Audit log</h1>
      <div className="filters">
        <label>
          Action
          <select value={filters.action} onChange={(event) => change('action', event.target.value)}>
            <option value="">all</option>
            {Object.keys(ACTIONS).map((action) => (
              <option key={action} value={action}>
                {words(action)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Since
          <input type="date" value={filters.from} onChange={(event) => change('from', event.target.value)} />
        </label>
        <label>
          Request id
          <input
            value={filters.request}
            onChange={(event) => change('request', event.target.value)}
            spellCheck={false}
          />
        </label>
      </div>
      <Timeline filters={filters} />
    </>
  );
};
