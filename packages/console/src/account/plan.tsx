import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Answers, answer, api } from '../api.js';
import { useAct } from '../parts/act.js';
import { useAddress } from '../parts/address.js';
import { Gauge } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Ask, Choice, Field, Form } from '../parts/form.js';
import { count, sentence, words } from '../parts/format.js';
import { Badge, Empty, Failure, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Ago } from '../parts/time.js';

/** The lowest whole number of credits that is not more than this share of the balance after the last purchase. */
const creditsAt = (percent: number, reference: number): number => Math.floor((reference * percent) / 100);

const parsed = (text: string): readonly number[] | undefined => {
  const numbers = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(Number);
  const isValid = numbers.every((each) => Number.isInteger(each) && each >= 0 && each <= 100) && numbers.length <= 10;
  return isValid ? [...new Set(numbers)].sort((one, other) => other - one) : undefined;
};

const AlertForm = ({ alerts, balance }: { readonly alerts: Answers['AlertsResponse']; readonly balance: number }) => {
  const { alert_thresholds: kept, reference_balance: reference } = alerts;
  const [text, setText] = useState(kept.join(', '));
  const thresholds = parsed(text);
  const save = useAct(
    (alert_thresholds: readonly number[]) =>
      answer(api.PATCH('/billing/alerts', { body: { alert_thresholds: [...alert_thresholds] } })),
    'alerts',
  );
  const share = reference === 0 ? 0 : (100 * balance) / reference;
  return (
    <section className="card">
      <h2>Low balance alerts</h2>
      <Gauge
        label={`${Math.round(share)} percent of the ${count(reference)} credits after the last purchase`}
        share={share}
        marks={thresholds ?? []}
      />
      <p className="quiet">
        {count(balance)} of the {count(reference)} credits that there were after the last purchase.
      </p>
      <Form
        act={() => {
          if (thresholds !== undefined) save.mutate(thresholds);
        }}
        error={save.error}
      >
        <Field
          label="Thresholds, percent"
          name="alert_thresholds"
          value={text}
          onChange={setText}
          hint="At most 10 whole percentages from 0 to 100, with commas. None: no alerts."
        />
        <ul aria-label="What would be sent">
          {thresholds?.map((percent) => {
            const credits = creditsAt(percent, reference);
            return (
              <li key={percent}>
                At {percent} %: {count(credits)} credits,{' '}
                {balance <= credits ? 'reached already' : `after ${count(balance - credits)} more are used`}
              </li>
            );
          })}
        </ul>
        <p className="actions">
          <button type="submit" disabled={thresholds === undefined || save.isPending}>
            Save alerts
          </button>
          {save.isSuccess && <span role="status">Saved</span>}
        </p>
      </Form>
    </section>
  );
};

/** Milliseconds between two looks for what was paid. */
const LOOK_FOR_PAYMENT = 2_000;
const THANKS = 'Thank you. The credits come as soon as the provider confirms the payment; see the purchases below.';

const PACKAGES = ['small', 'large'] as const;

interface Recharging {
  readonly present: Answers['OverviewAutoRecharge'];
  readonly pricing: Answers['Pricing'];
}

const Recharge = ({ present, pricing }: Recharging) => {
  const named = (each: (typeof PACKAGES)[number]): string =>
    `${count(pricing.packages[each].credits)} credits for $${count(pricing.packages[each].price)}`;
  const [threshold, setThreshold] = useState(String(present.threshold ?? 100));
  const [bought, setBought] = useState<(typeof PACKAGES)[number]>('small');
  const set = useAct(
    (enabled: boolean) =>
      answer(
        api.POST('/billing/auto-recharge', {
          body: enabled ? { enabled, threshold: Number(threshold), package: bought } : { enabled },
        }),
      ),
    'overview',
  );
  const isThreshold = /^[1-9]\d{0,8}$/.test(threshold);
  return (
    <section className="card">
      <h2>
        Auto-recharge <Badge of={present.enabled ? 'active' : 'off'} />
      </h2>
      {present.enabled ? (
        <>
          <p>
            Below {count(present.threshold ?? 0)} credits, {count(present.amount ?? 0)} are bought.
          </p>
          <Ask button="Switch off" title="Switch auto-recharge off" act={() => set.mutateAsync(false)} />
        </>
      ) : (
        <>
          <div className="sentence">
            When the balance falls
            <Field
              label="below"
              name="threshold"
              type="number"
              min="1"
              value={threshold}
              onChange={setThreshold}
              inputMode="numeric"
              {...(isThreshold ? {} : { hint: 'A whole number of credits, 1 or more.' })}
            />
            credits,
            <Choice label="buy" value={bought} of={PACKAGES} onChange={setBought} named={named} />
            at most ten times a day.
          </div>
          <Ask
            button="Switch on"
            title="Switch auto-recharge on"
            phrase="recharge"
            className=""
            disabled={!isThreshold}
            act={() => set.mutateAsync(true)}
          >
            <p>
              Whenever the balance is below {threshold} credits, the service buys {named(bought)} with the stored
              payment method, at most ten times a day.
            </p>
          </Ask>
        </>
      )}
    </section>
  );
};

const Buy = ({ pricing }: { readonly pricing: Answers['Pricing'] }) => {
  const here = `${location.origin}/console/plan`;
  const buy = useAct(async (bought: (typeof PACKAGES)[number]) => {
    const body = { package: bought, success_url: `${here}?payment=made`, cancel_url: `${here}?payment=left` };
    const { checkout_url } = await answer(api.POST('/billing/checkout/credits', { body }));
    location.assign(checkout_url);
  });
  return (
    <section className="card">
      <h2>Buy credits</h2>
      <p className="actions">
        {PACKAGES.map((each) => (
          <button key={each} type="button" className="plain" disabled={buy.isPending} onClick={() => buy.mutate(each)}>
            {count(pricing.packages[each].credits)} credits for ${count(pricing.packages[each].price)}
          </button>
        ))}
      </p>
      <p className="quiet">The payment page opens. Nothing is paid before you confirm it there.</p>
      {buy.error !== null && <Failure error={buy.error} />}
    </section>
  );
};

/** What became of the payment page that led here. */
const Paid = () => {
  const { read, write } = useAddress();
  const payment = read('payment');
  const before = useRef<number>(undefined);
  const { data } = useQuery({
    queryKey: ['overview'],
    queryFn: () => answer(api.GET('/billing/overview')),
    ...(payment === 'made' ? { refetchInterval: LOOK_FOR_PAYMENT } : {}),
  });
  const balance = data?.credits.balance;
  before.current ??= balance;
  if (payment !== 'made' && payment !== 'left') return null;
  const hasArrived = balance !== undefined && before.current !== undefined && balance > before.current;
  return (
    <section className="card notice" role="status">
      <p>
        {payment === 'left' && 'You left the payment page. Nothing was paid.'}
        {payment === 'made' && (hasArrived ? `The credits are here: ${count(balance)} now.` : THANKS)}
      </p>
      <p className="actions">
        <button type="button" className="plain small" onClick={() => write({ payment: '' }, { replace: true })}>
          Close
        </button>
      </p>
    </section>
  );
};

/** Leads to the payment provider's receipt. */
const Receipt = ({ purchase }: { readonly purchase: string }) => {
  const open = useAct(async () => {
    const { receipt_url: url } = await answer(
      api.GET('/billing/purchases/{purchaseId}', { params: { path: { purchaseId: purchase } } }),
    );
    if (url === null) throw new Error('The payment provider has no receipt for it.');
    location.assign(url);
  });
  return (
    <>
      <button type="button" className="plain small" disabled={open.isPending} onClick={() => open.mutate()}>
        Receipt
      </button>
      {open.error !== null && <Failure error={open.error} />}
    </>
  );
};

const Purchases = () => {
  const purchases = useQuery({
    queryKey: ['purchases'],
    queryFn: () => answer(api.GET('/billing/purchases', { params: { query: { limit: 20 } } })),
  });
  return (
    <Show of={purchases}>
      {({ purchases: rows }) =>
        rows.length === 0 ? (
          <Empty>Nothing was bought yet. Purchases and their receipts appear here.</Empty>
        ) : (
          <Table
            label="Purchases, newest first"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { title: 'When', cell: ({ created_at }) => <Ago at={created_at} /> },
              { title: 'Status', cell: ({ status }) => <Badge of={status} /> },
              { title: 'Credits', number: true, cell: ({ credits }) => count(credits) },
              { title: 'How', cell: ({ origin }) => words(origin) },
              {
                title: 'Amount',
                number: true,
                cell: ({ amount, amount_refunded: back, currency }) =>
                  `${amount.toFixed(2)} ${currency}${back > 0 ? `, ${back.toFixed(2)} given back` : ''}`,
              },
              {
                title: '',
                cell: ({ id, status }) => status === 'paid' && <Receipt purchase={id} />,
              },
            ]}
          />
        )
      }
    </Show>
  );
};

export const Plan = () => {
  const overview = useQuery({ queryKey: ['overview'], queryFn: () => answer(api.GET('/billing/overview')) });
  const alerts = useQuery({ queryKey: ['alerts'], queryFn: () => answer(api.GET('/billing/alerts')) });
  const pricing = useQuery({ queryKey: ['pricing'], queryFn: () => answer(api.GET('/billing/pricing')) });
  return (
    <>
      <Title path="/billing/overview">Plan and alerts</Title>
      <Paid />
      <Show of={overview}>
        {({ credits, subscription, auto_recharge: recharge }) => (
          <>
            <dl className="figures">
              <div>
                <dt>Plan</dt>
                <dd>{sentence(subscription.tier ?? 'starter')}</dd>
              </div>
              <div>
                <dt>Balance</dt>
                <dd>{count(credits.balance)}</dd>
              </div>
              {subscription.renews_at !== null && (
                <div>
                  <dt>Renews</dt>
                  <dd>
                    <Ago at={subscription.renews_at} />
                  </dd>
                </div>
              )}
              {credits.debt > 0 && (
                <div>
                  <dt>Debt</dt>
                  <dd>{count(credits.debt)}</dd>
                </div>
              )}
            </dl>
            <Show of={pricing}>{(found) => <Buy pricing={found} />}</Show>
            <Show of={pricing}>{(found) => <Recharge present={recharge} pricing={found} />}</Show>
            <Show of={alerts}>{(found) => <AlertForm alerts={found} balance={credits.balance} />}</Show>
          </>
        )}
      </Show>
      <h2>Purchases</h2>
      <Purchases />
    </>
  );
};
