import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { answer, api, type SignedIn } from './api.js';
import { Ago, count, Empty, Show, Table, words } from './ui.js';

/** Milliseconds between two looks at what is new. */
const LIVE = 1_500;

const useMayAudit = (): boolean => {
  const who = useQuery<SignedIn>({ queryKey: ['session'], enabled: false }).data;
  return who?.scopes?.includes('compliance') === true;
};

const Figures = () => {
  const mayAudit = useMayAudit();
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: () => answer(api.GET('/billing/overview')),
    refetchInterval: 5_000,
  });
  const matches = useQuery({
    queryKey: ['matches', 'open'],
    queryFn: () => answer(api.GET('/api/v1/compliance/matches', { params: { query: { status: 'open', limit: 100 } } })),
    refetchInterval: 5_000,
    enabled: mayAudit,
  });
  return (
    <Show of={overview}>
      {({ credits, subscription }) => (
        <dl className="figures">
          <div>
            <dt>Credits</dt>
            <dd>
              <Link href="/balance">{count(credits.balance)}</Link>
            </dd>
          </div>
          <div>
            <dt>Used this month</dt>
            <dd>{count(credits.used_this_month)}</dd>
          </div>
          <div>
            <dt>Open matches</dt>
            <dd>
              <Link href="/matches">
                {matches.data === undefined
                  ? '–'
                  : `${matches.data.matches.length}${matches.data.next_cursor === null ? '' : '+'}`}
              </Link>
            </dd>
          </div>
          <div>
            <dt>Plan</dt>
            <dd>{subscription.tier ?? 'starter'}</dd>
          </div>
        </dl>
      )}
    </Show>
  );
};

const FirstCall = () => (
  <Empty>
    <p>Nothing has happened yet. A first call, from a shell:</p>
    <pre tabIndex={0}>
      <code>{`curl ${location.origin}/api/v1/ingest -H "X-API-Key: $API_KEY" -H 'Content-Type: application/json' \\
  -d '{"email":"maria@example.org","phone_number":"+12025550123","full_name":"Maria Example","kyc_status":"APPROVED"}'`}</code>
    </pre>
  </Empty>
);

/** The newest entries of the audit log, as they come. */
const Feed = () => {
  const feed = useQuery({
    queryKey: ['audit', 'newest'],
    queryFn: () => answer(api.GET('/api/v1/compliance/audit-log', { params: { query: { limit: 15 } } })),
    refetchInterval: LIVE,
  });
  return (
    <Show of={feed}>
      {({ logs }) =>
        logs.length === 0 ? (
          <FirstCall />
        ) : (
          <Table
            label="Recent activity"
            rows={logs}
            keyOf={({ id }) => id}
            columns={[
              { title: 'When', cell: ({ timestamp }) => <Ago at={timestamp} /> },
              { title: 'What', cell: ({ action }) => words(action) },
              { title: 'Result', cell: ({ result }) => <span className={`result ${result}`}>{words(result)}</span> },
              { title: 'By', cell: ({ actor }) => actor.key_id ?? actor.type },
            ]}
          />
        )
      }
    </Show>
  );
};

export const Home = () => {
  const mayAudit = useMayAudit();
  return (
    <>
      <h1>Home</h1>
      <Figures />
      {mayAudit && (
        <>
          <h2>Recent activity</h2>
          <Feed />
        </>
      )}
    </>
  );
};
