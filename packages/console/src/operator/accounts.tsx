import { useState } from 'react';
import { Link } from 'wouter';
import { answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Gauge } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Field, Filter, Form } from '../parts/form.js';
import { count, many, sentence } from '../parts/format.js';
import { More, nextOffset, usePages } from '../parts/pages.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';
import { useRole } from '../who.js';

/** Opens an account. Its first key is shown once. */
const OpenAccount = () => {
  const [name, setName] = useState('');
  const [contact, setContact] = useState('');
  const open = useAct(
    () => answer(api.POST('/admin/accounts', { body: { name, contact_email: contact } })),
    'accounts',
  );
  return (
    <section className="card">
      <h2>Open an account</h2>
      <Form className="filters" act={() => open.mutate(undefined, { onSuccess: () => setName('') })} error={open.error}>
        <Field label="Name" name="name" value={name} onChange={setName} required />
        <Field
          label="Contact e-mail"
          name="contact_email"
          type="email"
          value={contact}
          onChange={setContact}
          required
        />
        <button type="submit" disabled={open.isPending}>
          Open
        </button>
      </Form>
      {open.data !== undefined && (
        <div role="status">
          <p>
            Account <code>{open.data.tenant_id}</code> is open. Its first key, shown once:
          </p>
          <pre tabIndex={0}>
            <code>{open.data.api_key}</code>
          </pre>
        </div>
      )}
    </section>
  );
};

export const Accounts = () => {
  const { read, write } = useAddress();
  const isAdmin = useRole('admin');
  const q = read('q');
  const accounts = usePages({
    key: ['accounts', q],
    read: (offset) =>
      answer(
        api.GET('/admin/accounts', {
          params: { query: { limit: 100, offset: Number(offset), ...(q === '' ? {} : { q }) } },
        }),
      ),
    next: ({ pagination }) => nextOffset(pagination),
  });
  return (
    <>
      <Title path="/admin/accounts" query={{ q }} operator>
        Accounts
      </Title>
      <div className="filters">
        <Filter label="Name or id" value={q} onChange={(text) => write({ q: text })} />
      </div>
      <Show of={accounts}>
        {(pages) => {
          const rows = pages.flatMap((page) => page.accounts);
          if (rows.length === 0) return <Empty>{q === '' ? 'There is no account yet.' : 'No account matches.'}</Empty>;
          const most = Math.max(1, ...rows.map(({ balance }) => balance ?? 0));
          return (
            <>
              <p className="quiet">{many(pages[0]?.pagination.total ?? 0, 'account')}</p>
              <Table
                label="Accounts"
                rows={rows}
                keyOf={({ tenant_id }) => tenant_id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ name, tenant_id: id }) => <Link href={`/accounts/${id}`}>{name}</Link>,
                  },
                  { title: 'Id', cell: ({ tenant_id }) => <Short id={tenant_id} /> },
                  { title: 'Plan', cell: ({ tier }) => sentence(tier) },
                  {
                    title: 'Status',
                    cell: ({ status, distrusted }) => (
                      <>
                        <Badge of={status} /> {distrusted && <Badge of="distrusted" />}
                      </>
                    ),
                  },
                  {
                    title: 'Credits',
                    number: true,
                    cell: ({ balance }) => (balance === null ? '–' : count(balance)),
                  },
                  ...(rows.length > 1
                    ? [
                        {
                          title: 'Beside the most',
                          cell: ({ balance, name }: (typeof rows)[number]) => (
                            <span className="bar">
                              <Gauge
                                label={`Credits of ${name} beside the most of any`}
                                share={(100 * (balance ?? 0)) / most}
                              />
                            </span>
                          ),
                        },
                      ]
                    : []),
                  { title: 'Opened', cell: ({ created_at }) => <Ago at={created_at} /> },
                ]}
              />
            </>
          );
        }}
      </Show>
      <More of={accounts}>More accounts</More>
      {isAdmin && <OpenAccount />}
    </>
  );
};
