import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { Ask, Field, Form } from '../parts/form.js';
import { HourBars } from '../parts/hour-bars.js';
import { count, many } from '../parts/format.js';
import { Badge, Failure } from '../parts/states.js';
import { Ago } from '../parts/time.js';
import { say } from '../parts/toasts.js';
import { EventChoice, type EventType } from './event-catalogue.js';

export type Endpoint = Answers['EndpointResponse'];

interface Draft {
  readonly url: string;
  readonly description: string;
  readonly events: ReadonlySet<EventType>;
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (draft: Draft) => void;
}

const Fields = ({ draft, change }: FieldsProps) => (
  <>
    <Field
      label="Address"
      name="url"
      type="url"
      value={draft.url}
      onChange={(url) => change({ ...draft, url })}
      required
      placeholder="https://example.org/webhooks"
      hint="It has to answer a challenge by its secret before anything else is sent."
    />
    <Field
      label="Description"
      name="description"
      value={draft.description}
      onChange={(description) => change({ ...draft, description })}
      placeholder="optional"
    />
    <EventChoice chosen={draft.events} choose={(events) => change({ ...draft, events })} />
  </>
);

const EMPTY: Draft = { url: '', description: '', events: new Set() };

interface NewEndpointProps {
  readonly show: (secret: string) => void;
  readonly open: (id: string) => void;
}

export const NewEndpoint = ({ show, open }: NewEndpointProps) => {
  const [draft, setDraft] = useState(EMPTY);
  const create = useAct(async () => {
    const { url, description, events } = draft;
    const body = { url, events: [...events], ...(description === '' ? {} : { description }) };
    const made = await answer(api.POST('/api/v1/webhooks/endpoints', { body }));
    // Before anything else is read: it is shown once.
    show(made.secret ?? '');
    setDraft(EMPTY);
    open(made.id);
  }, 'endpoints');
  return (
    <section className="card">
      <h2>Add an endpoint</h2>
      <Form act={() => create.mutate()} error={create.error}>
        <Fields draft={draft} change={setDraft} />
        <p className="actions">
          <button type="submit" disabled={create.isPending || draft.events.size === 0}>
            Add for {many(draft.events.size, 'event')}
          </button>
        </p>
      </Form>
    </section>
  );
};

const Edit = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { id, url, description, events } = endpoint;
  const [draft, setDraft] = useState<Draft>({ url, description: description ?? '', events: new Set(events) });
  const save = useAct(() => {
    // Only what was changed here: a colleague may have changed the rest.
    const body = {
      ...(draft.url === url ? {} : { url: draft.url }),
      ...(draft.description === (description ?? '') ? {} : { description: draft.description }),
      ...([...draft.events].sort().join() === [...events].sort().join() ? {} : { events: [...draft.events] }),
    };
    return answer(api.PATCH('/api/v1/webhooks/endpoints/{id}', { params: { path: { id } }, body }));
  }, 'endpoints');
  return (
    <Ask
      button="Edit"
      acts="Save"
      title="Edit the endpoint"
      done="The endpoint was changed"
      begin={() => setDraft({ url, description: description ?? '', events: new Set(events) })}
      act={() => save.mutateAsync()}
    >
      <Fields draft={draft} change={setDraft} />
    </Ask>
  );
};

const Rotate = ({ id, show }: { readonly id: string; readonly show: (secret: string) => void }) => {
  const [isLeaked, setLeaked] = useState(false);
  const rotate = useAct(async () => {
    const path = { params: { path: { id } } };
    const body = isLeaked ? { overlap_seconds: 0 } : {};
    const { secret } = await answer(api.POST('/api/v1/webhooks/endpoints/{id}/rotate-secret', { ...path, body }));
    show(secret ?? '');
  }, 'endpoints');
  return (
    <Ask
      button="Rotate secret"
      title="Rotate the secret"
      done=""
      begin={() => setLeaked(false)}
      act={() => rotate.mutateAsync()}
    >
      <p>A new secret signs from now on. The former one signs too for another day.</p>
      <label className="check">
        <input type="checkbox" checked={isLeaked} onChange={() => setLeaked(!isLeaked)} /> It leaked: end the former one
        at once
      </label>
    </Ask>
  );
};

interface ActionsProps {
  readonly endpoint: Endpoint;
  readonly show: (secret: string) => void;
  readonly test: (type: EventType) => void;
}

const DAY_MS = 86_400_000;

export const EndpointActions = ({ endpoint, show, test }: ActionsProps) => {
  const path = { params: { path: { id: endpoint.id } } };
  const [since, setSince] = useState(new Date(Date.now() - DAY_MS).toISOString().slice(0, 10));
  const activate = useAct(
    (is_active: boolean) => answer(api.PATCH('/api/v1/webhooks/endpoints/{id}', { ...path, body: { is_active } })),
    'endpoints',
  );
  const repeat = useAct(async () => {
    const { deliveries } = await answer(
      api.POST('/api/v1/webhooks/endpoints/{id}/redeliver-failed', { ...path, body: { since } }),
    );
    say(`${many(deliveries, 'delivery', 'deliveries')} on the way`);
  }, 'deliveries');
  const remove = useAct(() => answer(api.DELETE('/api/v1/webhooks/endpoints/{id}', path)), 'endpoints');
  return (
    <>
      <p className="actions">
        <button type="button" className="plain" onClick={() => test(endpoint.events[0] ?? 'identity.created')}>
          Send a test
        </button>
        <Edit endpoint={endpoint} />
        <button type="button" className="plain" onClick={() => activate.mutate(!endpoint.is_active)}>
          {endpoint.is_active ? 'Pause' : 'Activate'}
        </button>
        <Rotate id={endpoint.id} show={show} />
        <Ask button="Retry failed" title="Send again what failed" acts="Send" done="" act={() => repeat.mutateAsync()}>
          <p>Each event whose last delivery failed since then is sent again, the oldest first, at most 1,000.</p>
          <Field label="Since" name="since" type="date" value={since} onChange={setSince} required />
        </Ask>
        <Ask
          button="Delete"
          isDestructive
          title={`Delete ${endpoint.url}`}
          phrase="delete"
          done="The endpoint was deleted"
          act={() => remove.mutateAsync()}
        >
          <p>Nothing is sent to it any more, and its deliveries are removed.</p>
        </Ask>
      </p>
      {activate.error !== null && <Failure error={activate.error} />}
    </>
  );
};

const stateOf = ({ is_active: isActive, disabled_reason: reason, is_verified: isVerified }: Endpoint): string => {
  if (!isActive) return reason === null ? 'paused' : reason;
  return isVerified ? 'active' : 'not verified';
};

/** How the deliveries of a day ended: a bar an hour, and its sums. */
const Health = ({ id }: { readonly id: string }) => {
  const health = useQuery({
    queryKey: ['deliveries', 'health', id],
    queryFn: () => answer(api.GET('/api/v1/webhooks/endpoints/{id}/health', { params: { path: { id } } })),
    refetchInterval: 30_000,
  });
  const hours = health.data?.hours ?? [];
  const sumOf = (state: 'delivered' | 'failed' | 'pending'): number =>
    hours.reduce((sum, hour) => sum + hour[state], 0);
  const [delivered, failed, pending] = [sumOf('delivered'), sumOf('failed'), sumOf('pending')];
  return (
    <div>
      <dt>In 24 hours</dt>
      <dd>
        <HourBars label="Deliveries by hour" hours={hours} />
        {health.data !== undefined && (
          <span className="quiet">
            {count(delivered)} delivered{failed > 0 && `, ${count(failed)} failed`}
            {pending > 0 && `, ${count(pending)} wait`}
            {health.data.is_part && ', of the newest'}
          </span>
        )}
      </dd>
    </div>
  );
};

/** What is known of an endpoint before its deliveries. */
export const EndpointFacts = ({ endpoint }: { readonly endpoint: Endpoint }) => (
  <section className="card" aria-label="The endpoint">
    <dl className="facts">
      <div>
        <dt>State</dt>
        <dd>
          <Badge of={endpoint.is_active && endpoint.is_verified ? 'active' : 'pending'} text={stateOf(endpoint)} />
        </dd>
      </div>
      <Health id={endpoint.id} />
      <div>
        <dt>Added</dt>
        <dd>
          <Ago at={endpoint.created_at} />
        </dd>
      </div>
      {endpoint.description !== null && (
        <div>
          <dt>Description</dt>
          <dd>{endpoint.description}</dd>
        </div>
      )}
    </dl>
    <div className="wraps" aria-label="Its events" role="group">
      {endpoint.events.map((type) => (
        <span key={type} className="chip">
          {type}
        </span>
      ))}
    </div>
  </section>
);
