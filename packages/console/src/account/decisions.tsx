import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { sentence } from '../parts/format.js';
import { Title } from '../parts/title.js';
import { More, usePages } from '../parts/pages.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

export const Decisions = () => {
  const decisions = usePages({
    key: ['decisions'],
    read: (cursor) =>
      answer(
        api.GET('/api/v1/compliance/decisions', {
          params: { query: { limit: 50, ...(cursor === '' ? {} : { cursor }) } },
        }),
      ),
    next: (last) => last.next_cursor,
  });
  return (
    <>
      <Title path="/api/v1/compliance/decisions">Decisions</Title>
      <Show of={decisions}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.decisions);
          if (rows.length === 0)
            return (
              <Empty>
                No person was screened yet. <Link href="/check">Screen a name.</Link>
              </Empty>
            );
          return (
            <>
              <Table
                label="Decisions, newest first"
                rows={rows}
                keyOf={({ decision_id }) => decision_id}
                columns={[
                  {
                    title: 'Time',
                    cell: ({ decision_id: id, decided_at: at }) => (
                      <Link href={`/decisions/${id}`}>
                        <Ago at={at} />
                      </Link>
                    ),
                  },
                  { title: 'Check', cell: ({ kind }) => (kind === 'pep' ? 'PEP' : sentence(kind)) },
                  { title: 'Result', cell: ({ result }) => <Badge of={result} /> },
                  { title: 'Made by', cell: ({ origin }) => (origin === 'check' ? 'a check' : 'a change of lists') },
                  {
                    title: 'Identity',
                    cell: ({ identity_id: id }) =>
                      id === null ? '–' : <Link href={`/identities/${id}`}>{<Short id={id} />}</Link>,
                  },
                ]}
              />
              <More of={decisions}>Older decisions</More>
            </>
          );
        }}
      </Show>
    </>
  );
};
