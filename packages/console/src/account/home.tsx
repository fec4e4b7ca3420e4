import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { count, many, sentence } from '../parts/format.js';
import { useAtMost, useStream } from '../parts/live.js';
import { By } from '../parts/people.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Title } from '../parts/title.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { useScope } from '../who.js';
import { Month } from './balance.js';
import { FirstSteps } from './first-steps.js';

/** Milliseconds between two looks at what is new, while no stream reports it. */
const ASK_AGAIN = 2_000;
/** While a stream does: for what it leaves out. */
const ASK_SELDOM = 10_000;

/** What happened shows at once where the key may hear events, and soon where it may not. */
const useLive = (): number => {
  const queries = useQueryClient();
  const mayHear = useScope('webhooks');
  const look = useCallback(() => {
    for (const name of ['audit', 'overview', 'matches', 'transactions'])
      void queries.invalidateQueries({ queryKey: [name] }, { cancelRefetch: false });
  }, [queries]);
  const isHearing = useStream(mayHear ? '/api/v1/events/stream' : undefined, useAtMost(ASK_AGAIN, look));
  return isHearing ? ASK_SELDOM : ASK_AGAIN;
};

const Figure = (props: {
  readonly name: string;
  readonly value: string;
  readonly to?: string;
  readonly hint?: string;
}) => {
  const { name, value, to, hint } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{to === undefined ? value : <Link href={to}>{value}</Link>}</dd>
      {hint !== undefined && <dd className="quiet hint">{hint}</dd>}
    </div>
  );
};

const Figures = ({ every }: { readonly every: number }) => {
  const mayAudit = useScope('compliance');
  const overview = useQuery({
    queryKey: ['overview'],
    queryFn: () => answer(api.GET('/billing/overview')),
    refetchInterval: every,
  });
  const matches = useMatches(every, mayAudit);
  return (
    <Show of={overview}>
      {({ credits, subscription, auto_recharge: recharge }) => (
        <dl className="figures">
          <Figure
            name="Credits"
            value={count(credits.balance)}
            to="/balance"
            hint={recharge.enabled ? `recharges below ${count(recharge.threshold ?? 0)}` : 'no auto-recharge'}
          />
          <Figure
            name="Used this month"
            value={count(credits.used_this_month)}
            to="/usage"
            hint="credits, since the first"
          />
          {mayAudit && (
            <Figure
              name="Open matches"
              value={matches.data === undefined ? '–' : count(matches.data.total.open)}
              to="/matches"
              hint={
                matches.data !== undefined && matches.data.total.overdue > 0
                  ? `${count(matches.data.total.overdue)} overdue`
                  : 'wait for a decision'
              }
            />
          )}
          <Figure name="Plan" value={sentence(subscription.tier ?? 'starter')} to="/plan" hint="and alerts" />
        </dl>
      )}
    </Show>
  );
};

/** The newest entries of the audit log, as they come. */
const Feed = ({ every }: { readonly every: number }) => {
  const feed = useQuery({
    queryKey: ['audit', 'newest'],
    queryFn: () => answer(api.GET('/api/v1/compliance/audit-log', { params: { query: { limit: 12 } } })),
    refetchInterval: every,
  });
  return (
    <Show of={feed}>
      {({ logs }) =>
        logs.length === 0 ? (
          <Empty>Nothing has happened yet. Each call appears here as it comes.</Empty>
        ) : (
          <Table
            label="Recent activity"
            rows={logs}
            keyOf={({ id }) => id}
            columns={[
              { title: 'When', cell: ({ timestamp }) => <Ago at={timestamp} /> },
              { title: 'What', cell: ({ action }) => sentence(action) },
              { title: 'Result', cell: ({ result }) => <Badge of={result} /> },
              { title: 'By', cell: ({ actor }) => <By actor={actor} /> },
            ]}
          />
        )
      }
    </Show>
  );
};

const useMatches = (every: number, enabled: boolean) =>
  useQuery({
    queryKey: ['matches', 'summary'],
    queryFn: () => answer(api.GET('/api/v1/compliance/matches/summary')),
    refetchInterval: every,
    enabled,
  });

/** What waits for a decision. */
const Waiting = ({ every }: { readonly every: number }) => {
  const open = useMatches(every, true).data?.total.open ?? 0;
  return open === 0 ? null : (
    <Link className="primary" href="/matches">
      Review {many(open, 'match', 'matches')}
    </Link>
  );
};

export const Home = () => {
  const mayAudit = useScope('compliance');
  const every = useLive();
  return (
    <>
      <Title next={mayAudit && <Waiting every={every} />}>Home</Title>
      <Figures every={every} />
      <FirstSteps />
      <Month every={every} />
      {mayAudit && (
        <>
          <h2>Recent activity</h2>
          <Feed every={every} />
        </>
      )}
    </>
  );
};
