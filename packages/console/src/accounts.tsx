import { useQuery } from '@tanstack/react-query';
import { answer, api } from './api.js';
import { Ago, count, Empty, Show, Table } from './ui.js';

export const Accounts = () => {
  const accounts = useQuery({
    queryKey: ['accounts'],
    queryFn: () => answer(api.GET('/admin/accounts', { params: { query: { limit: 100 } } })),
  });
  return (
    <>
      <h1>Accounts</h1>
      <Show of={accounts}>
        {({ accounts: rows, pagination }) =>
          rows.length === 0 ? (
            <Empty>There is no account yet: POST /admin/accounts opens one.</Empty>
          ) : (
            <>
              <p className="quiet">{count(pagination.total)} accounts</p>
              <Table
                label="Accounts"
                rows={rows}
                keyOf={({ tenant_id }) => tenant_id}
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  { title: 'Id', cell: ({ tenant_id }) => <code>{tenant_id}</code> },
                  { title: 'Plan', cell: ({ tier }) => tier },
                  {
                    title: 'Status',
                    cell: ({ status, distrusted }) => (distrusted ? `${status}, distrusted` : status),
                  },
                  { title: 'Credits', number: true, cell: ({ balance }) => (balance === null ? '–' : count(balance)) },
                  { title: 'Opened', cell: ({ created_at }) => <Ago at={created_at} /> },
                ]}
              />
            </>
          )
        }
      </Show>
    </>
  );
};
