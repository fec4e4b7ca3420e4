import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { StatusBar } from '../parts/charts.js';
import { sentence } from '../parts/format.js';
import { RequestId } from '../parts/people.js';
import { Title } from '../parts/title.js';
import { More, usePages } from '../parts/pages.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Tabs } from '../parts/tabs.js';
import { Exact } from '../parts/time.js';

const SHOWN = ['all', 'to_look_at', 'clear'] as const;

const CLEAR: ReadonlySet<string> = new Set(['clear', 'not_pep']);

export const Decisions = () => {
  const { read, write } = useAddress();
  const show = SHOWN.find((each) => each === read('show')) ?? 'all';
  const decisions = usePages({
    key: ['decisions'],
    read: (cursor) =>
      answer(
        api.GET('/api/v1/compliance/decisions', {
          params: { query: { limit: 200, ...(cursor === '' ? {} : { cursor }) } },
        }),
      ),
    next: (last) => last.next_cursor,
  });
  return (
    <>
      <Title path="/api/v1/compliance/decisions">Decisions</Title>
      <Tabs of={SHOWN} present={show} named={sentence} open={(each) => write({ show: each })} />
      <Show of={decisions}>
        {(pages) => {
          const loaded = pages.flatMap((page) => page.decisions);
          const rows = loaded.filter(({ result }) => show === 'all' || CLEAR.has(result) === (show === 'clear'));
          if (loaded.length === 0)
            return (
              <Empty>
                No person was screened yet. <Link href="/check">Screen a name.</Link>
              </Empty>
            );
          return (
            <>
              <StatusBar states={loaded.map(({ result }) => result)} isPart={decisions.hasNextPage} />
              <p className="quiet">
                What waits for a judgement is in the <Link href="/matches">queue of matches</Link>.
              </p>
              <Table
                label="Decisions, newest first"
                rows={rows}
                keyOf={({ decision_id }) => decision_id}
                columns={[
                  {
                    title: 'Time',
                    cell: ({ decision_id: id, decided_at: at }) => (
                      <Link href={`/decisions/${id}`}>
                        <Exact at={at} />
                      </Link>
                    ),
                  },
                  { title: 'Check', cell: ({ kind }) => sentence(kind) },
                  { title: 'Result', cell: ({ result }) => <Badge of={result} /> },
                  {
                    title: 'Why',
                    cell: ({ origin }) => (origin === 'check' ? 'Asked for' : 'A list or the person changed'),
                  },
                  ...(rows.some(({ identity_id: id }) => id !== null)
                    ? [
                        {
                          title: 'Identity',
                          cell: ({ identity_id: id }: (typeof rows)[number]) =>
                            id === null ? '–' : <Link href={`/identities/${id}`}>{<Short id={id} />}</Link>,
                        },
                      ]
                    : []),
                  { title: 'Request', cell: ({ request_id: id }) => <RequestId id={id} /> },
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
