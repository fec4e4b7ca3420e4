import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { answer, api } from './api.js';
import { Ago, Empty, Failure, Show, Table, words } from './ui.js';

/** Milliseconds between two looks at deliveries. */
const LIVE = 1_500;
/** Tries drawn beside a delivery: its last ones. */
const DRAWN = 10;

interface Attempt {
  readonly attempt: number;
  readonly duration_ms: number;
  readonly response_status: number | null;
  readonly error: string | null;
}

interface Delivery {
  readonly id: string;
  readonly event_type: string;
  readonly status: string;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly Attempt[];
}

const isFine = ({ response_status: status }: Attempt): boolean => status !== null && status < 300;

/** One bar for each try: as long as it took, in the colour of its end. */
const Attempts = ({ attempts }: { readonly attempts: readonly Attempt[] }) => {
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
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      answer(api.POST('/api/v1/webhooks/deliveries/{id}/redeliver', { params: { path: { id: delivery.id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <>
      <button type="button" className="plain" disabled={isPending} onClick={() => mutate()}>
        Send again
      </button>
      {error !== null && <Failure error={error} />}
    </>
  );
};

const Deliveries = ({ endpoint }: { readonly endpoint: string }) => {
  const deliveries = useQuery({
    queryKey: ['deliveries', endpoint],
    queryFn: () =>
      answer(
        api.GET('/api/v1/webhooks/endpoints/{id}/deliveries', {
          params: { path: { id: endpoint }, query: { limit: 50 } },
        }),
      ),
    refetchInterval: LIVE,
  });
  return (
    <Show of={deliveries}>
      {({ deliveries: rows }) =>
        rows.length === 0 ? (
          <Empty>Nothing was sent to this endpoint yet.</Empty>
        ) : (
          <Table
            label="Deliveries, newest first"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Event', cell: ({ event_type }) => event_type },
              { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
              { title: 'Status', cell: ({ status }) => <span className={`result ${status}`}>{words(status)}</span> },
              { title: 'Attempts', cell: ({ attempts }) => <Attempts attempts={attempts} /> },
              {
                title: 'Next',
                cell: ({ next_attempt_at: next }) => (next === null ? '–' : <Ago at={next} />),
              },
              { title: '', cell: (delivery) => <Resend delivery={delivery} /> },
            ]}
          />
        )
      }
    </Show>
  );
};

export const Webhooks = () => {
  const [params, setParams] = useSearchParams();
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: () => answer(api.GET('/api/v1/webhooks/endpoints')),
  });
  return (
    <>
      <h1>Webhooks</h1>
      <Show of={endpoints}>
        {({ endpoints: rows }) => {
          const chosen = rows.find(({ id }) => id === params.get('endpoint')) ?? rows[0];
          if (chosen === undefined)
            return (
              <Empty>
                No receiver is registered yet: POST /api/v1/webhooks/endpoints with its URL and the event types.
              </Empty>
            );
          return (
            <>
              <label>
                Endpoint
                <select value={chosen.id} onChange={(event) => setParams({ endpoint: event.target.value })}>
                  {rows.map(({ id, url }) => (
                    <option key={id} value={id}>
                      {url}
                    </option>
                  ))}
                </select>
              </label>
              <p className="quiet">
                {chosen.is_active ? 'Active' : `Not active: ${chosen.disabled_reason ?? 'switched off'}`}
                {chosen.is_verified ? ', verified' : ', not verified yet'}
              </p>
              <Deliveries endpoint={chosen.id} />
            </>
          );
        }}
      </Show>
    </>
  );
};
