import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { againIfFailed } from '../parts/again.js';
import { Title } from '../parts/title.js';
import { Choice, Field, Form } from '../parts/form.js';
import { count, many, sentence } from '../parts/format.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago, dayIn, Exact, rangeIn, useZone } from '../parts/time.js';
import { useScope } from '../who.js';

/** Milliseconds between two looks at documents, while one is being made. */
const LIVE = 1_500;
const DAY = 86_400_000;
const FORMATS = ['pdf', 'csv', 'json'] as const;

type Made = Pick<
  Answers['ReportResponse'],
  'status' | 'created_at' | 'download_url' | 'expires_at' | 'error' | 'format'
>;

const isMaking = (rows: readonly Made[]): boolean => rows.some(({ status }) => status === 'generating');

/** The list, with what was just requested first until the list has it: it is a moment behind. */
const withRequested = <Row,>(
  listed: readonly Row[] | undefined,
  requested: Row | undefined,
  idOf: (row: Row) => string,
): readonly Row[] => {
  const rows = listed ?? [];
  if (requested === undefined || rows.some((row) => idOf(row) === idOf(requested))) return rows;
  return [requested, ...rows];
};

const reportOf = ({ report_id: id }: Answers['ReportResponse']): string => id;
const exportOf = ({ export_id: id }: Answers['ExportResponse']): string => id;

const Files = <Row extends Made>(props: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}) => (
  <Table
    {...props}
    columns={[
      { title: 'Requested', cell: ({ created_at }) => <Ago at={created_at} /> },
      { title: 'Format', cell: ({ format }) => format.toUpperCase() },
      { title: 'Status', cell: ({ status, error }) => <Badge of={status} text={error ?? status} /> },
      {
        title: 'File',
        cell: ({ download_url: url }) =>
          url === null ? (
            '–'
          ) : (
            <a href={url} download>
              Download
            </a>
          ),
      },
      { title: 'Kept until', cell: ({ expires_at: at }) => (at === null ? '–' : <Exact at={at} />) },
    ]}
  />
);

const Reports = ({ cost }: { readonly cost: number }) => {
  const zone = useZone();
  const [from, setFrom] = useState(() => dayIn(zone, Date.now() - 30 * DAY));
  const [to, setTo] = useState(() => dayIn(zone, Date.now()));
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('pdf');
  const request = useAct(
    () => {
      const { start_date = '', end_date = '' } = rangeIn(zone, from, to);
      return answer(api.POST('/api/v1/compliance/report', { body: { start_date, end_date, format } }));
    },
    ...['reports', 'overview', 'audit', 'transactions'],
  );
  const reports = useQuery({
    queryKey: ['reports'],
    queryFn: () => answer(api.GET('/api/v1/compliance/reports', { params: { query: { limit: 20 } } })),
    refetchInterval: (query) =>
      isMaking(withRequested(query.state.data?.reports, request.data, reportOf)) ? LIVE : againIfFailed(query),
  });
  return (
    <section>
      <h2>Reports</h2>
      <Form className="filters" act={() => request.mutate()} error={request.error}>
        <Field label="From" name="start_date" type="date" value={from} onChange={setFrom} required />
        <Field label="To" name="end_date" type="date" value={to} onChange={setTo} required />
        <Choice label="Format" value={format} of={FORMATS} named={(each) => each.toUpperCase()} onChange={setFormat} />
        <button type="submit" disabled={request.isPending}>
          Request for {many(cost, 'credit')}
        </button>
      </Form>
      <Show of={reports}>
        {({ reports: listed }) => {
          const rows = withRequested(listed, request.data, reportOf);
          if (rows.length === 0) return <Empty>No report yet. Choose the days above and request one.</Empty>;
          return <Files label="Reports, newest first" rows={rows} keyOf={reportOf} />;
        }}
      </Show>
    </section>
  );
};

const Exports = () => {
  const request = useAct(
    () => answer(api.POST('/api/v1/data-export', { body: { format: 'json' } })),
    ...['exports', 'audit'],
  );
  const exports = useQuery({
    queryKey: ['exports'],
    queryFn: () => answer(api.GET('/api/v1/data-export', { params: { query: { limit: 20 } } })),
    refetchInterval: (query) =>
      isMaking(withRequested(query.state.data?.exports, request.data, exportOf)) ? LIVE : againIfFailed(query),
  });
  return (
    <section>
      <h2>Data exports</h2>
      <p>
        <button type="button" className="plain" disabled={request.isPending} onClick={() => request.mutate()}>
          Export all account data
        </button>
      </p>
      {request.error !== null && <Failure error={request.error} />}
      <Show of={exports}>
        {({ exports: listed }) => {
          const rows = withRequested(listed, request.data, exportOf);
          if (rows.length === 0)
            return <Empty>No export yet. Request one above to take all records of the account with you.</Empty>;
          return <Files label="Exports, newest first" rows={rows} keyOf={exportOf} />;
        }}
      </Show>
    </section>
  );
};

const Retention = () => {
  const preview = useQuery({
    queryKey: ['retention'],
    queryFn: () => answer(api.GET('/api/v1/compliance/retention/preview')),
  });
  return (
    <section>
      <h2>What is purged next</h2>
      <Show of={preview}>
        {({ records, run_at: runAt }) => (
          <>
            <p className="quiet">
              The next purge runs <Ago at={runAt} />.
            </p>
            <Table
              label="Records by kind"
              rows={records}
              keyOf={({ kind }) => kind}
              columns={[
                { title: 'Records', cell: ({ kind }) => sentence(kind) },
                { title: 'Kept', cell: ({ kept }) => kept },
                { title: 'Due now', number: true, cell: ({ due }) => count(due) },
                { title: 'Next due', cell: ({ next_due: at }) => (at === null ? '–' : <Exact at={at} />) },
              ]}
            />
          </>
        )}
      </Show>
    </section>
  );
};

export const Documents = () => {
  const mayExport = useScope('data');
  const pricing = useQuery({ queryKey: ['pricing'], queryFn: () => answer(api.GET('/billing/pricing')) });
  return (
    <>
      <Title path="/api/v1/compliance/reports">Reports and retention</Title>
      <Show of={pricing}>{({ operations }) => <Reports cost={operations.report} />}</Show>
      {mayExport && <Exports />}
      <Retention />
    </>
  );
};
