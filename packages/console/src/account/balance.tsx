import { useQuery } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { StepLine } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { count, many } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Empty, Show } from '../parts/states.js';
import { Exact } from '../parts/time.js';
import { Transactions } from '../parts/transactions.js';

const ON_A_PAGE = 100;

const AsOf = ({ newestFirst }: { readonly newestFirst: readonly Answers['TransactionResponse'][] }) => {
  const { read, write } = useAddress();
  const steps = newestFirst.toReversed();
  const named = steps.findIndex(({ id }) => id === read('as_of'));
  const at = named === -1 ? steps.length - 1 : named;
  const shown = newestFirst.slice(steps.length - 1 - at);
  const [last] = shown;
  if (last === undefined) return <Empty>There are no credits yet. Buy some, or ask your operator.</Empty>;
  return (
    <>
      <section className="card">
        <p className="balance">
          <strong>{count(last.balance_after)}</strong> credits after <Exact at={last.created_at} />
        </p>
        <StepLine steps={steps} at={at} />
        <label className="wide">
          As of
          <input
            type="range"
            min={0}
            max={steps.length - 1}
            value={at}
            aria-valuetext={last.created_at}
            onChange={(event) => write({ as_of: steps[Number(event.target.value)]?.id ?? '' }, { replace: true })}
          />
        </label>
      </section>
      <h2>The events behind it</h2>
      <Transactions label="Transactions up to this time" rows={shown} />
    </>
  );
};

/** How long the balance lasts, as a sentence. */
export const Forecast = () => {
  const { data } = useQuery({ queryKey: ['forecast'], queryFn: () => answer(api.GET('/billing/forecast')) });
  if (data === undefined) return null;
  const { credits_per_day: pace, basis_days: days, lasts_days: lasts, empties_on: end } = data;
  if (pace === null || days === null || lasts === null)
    return <p className="quiet">Nothing was used in the last four weeks, so there is no forecast.</p>;
  return (
    <p>
      At the pace of the last {days} days, {count(pace)} credits a day, the balance lasts{' '}
      <strong>{many(lasts, 'day')}</strong>
      {end !== null && `, until ${end}`}.
    </p>
  );
};

export const Balance = () => {
  const transactions = usePages({
    key: ['transactions', 'as of'],
    read: (cursor) =>
      answer(
        api.GET('/billing/transactions', {
          params: { query: { limit: ON_A_PAGE, ...(cursor === '' ? {} : { cursor }) } },
        }),
      ),
    next: ({ pagination }) => pagination.next_cursor,
  });
  return (
    <>
      <Title path={`/billing/transactions?limit=${ON_A_PAGE}`}>Balance history</Title>
      <Forecast />
      <Show of={transactions}>{(pages) => <AsOf newestFirst={pages.flatMap((page) => page.transactions)} />}</Show>
      <More of={transactions}>Further back</More>
    </>
  );
};
