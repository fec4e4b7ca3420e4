import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { StatusBar } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Choice, Field, Form } from '../parts/form.js';
import { count, sentence, words } from '../parts/format.js';
import { type SoughtPerson } from '../parts/people.js';
import { More, usePages } from '../parts/pages.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Tabs } from '../parts/tabs.js';
import { Ago, Exact } from '../parts/time.js';
import { Views } from '../parts/views.js';
import { useScope } from '../who.js';

const PARTS = ['persons', 'ingestions'] as const;

const LIVES = ['all', 'active', 'soft_deleted'] as const;

/** Finds one by e-mail and phone number. What is typed stands in no address. */
const Search = () => {
  const sought = useHistoryState<SoughtPerson | null>();
  const [email, setEmail] = useState('');
  const [phone, setPhone] = useState('');
  useEffect(() => {
    if (sought === null) return;
    setEmail(sought.email);
    setPhone(sought.phone);
    // The next user of this browser must not find the person with Back.
    history.replaceState(null, '');
  }, [sought]);
  const [, go] = useLocation();
  const search = useAct(async () => {
    const { identities } = await answer(
      api.POST('/api/v1/identities/search', { body: { email, phone_number: phone } }),
    );
    const [found] = identities;
    if (found === undefined) throw new Error('The account has no identity with this e-mail and phone number.');
    go(`/identities/${found.identity_id}`);
  });
  return (
    <Form className="filters" act={() => search.mutate()} error={search.error}>
      <Field label="E-mail" name="email" type="email" value={email} onChange={setEmail} required />
      <Field
        label="Phone number"
        name="phone_number"
        value={phone}
        onChange={setPhone}
        placeholder="+12025550123"
        required
      />
      <button type="submit" className="plain" disabled={search.isPending}>
        Find
      </button>
    </Form>
  );
};

const List = ({ life }: { readonly life: (typeof LIVES)[number] }) => {
  const identities = usePages({
    key: ['identities', life],
    read: (cursor) =>
      answer(
        api.GET('/api/v1/identity', {
          params: {
            query: {
              limit: 100,
              ...(life === 'all' ? {} : { status: life }),
              ...(cursor === '' ? {} : { cursor }),
            },
          },
        }),
      ),
    next: (last) => last.next_cursor,
  });
  return (
    <Show of={identities}>
      {(pages) => {
        const rows = pages.flatMap((page) => page.identities);
        if (rows.length === 0)
          return (
            <Empty>
              {life === 'all'
                ? 'No person is here yet. Records that you send to POST /api/v1/ingest appear here.'
                : 'No identity has this state.'}
            </Empty>
          );
        return (
          <>
            <StatusBar
              states={rows.map((row) => (row.status === 'active' ? row.kyc_status : row.status))}
              isPart={identities.hasNextPage}
            />
            <Table
              label="Identities"
              rows={rows}
              keyOf={({ identity_id }) => identity_id}
              columns={[
                {
                  title: 'Identity',
                  cell: ({ identity_id: id }) => (
                    <Link href={`/identities/${id}`}>
                      <Short id={id} />
                    </Link>
                  ),
                },
                {
                  title: 'Status',
                  cell: ({ status, kyc_status: kyc }) =>
                    status === 'active' ? <Badge of={kyc} text={words(kyc).toLowerCase()} /> : <Badge of={status} />,
                },
                { title: 'Tier', cell: ({ tier }) => tier },
                {
                  title: 'KYC expires',
                  cell: ({ kyc_expires_at: at }) => (at === null ? 'never' : <Ago at={at} />),
                },
                { title: 'Updated', cell: ({ updated_at }) => <Ago at={updated_at} /> },
                ...(rows.some(({ purge_at: at }) => at !== null)
                  ? [
                      {
                        title: 'Erased from',
                        cell: ({ purge_at: at }: (typeof rows)[number]) => (at === null ? '–' : <Exact at={at} />),
                      },
                    ]
                  : []),
              ]}
            />
            <More of={identities}>More identities</More>
          </>
        );
      }}
    </Show>
  );
};

const Ingestions = () => {
  const ingestions = usePages({
    key: ['ingestions'],
    read: (cursor) =>
      answer(
        api.GET('/api/v1/ingest', {
          params: { query: { limit: 20, ...(cursor === '' ? {} : { cursor }) } },
        }),
      ),
    next: (last) => last.next_cursor,
    every: 5_000,
  });
  return (
    <Show of={ingestions}>
      {(pages) => {
        const rows = pages.flatMap((page) => page.ingestions);
        if (rows.length === 0)
          return <Empty>No record was sent yet. Each call of POST /api/v1/ingest appears here.</Empty>;
        return (
          <>
            <StatusBar states={rows.map(({ status }) => status)} isPart={ingestions.hasNextPage} />
            <Table
              label="Ingestions, newest first"
              rows={rows}
              keyOf={({ ingestion_id }) => ingestion_id}
              columns={[
                { title: 'Received', cell: ({ received_at }) => <Ago at={received_at} /> },
                { title: 'Ingestion', cell: ({ ingestion_id: id }) => <Short id={id} /> },
                {
                  title: 'Status',
                  cell: ({ status, errors }) =>
                    status === 'completed' && errors > 0 ? (
                      <Badge of="pending" text="completed with errors" />
                    ) : (
                      <Badge of={status} />
                    ),
                },
                { title: 'Records', number: true, cell: ({ records_received }) => count(records_received) },
                {
                  title: 'Errors',
                  number: true,
                  cell: ({ errors }) => (errors === 0 ? '0' : <Badge of="failed" text={count(errors)} />),
                },
              ]}
            />
            <More of={ingestions}>Older ingestions</More>
          </>
        );
      }}
    </Show>
  );
};

export const Identities = () => {
  const { read, write } = useAddress();
  const life = LIVES.find((each) => each === read('status')) ?? 'all';
  const maySeeIngestions = useScope('ingest');
  const isOfIngestions = maySeeIngestions && read('part') === 'ingestions';
  return (
    <>
      {isOfIngestions ? (
        <Title path="/api/v1/ingest">Identities</Title>
      ) : (
        <Title path="/api/v1/identity" query={{ status: life === 'all' ? undefined : life }}>
          Identities
        </Title>
      )}
      {maySeeIngestions && (
        <Tabs
          of={PARTS}
          present={isOfIngestions ? 'ingestions' : 'persons'}
          named={sentence}
          open={(part) => write({ part: part === 'persons' ? '' : part })}
        />
      )}
      {isOfIngestions ? (
        <Ingestions />
      ) : (
        <>
          <Search />
          <div className="filters">
            <Views screen="identities" />
            <Choice label="Show" value={life} of={LIVES} onChange={(status) => write({ status })} />
          </div>
          <List life={life} />
        </>
      )}
    </>
  );
};
