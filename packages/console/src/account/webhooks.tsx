import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { StatusBar } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Ask, Choice, Field } from '../parts/form.js';
import { many } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

/** Milliseconds between two looks at deliveries. */
const LIVE = 1_500;
/** Attempts drawn beside a delivery: its last ones. */
const DRAWN = 10;

type Endpoint = Answers['EndpointResponse'];
type Delivery = Answers['DeliveryResponse'];
type Attempt = Delivery['attempts'][number];

const STATUSES = ['all', 'pending', 'delivered', 'failed'] as const;

const isFine = ({ response_status: status }: Attempt): boolean => status !== null && status < 300;

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
      width={DRAWN * 14}
      height={20}
      role="img"
      aria-label={named.join(', ') || 'not tried yet'}
    >
      {drawn.map((attempt, index) => {
        const height = 3 + (17 * attempt.duration_ms) / longest;
        const className = isFine(attempt) ? 'fine' : 'failed';
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
        <Choice label="Show" value={status} of={STATUSES} onChange={(each) => write({ status: each })} />
      </div>
      <Show of={deliveries}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.deliveries);
          return rows.length === 0 ? (
            <Empty>No delivery has this state. Send a test, and it appears here.</Empty>
          ) : (
            <>
              <StatusBar states={rows.map((row) => row.status)} />
              <Table
                label="Deliveries, newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'Event',
                    cell: ({ event_id, event_type }) => (
                      <button type="button" className="link" onClick={() => write({ event: event_id })}>
                        {event_type}
                      </button>
                    ),
                  },
                  { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
                  { title: 'Status', cell: ({ status: state }) => <Badge of={state} /> },
                  { title: 'Attempts', cell: ({ attempts }) => <Attempts attempts={attempts} /> },
                  {
                    title: 'Next',
                    cell: ({ next_attempt_at: next }) => (next === null ? '–' : <Ago at={next} />),
                  },
                  { title: '', cell: (delivery) => <Resend delivery={delivery} /> },
                ]}
              />
              <More of={deliveries}>Older deliveries</More>
            </>
          );
        }}
      </Show>
      {shown !== '' && (
        <section className="card">
          <h2>Event {shown}</h2>
          <Body event={shown} />
          <button type="button" className="plain small" onClick={() => write({ event: '' })}>
            Close
          </button>
        </section>
      )}
    </>
  );
};

const DAY = 86_400_000;

const EndpointActions = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const path = { params: { path: { id: endpoint.id } } };
  const [since, setSince] = useState(new Date(Date.now() - DAY).toISOString().slice(0, 10));
  const test = useAct(
    () =>
      answer(
        api.POST('/api/v1/webhooks/endpoints/{id}/test', {
          ...path,
          body: { event_type: endpoint.events[0] ?? 'identity.created' },
        }),
      ),
    'deliveries',
    'endpoints',
  );
  const activate = useAct(
    (is_active: boolean) => answer(api.PATCH('/api/v1/webhooks/endpoints/{id}', { ...path, body: { is_active } })),
    'endpoints',
  );
  const repeat = useAct(
    () => answer(api.POST('/api/v1/webhooks/endpoints/{id}/redeliver-failed', { ...path, body: { since } })),
    'deliveries',
  );
  return (
    <>
      <p className="actions">
        <button type="button" className="plain" disabled={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </button>
        <button type="button" className="plain" onClick={() => activate.mutate(!endpoint.is_active)}>
          {endpoint.is_active ? 'Pause' : 'Activate'}
        </button>
        <Ask
          button="Send all failed again …"
          title="Send again what failed"
          acts="Send"
          act={() => repeat.mutateAsync()}
        >
          <p>Each event whose last delivery failed since then is sent again, the oldest first, at most 1,000.</p>
          <Field label="Since" type="date" value={since} onChange={setSince} required />
        </Ask>
        {test.data !== undefined && (
          <span role="status">
            Test: <Badge of={test.data.status} /> {test.data.error ?? test.data.response_status} in{' '}
            {test.data.duration_ms} ms
          </span>
        )}
        {repeat.data !== undefined && (
          <span role="status">{many(repeat.data.deliveries, 'delivery', 'deliveries')} on their way</span>
        )}
      </p>
      {(test.error ?? activate.error) !== null && <Failure error={test.error ?? activate.error} />}
    </>
  );
};

export const Webhooks = () => {
  const { read, write } = useAddress();
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: () => answer(api.GET('/api/v1/webhooks/endpoints')),
  });
  return (
    <>
      <Title path="/api/v1/webhooks/endpoints">Webhooks</Title>
      <Show of={endpoints}>
        {({ endpoints: rows }) => {
          const chosen = rows.find(({ id }) => id === read('endpoint')) ?? rows[0];
          if (chosen === undefined)
            return (
              <Empty>
                No receiver is registered yet: POST /api/v1/webhooks/endpoints with its URL and the event types.
              </Empty>
            );
          return (
            <>
              <div className="filters">
                <Choice
                  label="Endpoint"
                  value={chosen.id}
                  of={rows.map(({ id }) => id)}
                  named={(id) => rows.find((each) => each.id === id)?.url ?? id}
                  onChange={(endpoint) => write({ endpoint, event: '' })}
                />
              </div>
              <p className="quiet">
                {chosen.is_active ? 'Active' : `Not active: ${chosen.disabled_reason ?? 'switched off'}`}
                {chosen.is_verified ? ', verified' : ', not verified yet'}
              </p>
              <EndpointActions key={chosen.id} endpoint={chosen} />
              <Deliveries key={`${chosen.id} deliveries`} endpoint={chosen.id} />
            </>
          );
        }}
      </Show>
    </>
  );
};
