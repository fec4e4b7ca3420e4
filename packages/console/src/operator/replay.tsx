import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answers } from '../api.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { Field } from '../parts/form.js';
import { many, sentence } from '../parts/format.js';
import { Short } from '../parts/short.js';
import { Empty, Show } from '../parts/states.js';
import { Exact } from '../parts/time.js';

/** A line of a replay. */
interface Event {
  readonly event_id: string;
  readonly timestamp: string;
  readonly event_type: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly stream: string;
  readonly revision: string;
  readonly position: string;
  readonly request_id: string;
  readonly causation_id: string | null;
  readonly data: unknown;
}

interface Wanted {
  readonly request: string;
  readonly account: string;
  readonly identity: string;
}

/** Events that a page shows at first, and how many times as many with each further look. */
const FIRST = 500;
const FURTHER = 4;

const pathOf = ({ request, account, identity }: Wanted, most = FIRST): string => {
  const query = new URLSearchParams({
    limit: String(most),
    ...(request === '' ? {} : { request_id: request }),
    ...(account === '' ? {} : { tenant_id: account }),
    ...(identity === '' ? {} : { identity_id: identity }),
  });
  return `/admin/audit/replay?${query.toString()}`;
};

const failureIn = (text: string): Error => {
  const { detail, error_code: code, request_id: request } = JSON.parse(text) as Answers['Error'];
  return new Error(`${detail} (${code}, request ${request})`);
};

const read = async (wanted: Wanted, most: number, signal: AbortSignal): Promise<readonly Event[]> => {
  const response = await fetch(`/console/api${pathOf(wanted, most)}`, { signal });
  const text = await response.text();
  if (!response.ok) throw failureIn(text);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event);
};

/** `IdentityIngested.v1` as "Identity ingested". The stream and all else is in the event itself. */
const nameOf = ({ event_type: type }: Event): string =>
  sentence(
    type
      .replace(/\.v\d+$/, '')
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase(),
  );

const ACTORS: Readonly<Record<string, string>> = { tenant: 'key or member', system: 'the service' };

const Node = ({ event, caused }: { readonly event: Event; readonly caused: ReadonlyMap<string, readonly Event[]> }) => (
  <li>
    <details>
      <summary>
        <Exact at={event.timestamp} /> <strong title={event.event_type}>{nameOf(event)}</strong>
        <span className="quiet">
          {' '}
          by {ACTORS[event.actor.type] ?? event.actor.type}{' '}
          {event.actor.type !== 'system' && <Short id={event.actor.id} />}
        </span>
      </summary>
      <pre tabIndex={0}>
        <code>{JSON.stringify(event, null, 2)}</code>
      </pre>
    </details>
    <Tree events={caused.get(event.event_id) ?? []} caused={caused} />
  </li>
);

/** What followed from what, by the causes that events name. */
const Tree = (props: { readonly events: readonly Event[]; readonly caused: ReadonlyMap<string, readonly Event[]> }) =>
  props.events.length === 0 ? null : (
    <ul className="causes">
      {props.events.map((event) => (
        <Node key={event.event_id} event={event} caused={props.caused} />
      ))}
    </ul>
  );

const Causes = ({ events, isAll }: { readonly events: readonly Event[]; readonly isAll: boolean }) => {
  const known = new Set(events.map(({ event_id }) => event_id));
  const caused = new Map<string, Event[]>();
  const first: Event[] = [];
  for (const event of events) {
    const cause = event.causation_id;
    if (cause === null || cause === event.event_id || !known.has(cause)) first.push(event);
    else caused.set(cause, [...(caused.get(cause) ?? []), event]);
  }
  return (
    <>
      <p className="quiet">
        {isAll ? many(events.length, 'event') : `The first ${many(events.length, 'event')}`}, in the order of the log;
        sealed fields stay sealed.
      </p>
      <Tree events={first} caused={caused} />
    </>
  );
};

const Wishes = ({ wanted, ask }: { readonly wanted: Wanted; readonly ask: (wanted: Wanted) => void }) => {
  const [draft, setDraft] = useState(wanted);
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault();
        ask(draft);
      }}
    >
      <Field label="Request id" value={draft.request} onChange={(request) => setDraft({ ...draft, request })} />
      <Field label="Account" value={draft.account} onChange={(account) => setDraft({ ...draft, account })} />
      <Field label="Identity id" value={draft.identity} onChange={(identity) => setDraft({ ...draft, identity })} />
      <button type="submit">Replay</button>
    </form>
  );
};

/** What a request caused, or what touched an account or a person, from the log itself. */
export const Replay = () => {
  const { read: shown, write } = useAddress();
  const wanted: Wanted = { request: shown('request'), account: shown('account'), identity: shown('identity') };
  const isAsked = Object.values(wanted).some((text) => text !== '');
  const key = Object.values(wanted).join(' ');
  const [further, setFurther] = useState({ key, most: FIRST });
  const most = further.key === key ? further.most : FIRST;
  const events = useQuery({
    queryKey: ['replay', wanted, most],
    queryFn: ({ signal }) => read(wanted, most, signal),
    enabled: isAsked,
  });
  return (
    <>
      <Title path={pathOf(wanted)} operator>
        Replay
      </Title>
      <Wishes key={key} wanted={wanted} ask={(next) => write({ ...next })} />
      {isAsked ? (
        <Show of={events}>
          {(found) =>
            found.length === 0 ? (
              <Empty>No event in the log matches. Check the id, and the account it belongs to.</Empty>
            ) : (
              <>
                <Causes events={found} isAll={found.length < most} />
                {found.length >= most && (
                  <button type="button" className="plain" onClick={() => setFurther({ key, most: most * FURTHER })}>
                    Further events
                  </button>
                )}
              </>
            )
          }
        </Show>
      ) : (
        <Empty>
          Type a request id: every answer has one in X-Request-Id, and every error names it. Everything that it caused
          is shown, from the log itself.
        </Empty>
      )}
    </>
  );
};
