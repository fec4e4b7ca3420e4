import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { Title } from '../parts/title.js';
import { actOf, isAct } from './acts.js';
import { Choice, Filter } from '../parts/form.js';
import { count, many } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Exact } from '../parts/time.js';

const shown = (value: unknown): string =>
  typeof value === 'number' ? count(value) : typeof value === 'string' ? value : JSON.stringify(value);

const SHOWN = ['acts', 'acts and reads'] as const;

const changesText = ({ changes }: Answers['OperatorLogEntry']): string =>
  changes
    .map(({ field, from, to }) => (to === undefined ? field : `${field}: ${shown(from)} to ${shown(to)}`))
    .join('; ');

export const OperatorsLog = () => {
  const { read, write } = useAddress();
  const [account, request, operator] = [read('account'), read('request'), read('operator')];
  const show = SHOWN.find((each) => each === read('show')) ?? 'acts';
  const log = usePages({
    key: ['operators log', account, request, operator],
    read: (cursor) =>
      answer(
        api.GET('/admin/audit-log', {
          params: {
            query: {
              limit: 200,
              ...(account === '' ? {} : { tenant_id: account }),
              ...(request === '' ? {} : { request_id: request }),
              ...(operator === '' ? {} : { operator }),
              ...(cursor === '' ? {} : { cursor: Number(cursor) }),
            },
          },
        }),
      ),
    next: ({ pagination: { next_cursor: next } }) => (next === null ? null : String(next)),
  });
  return (
    <>
      <Title path="/admin/audit-log" query={{ tenant_id: account, request_id: request, operator }} operator>
        Operators’ log
      </Title>
      <div className="filters">
        <Choice label="Show" value={show} of={SHOWN} onChange={(each) => write({ show: each })} />
        <Filter label="Account id" value={account} onChange={(text) => write({ account: text })} />
        <Filter label="Operator" value={operator} onChange={(text) => write({ operator: text })} />
        <Filter label="Request id" value={request} onChange={(text) => write({ request: text })} />
      </div>
      <Show of={log}>
        {(pages) => {
          const loaded = pages.flatMap(({ logs }) => logs);
          if (loaded.length === 0) return <Empty>No act of an operator matches these filters.</Empty>;
          const rows = show === 'acts' ? loaded.filter(isAct) : loaded;
          const hidden = loaded.length - rows.length;
          return (
            <>
              {hidden > 0 && <p className="quiet">{many(hidden, 'read')} hidden.</p>}
              <Table
                label="What operators did, newest first"
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Time', cell: ({ timestamp }) => <Exact at={timestamp} /> },
                  {
                    title: 'What',
                    cell: ({ action }) => (
                      <span className="whole" title={action}>
                        {actOf(action)}
                      </span>
                    ),
                  },
                  {
                    title: 'Account',
                    cell: ({ tenant_id: id }) =>
                      id === null ? '–' : <Link href={`/accounts/${id}`}>{<Short id={id} />}</Link>,
                  },
                  { title: 'Outcome', cell: ({ outcome }) => <Badge of={outcome} /> },
                  {
                    title: 'Who',
                    cell: ({ operator_name, operator: hash }) => (
                      <span className="whole">{operator_name ?? hash.slice(0, 12)}</span>
                    ),
                  },
                  {
                    title: 'Why and what changed',
                    cell: (entry) => (
                      <span className="wraps">
                        {[entry.justification, changesText(entry)].filter(Boolean).join(' · ') || '–'}
                      </span>
                    ),
                  },
                  {
                    title: 'Request',
                    cell: ({ request_id: id }) => (
                      <Link href={`/replay?request=${encodeURIComponent(id)}`}>replay</Link>
                    ),
                  },
                ]}
              />
              <More of={log}>Older entries</More>
            </>
          );
        }}
      </Show>
    </>
  );
};
