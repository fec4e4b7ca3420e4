import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import { type Answers, answer, api, nullIfNone } from '../api.js';
import { useAddress } from '../parts/address.js';
import { Bars, Legend } from '../parts/charts.js';
import { Choice } from '../parts/form.js';
import { count, many, signed, words } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { By, useKeys } from '../parts/people.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago, Exact, exactIn, useZone } from '../parts/time.js';
import { Title } from '../parts/title.js';
import { Views } from '../parts/views.js';
import { useScope } from '../who.js';

type Request = Answers['RequestResponse'];
type Counts = Answers['RequestCountsResponse'];

const STATUSES = ['', '4xx', '5xx'] as const;
const NAMES = { '': 'all', '4xx': 'refused (4xx)', '5xx': 'failed (5xx)' } as const;
const RANGES = { '24': 'last 24 hours', '168': 'last 7 days', '720': 'last 30 days' } as const;
type Range = keyof typeof RANGES;
const HOURS = Object.keys(RANGES) as Range[];
/** More codes than colours are one layer. */
const MAX_CODES = 6;
const OTHERS = 'other refusals and failures';
/** The calls that the console makes for people would hide those of programs. */
const ACTORS = {
  api_key: 'API keys',
  token: 'access tokens',
  member: 'people in the console',
  anyone: 'anyone',
} as const;
type ActorType = keyof typeof ACTORS;
const ACTOR_TYPES = Object.keys(ACTORS) as ActorType[];
const LENGTHS = { hour: 3_600_000, day: 86_400_000 } as const;

const isFault = ({ status }: Pick<Request, 'status'>): boolean => status >= 400;
const pathOf = ({ method, route }: Pick<Request, 'method' | 'route'>): string => `${method} ${route}`;
const costOf = ({ credits }: Request): string => (credits === null ? '–' : count(credits));
const Outcome = ({ status, error_code: code }: Request) => (
  <>
    <Badge of={status >= 500 ? 'failed' : isFault({ status }) ? 'refused' : 'ok'} text={String(status)} /> {code}
  </>
);

const sum = (counts: Counts['counts']): number => counts.reduce((all, { requests }) => all + requests, 0);

const codesOf = (counts: Counts['counts']): readonly string[] => {
  const perCode = new Map<string, number>();
  for (const { error_code: code, requests } of counts)
    if (code !== null) perCode.set(code, (perCode.get(code) ?? 0) + requests);
  return [...perCode].toSorted(([, one], [, other]) => other - one).map(([code]) => code);
};

/** The beginning of each hour or UTC day until now. */
const placesSince = (since: string, by: Counts['by']): readonly number[] => {
  const length = LENGTHS[by];
  const first = Math.floor(Date.parse(since) / length);
  const last = Math.floor(Date.now() / length);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * length);
};

/** The finding in a sentence, then its bars. */
const Outcomes = ({ counts, since, by }: Counts) => {
  const zone = useZone();
  const faults = counts.filter(isFault);
  const failures = sum(counts.filter(({ status }) => status >= 500));
  const codes = codesOf(faults).slice(0, MAX_CODES);
  const layerOf = (one: Counts['counts'][number]): string => {
    if (!isFault(one)) return 'answered';
    return one.error_code !== null && codes.includes(one.error_code) ? one.error_code : OTHERS;
  };
  const names = ['answered', ...codes, OTHERS].filter((name) => counts.some((one) => layerOf(one) === name));
  const bars = placesSince(since, by).map((at) => {
    const here = counts.filter((one) => Date.parse(one.at) === at);
    const layers = names.map((name) => ({ name, value: sum(here.filter((one) => layerOf(one) === name)) }));
    const begin = new Date(at).toISOString();
    return { title: by === 'day' ? begin.slice(0, 10) : exactIn(zone, begin), layers };
  });
  return (
    <section className="card">
      <h2>
        {many(sum(counts), 'request')}, {count(sum(faults) - failures)} refused, {count(failures)} failed
        {codes[0] === undefined ? '' : `, most often ${codes[0]}`}
      </h2>
      <p className="quiet">
        Since <Exact at={since} />
      </p>
      <Bars label="Requests by outcome" unit="requests" bars={bars} />
      <Legend names={names} />
    </section>
  );
};

const Rows = ({ rows }: { readonly rows: readonly Request[] }) => (
  <Table
    label="Requests, newest first"
    rows={rows}
    keyOf={({ request_id: id, at }) => `${id} ${at}`}
    columns={[
      { title: 'Answered', cell: ({ at }) => <Ago at={at} /> },
      {
        title: 'Request',
        cell: (row) => (
          <Link href={`/requests/${row.request_id}`}>
            <code>{pathOf(row)}</code>
          </Link>
        ),
      },
      { title: 'Outcome', cell: (row) => <Outcome {...row} /> },
      { title: 'By', cell: ({ actor }) => <By actor={actor} /> },
      { title: 'Credits', number: true, cell: costOf },
      { title: 'Took', number: true, cell: ({ duration_ms: ms }) => `${count(Math.round(ms))} ms` },
    ]}
  />
);

export const Requests = () => {
  const { read, write } = useAddress();
  const status = STATUSES.find((each) => each === read('status')) ?? '';
  const hours = HOURS.find((each) => each === read('hours')) ?? '24';
  const by = ACTOR_TYPES.find((each) => each === read('by')) ?? 'api_key';
  const [code, key] = [read('error_code'), by === 'api_key' ? read('key_id') : ''];
  const keys = useKeys().data?.keys ?? [];
  const filter = {
    ...(status === '' ? {} : { status }),
    ...(by === 'anyone' ? {} : { actor_type: by }),
    ...(code === '' ? {} : { error_code: code }),
    ...(key === '' ? {} : { key_id: key }),
  };
  const counts = useQuery({
    queryKey: ['requests', 'summary', hours, by],
    queryFn: () =>
      answer(
        api.GET('/api/v1/requests/summary', {
          params: { query: { hours: Number(hours), ...(by === 'anyone' ? {} : { actor_type: by }) } },
        }),
      ),
  });
  const requests = usePages({
    key: ['requests', filter],
    read: (cursor) =>
      answer(api.GET('/api/v1/requests', { params: { query: { limit: 100, ...filter, ...(cursor && { cursor }) } } })),
    next: ({ next_cursor: cursor }) => cursor,
  });
  const codes = codesOf(counts.data?.counts ?? []);
  return (
    <>
      <Title path="/api/v1/requests" query={filter}>
        Requests
      </Title>
      <div className="filters">
        <Views screen="requests" />
        <Choice
          label="Counted"
          value={hours}
          of={HOURS}
          named={(each) => RANGES[each]}
          onChange={(each) => write({ hours: each })}
        />
        <Choice
          label="Made by"
          value={by}
          of={ACTOR_TYPES}
          named={(each) => ACTORS[each]}
          onChange={(each) => write({ by: each })}
        />
        {by === 'api_key' && (
          <Choice
            label="Key"
            value={key}
            of={[...new Set(['', ...keys.map(({ id }) => id), key])]}
            named={(each) => keys.find(({ id }) => id === each)?.name ?? (each || 'any')}
            onChange={(each) => write({ key_id: each })}
          />
        )}
        <Choice
          label="Outcome"
          value={status}
          of={STATUSES}
          named={(each) => NAMES[each]}
          onChange={(each) => write({ status: each })}
        />
        <Choice
          label="Error code"
          value={code}
          of={[...new Set(['', ...codes, code])]}
          named={(each) => each || 'any'}
          onChange={(each) => write({ error_code: each })}
        />
      </div>
      <Show of={counts}>{(found) => (found.counts.length === 0 ? null : <Outcomes {...found} />)}</Show>
      <Show of={requests}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.requests);
          return (
            <>
              {rows.length === 0 ? (
                <Empty>
                  {requests.hasNextPage
                    ? 'None among the newest requests. Older ones were not looked through yet.'
                    : 'No such request in 30 days. Each call of your keys appears here within two seconds.'}
                </Empty>
              ) : (
                <Rows rows={rows} />
              )}
              <More of={requests}>Older requests</More>
            </>
          );
        }}
      </Show>
    </>
  );
};

const Followed = (found: Answers['FollowedRequestResponse']) => {
  const mayAudit = useScope('compliance');
  const { transactions, audit_entries: entries, events, deliveries } = found;
  return (
    <>
      <p>
        <strong>
          <code>{pathOf(found)}</code>
        </strong>{' '}
        <Outcome {...found} />
      </p>
      <p>
        Answered at <Exact at={found.at} /> in {count(Math.round(found.duration_ms))} ms, by <By actor={found.actor} />,{' '}
        {found.credits === null ? 'a call without a price' : `for ${many(found.credits, 'credit')}`}.
      </p>
      <h2>{many(transactions.length, 'transaction')}</h2>
      <ul>
        {transactions.map(({ id, type, amount, at }) => (
          <li key={id}>
            {words(type)}, {signed(amount)} credits, <Ago at={at} />, <code>{id}</code>
          </li>
        ))}
      </ul>
      <h2>{many(entries.length, 'audit entry', 'audit entries')}</h2>
      <ul>
        {entries.map(({ id, action, at }) => (
          <li key={id}>
            {words(action)}, <Ago at={at} />
          </li>
        ))}
      </ul>
      {mayAudit && entries.length > 0 && (
        <p>
          <Link href={`/audit?request=${found.request_id}`}>Show them in the audit log</Link>
        </p>
      )}
      <h2>{many(events.length, 'event')}</h2>
      <ul>
        {events.map(({ id, type, at }) => (
          <li key={id}>
            {type}, <Ago at={at} />
            {deliveries
              .filter(({ event_id: event }) => event === id)
              .map((delivery) => (
                <span key={delivery.id}>
                  {' '}
                  <Badge of={delivery.status} />{' '}
                  <Link href={`/webhooks?endpoint=${delivery.endpoint_id}&event=${id}&delivery=${delivery.id}`}>
                    delivery
                  </Link>
                </span>
              ))}
          </li>
        ))}
      </ul>
    </>
  );
};

const NoRequest = ({ id }: { readonly id: string }) => (
  <Empty>
    The account made no such request in the last 30 days.
    {useScope('compliance') && (
      <>
        {' '}
        <Link href={`/audit?request=${id}`}>Its entries in the audit log</Link>
      </>
    )}
  </Empty>
);

export const Request = () => {
  const { id = '' } = useParams();
  const request = useQuery({
    queryKey: ['requests', 'one', id],
    queryFn: () =>
      answer(api.GET('/api/v1/requests/{request_id}', { params: { path: { request_id: id } } })).catch(nullIfNone),
  });
  return (
    <>
      <Title path={`/api/v1/requests/${encodeURIComponent(id)}`}>Request</Title>
      <p className="quiet">
        <code>{id}</code>
      </p>
      <Show of={request}>{(found) => (found === null ? <NoRequest id={id} /> : <Followed {...found} />)}</Show>
    </>
  );
};
