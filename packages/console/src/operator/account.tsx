import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { StepLine } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Ask, Field } from '../parts/form.js';
import { count, sentence } from '../parts/format.js';
import { Short } from '../parts/short.js';
import { Badge, Empty, Show } from '../parts/states.js';
import { say } from '../parts/toasts.js';
import { Transactions } from '../parts/transactions.js';
import { Proposals } from './proposals.js';
import { useRole } from '../who.js';

const CHANGED = ['account', 'accounts'] as const;

const Adjust = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const [amount, setAmount] = useState('');
  const adjust = useAct(
    (reason: string) =>
      answer(
        api.POST('/admin/accounts/{id}/credits', {
          params: { path: { id } },
          body: { amount: Number(amount), reason },
        }),
      ),
    ...CHANGED,
  );
  return (
    <Ask
      button="Adjust credits"
      title={`Adjust the credits of ${name}`}
      acts="Adjust"
      reason="Reason"
      phrase="adjust"
      done=""
      act={(reason) =>
        adjust
          .mutateAsync(reason)
          .then(({ status }) =>
            say(status === 'done' ? `The credits of ${name} were adjusted` : 'Proposed: another operator approves it'),
          )
      }
    >
      <Field
        label="Credits, signed"
        name="amount"
        value={amount}
        onChange={setAmount}
        pattern="[+\-]?[0-9]+"
        placeholder="-50"
        required
        hint="The balance never falls below zero."
      />
    </Ask>
  );
};

const Judge = ({ account }: { readonly account: Answers['AccountResponse'] }) => {
  const path = { params: { path: { id: account.tenant_id } } };
  const suspend = useAct(
    (reason: string) => answer(api.POST('/admin/accounts/{id}/suspend', { ...path, body: { reason } })),
    ...CHANGED,
  );
  const reinstate = useAct(
    (reason: string) => answer(api.POST('/admin/accounts/{id}/reinstate', { ...path, body: { reason } })),
    ...CHANGED,
  );
  const distrust = useAct(
    (reason: string) => answer(api.POST('/admin/accounts/{id}/distrust', { ...path, body: { reason } })),
    ...CHANGED,
  );
  const trust = useAct(
    (reason: string) => answer(api.POST('/admin/accounts/{id}/trust', { ...path, body: { reason } })),
    ...CHANGED,
  );
  return (
    <p className="actions">
      <Adjust id={account.tenant_id} name={account.name} />
      {account.status === 'active' ? (
        <Ask
          button="Suspend"
          isDestructive
          title={`Suspend ${account.name}`}
          reason="Reason"
          phrase="suspend"
          act={suspend.mutateAsync}
        >
          <p>Its keys and tokens are refused at once. What it attests goes on counting.</p>
        </Ask>
      ) : (
        <Ask button="Reinstate" title={`Reinstate ${account.name}`} reason="Reason" act={reinstate.mutateAsync} />
      )}
      {account.distrusted ? (
        <Ask
          button="Trust again"
          title={`Trust what ${account.name} attests`}
          reason="Reason"
          act={trust.mutateAsync}
        />
      ) : (
        <Ask
          button="Distrust"
          isDestructive
          title={`Distrust what ${account.name} attests`}
          reason="Reason"
          phrase="distrust"
          done=""
          act={(reason) =>
            distrust
              .mutateAsync(reason)
              .then(({ distrusted }) =>
                say(distrusted ? `${account.name} is distrusted` : 'Proposed: another operator approves it'),
              )
          }
        >
          <p>Nothing that it attests counts for any account from then on. Its own calls go on.</p>
        </Ask>
      )}
    </p>
  );
};

export const Account = () => {
  const { id = '' } = useParams();
  const isAdmin = useRole('admin');
  const account = useQuery({
    queryKey: ['account', id],
    queryFn: () => answer(api.GET('/admin/accounts/{id}', { params: { path: { id } } })),
  });
  const credits = useQuery({
    queryKey: ['account', id, 'credits'],
    queryFn: () => answer(api.GET('/admin/accounts/{id}/credits', { params: { path: { id } } })),
  });
  return (
    <>
      <Title path={`/admin/accounts/${encodeURIComponent(id)}`} operator>
        {account.data?.name ?? 'Account'}
      </Title>
      <p>
        <Link href="/">All accounts</Link> · <Link href={`/log?account=${id}`}>What operators did to it</Link>
      </p>
      <Show of={account}>
        {(found) => (
          <section className="card" aria-label="The account">
            <dl className="facts">
              <div>
                <dt>Status</dt>
                <dd>
                  <Badge of={found.status} /> {found.distrusted && <Badge of="distrusted" />}
                </dd>
              </div>
              <div>
                <dt>Credits</dt>
                <dd>{credits.data === undefined ? '–' : count(credits.data.balance)}</dd>
              </div>
              {credits.data !== undefined && credits.data.debt > 0 && (
                <div>
                  <dt>Debt</dt>
                  <dd>{count(credits.data.debt)}</dd>
                </div>
              )}
              <div>
                <dt>Plan</dt>
                <dd>{sentence(found.tier)}</dd>
              </div>
              <div>
                <dt>Contact</dt>
                <dd>{found.contact_email ?? '–'}</dd>
              </div>
              <div>
                <dt>Requests a minute</dt>
                <dd>{count(found.rate_limit_per_minute)}</dd>
              </div>
              <div>
                <dt>Id</dt>
                <dd>
                  <Short id={found.tenant_id} />
                </dd>
              </div>
              {found.suspension_reason !== null && (
                <div>
                  <dt>Suspended because</dt>
                  <dd>{found.suspension_reason}</dd>
                </div>
              )}
            </dl>
            {isAdmin && <Judge account={found} />}
          </section>
        )}
      </Show>
      <Proposals id={id} isAdmin={isAdmin} />
      <Show of={credits}>
        {({ transactions }) =>
          transactions.length === 0 ? (
            <Empty>It never had credits. Adjust them above, or wait for its first purchase.</Empty>
          ) : (
            <>
              <section className="card">
                <h2>Balance</h2>
                <StepLine steps={transactions.toReversed()} />
              </section>
              <h2>The newest transactions</h2>
              <Transactions label="The newest transactions" rows={transactions} />
            </>
          )
        }
      </Show>
    </>
  );
};
