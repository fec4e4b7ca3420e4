import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { StatusBar } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Choice } from '../parts/form.js';
import { many } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Secret } from '../parts/secret.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Tabs } from '../parts/tabs.js';
import { Ago, Exact } from '../parts/time.js';
import { Views } from '../parts/views.js';
import { useMayChange } from '../who.js';
import { type Endpoint, EndpointActions, EndpointFacts, NewEndpoint } from './endpoints.js';
import { Catalogue, type EventType } from './event-catalogue.js';

/** Milliseconds between two looks at deliveries. */
const LIVE = 1_500;
/** Attempts drawn beside a delivery: its last ones. */
const DRAWN = 10;

type Delivery = Answers['DeliveryResponse'];

const TABS = ['deliveries', 'catalogue'] as const;

const STATUSES = ['all', 'pending', 'delivered', 'failed'] as const;

const isDelivered = (status: number | null): boolean => status !== null && status < 300;

const lastOf = (attempts: Delivery['attempts']): string => {
  const last = attempts.at(-1);
  return last === undefined ? '' : `${last.response_status ?? last.error ?? 'no answer'}`;
};

/** One bar for each attempt: as long as it took, in the colour of its end. */
const Attempts = ({ attempts }: Pick<Delivery, 'attempts'>) => {
  const drawn = attempts.slice(-DRAWN);
  const longest = Math.max(1, ...drawn.map(({ duration_ms }) => duration_ms));
  const named = drawn.map(
    ({ attempt, duration_ms, response_status, error }) =>
      `attempt ${attempt}: ${response_status ?? error ?? 'no answer'} in ${duration_ms} ms`,
  );
  return (
    <svg
      className="attempts"
      width={Math.max(1, drawn.length) * 14}
      height={20}
      role="img"
      aria-label={named.join(', ') || 'not tried yet'}
    >
      {drawn.map((attempt, index) => {
        const height = 3 + (17 * attempt.duration_ms) / longest;
        const className = isDelivered(attempt.response_status) ? 'fine' : 'failed';
        return (
          <rect key={attempt.attempt} className={className} x={index * 14} y={20 - height} width={10} height={height} />
        );
      })}
    </svg>
  );
};

const Resend = ({ delivery }: { readonly delivery: Delivery }) => {
  const { mutate, isPending, error } = useAct(
    () => answer(api.POST('/api/v1/webhooks/deliveries/{id}/redeliver', { params: { path: { id: delivery.id } } })),
    'deliveries',
  );
  return (
    <>
      <button
        type="button"
        className="plain small"
        disabled={isPending}
        aria-label={`Send again: ${delivery.event_type}`}
        onClick={() => mutate()}
      >
        Send again
      </button>
      {error !== null && <Failure error={error} />}
    </>
  );
};

/** Each try as a bar on one time axis, and what the receiver answered. */
const Tries = ({ id }: { readonly id: string }) => {
  const delivery = useQuery({
    queryKey: ['deliveries', 'one', id],
    queryFn: () => answer(api.GET('/api/v1/webhooks/deliveries/{id}', { params: { path: { id } } })),
  });
  return (
    <Show of={delivery}>
      {({ attempts }) =>
        attempts.length === 0 ? (
          <p>Not tried yet.</p>
        ) : (
          <ol className="timeline">
            {attempts.map(({ attempt, began_at, duration_ms, response_status, error, response }) => (
              <li key={attempt}>
                <Exact at={began_at} /> <Badge of={isDelivered(response_status) ? 'delivered' : 'failed'} />{' '}
                {response_status ?? error ?? 'no answer'} in {duration_ms} ms
                {response !== null && (
                  <details>
                    <summary>What it answered</summary>
                    <pre tabIndex={0}>
                      <code>
                        {Object.entries(response.headers)
                          .map(([name, value]) => `${name}: ${value}`)
                          .join('\n')}
                        {`\n\n${response.body}`}
                      </code>
                    </pre>
                  </details>
                )}
              </li>
            ))}
          </ol>
        )
      }
    </Show>
  );
};

/** The event as the receiver gets it. */
const Body = ({ event }: { readonly event: string }) => {
  const body = useQuery({
    queryKey: ['event', event],
    queryFn: () => answer(api.GET('/api/v1/events/{event_id}', { params: { path: { event_id: event } } })),
  });
  return (
    <Show of={body}>
      {(found) => (
        <pre tabIndex={0}>
          <code>{JSON.stringify(found, null, 2)}</code>
        </pre>
      )}
    </Show>
  );
};

const Deliveries = ({ endpoint }: { readonly endpoint: string }) => {
  const { read, write } = useAddress();
  const status = STATUSES.find((each) => each === read('status')) ?? 'all';
  const shown = read('event');
  const deliveries = usePages({
    key: ['deliveries', endpoint, status],
    read: (before) =>
      answer(
        api.GET('/api/v1/webhooks/endpoints/{id}/deliveries', {
          params: {
            path: { id: endpoint },
            query: { limit: 50, ...(status === 'all' ? {} : { status }), ...(before === '' ? {} : { before }) },
          },
        }),
      ),
    next: ({ deliveries: rows, has_more: hasMore }) => (hasMore ? (rows.at(-1)?.id ?? null) : null),
    every: LIVE,
  });
  return (
    <>
      <div className="filters">
        <Views screen="webhook-events" />
        <Choice label="Show" value={status} of={STATUSES} onChange={(each) => write({ status: each })} />
      </div>
      {shown !== '' && (
        <section className="card">
          <h2>Event {shown}</h2>
          {read('delivery') !== '' && <Tries id={read('delivery')} />}
          <Body event={shown} />
          <button type="button" className="plain small" onClick={() => write({ event: '', delivery: '' })}>
            Close
          </button>
        </section>
      )}
      <Show of={deliveries}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.deliveries);
          return rows.length === 0 ? (
            <Empty>No delivery has this state. Send a test, and it appears here.</Empty>
          ) : (
            <>
              <StatusBar states={rows.map((row) => row.status)} isPart={deliveries.hasNextPage} />
              <Table
                label="Deliveries, newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Event',
                    cell: ({ id, event_id, event_type }) => (
                      <button type="button" className="link" onClick={() => write({ event: event_id, delivery: id })}>
                        {event_type}
                      </button>
                    ),
                  },
                  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
                  {
                    title: 'Status',
                    cell: ({ status: state, attempts }) => (
                      <Badge of={state} text={state === 'pending' && attempts.length > 0 ? 'retrying' : state} />
                    ),
                  },
                  {
                    title: 'Attempts',
                    cell: ({ attempts }) => (
                      <>
                        <Attempts attempts={attempts} /> {lastOf(attempts)}
                        {attempts.length > 1 && (
                          <span className="quiet"> after {many(attempts.length, 'try', 'tries')}</span>
                        )}
                      </>
                    ),
                  },
                  ...(rows.some(({ next_attempt_at: next }) => next !== null)
                    ? [
                        {
                          title: 'Next try',
                          cell: ({ next_attempt_at: next }: Delivery) => (next === null ? '–' : <Ago at={next} />),
                        },
                      ]
                    : []),
                  { title: '', cell: (delivery) => <Resend delivery={delivery} /> },
                ]}
              />
              <More of={deliveries}>Older deliveries</More>
            </>
          );
        }}
      </Show>
    </>
  );
};

const Chosen = ({ endpoint, show }: { readonly endpoint: Endpoint; readonly show: (secret: string) => void }) => {
  const mayChange = useMayChange('webhooks');
  const { read, write } = useAddress();
  const tab = TABS.find((each) => each === read('tab')) ?? 'deliveries';
  const test = useAct(
    (event_type: EventType) =>
      answer(
        api.POST('/api/v1/webhooks/endpoints/{id}/test', {
          params: { path: { id: endpoint.id } },
          body: { event_type },
        }),
      ),
    'deliveries',
    'endpoints',
  );
  return (
    <>
      <EndpointFacts endpoint={endpoint} />
      {mayChange && <EndpointActions endpoint={endpoint} show={show} test={(type) => test.mutate(type)} />}
      {test.error !== null && <Failure error={test.error} />}
      {test.data !== undefined && (
        <p role="status">
          Test: <Badge of={test.data.status} /> {test.data.error ?? test.data.response_status} in{' '}
          {test.data.duration_ms} ms
        </p>
      )}
      <Tabs
        of={TABS}
        present={tab}
        named={(each) => (each === 'deliveries' ? 'Deliveries' : 'Catalogue of events')}
        open={(each) => write({ tab: each === 'deliveries' ? '' : each })}
      />
      {tab === 'deliveries' ? (
        <Deliveries endpoint={endpoint.id} />
      ) : (
        <Catalogue test={mayChange ? (type) => test.mutate(type) : undefined} />
      )}
    </>
  );
};

export const Webhooks = () => {
  const { read, write } = useAddress();
  const mayChange = useMayChange('webhooks');
  const [secret, setSecret] = useState('');
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: () => answer(api.GET('/api/v1/webhooks/endpoints')),
  });
  return (
    <>
      <Title path="/api/v1/webhooks/endpoints">Webhooks</Title>
      {secret !== '' && <Secret title="The endpoint’s secret" secret={secret} close={() => setSecret('')} />}
      <Show of={endpoints}>
        {({ endpoints: rows }) => {
          const chosen = rows.find(({ id }) => id === read('endpoint')) ?? rows[0];
          const open = (endpoint: string): void => write({ endpoint, event: '', delivery: '', tab: '' });
          return (
            <>
              {chosen === undefined ? (
                <Empty>No endpoint yet. Add one below, and each event is sent to it.</Empty>
              ) : (
                <>
                  <div className="filters">
                    <Choice
                      label="Endpoint"
                      value={chosen.id}
                      of={rows.map(({ id }) => id)}
                      named={(id) => rows.find((each) => each.id === id)?.url ?? id}
                      onChange={open}
                    />
                  </div>
                  <Chosen key={chosen.id} endpoint={chosen} show={setSecret} />
                </>
              )}
              {mayChange && <NewEndpoint show={setSecret} open={open} />}
            </>
          );
        }}
      </Show>
    </>
  );
};
