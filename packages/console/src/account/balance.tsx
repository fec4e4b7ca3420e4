import { useQuery } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { StepLine } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { count, many } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Empty, Show } from '../parts/states.js';
import { DAY_MS, Exact } from '../parts/time.js';
import { Transactions } from '../parts/transactions.js';

const ON_A_PAGE = 100;

const AsOf = ({ newestFirst }: { readonly newestFirst: readonly Answers['TransactionResponse'][] }) => {
  const { read, write } = useAddress();
  const steps = newestFirst.toReversed();
  const named = steps.findIndex(({ id }) => id === read('as_of'));
  const at = named === -1 ? steps.length - 1 : named;
  const shown = newestFirst.slice(steps.length - 1 - at);
  const isNow = at === steps.length - 1;
  const pace = useForecast().data?.credits_per_day ?? 0;
  const [last] = shown;
  if (last === undefined) return <Empty>There are no credits yet. Buy some, or ask your operator.</Empty>;
  return (
    <>
      <section className="card">
        <p className="balance">
          <strong>{count(last.balance_after)}</strong> credits after <Exact at={last.created_at} />
        </p>
        <StepLine steps={steps} at={at} pace={isNow ? pace : 0} />
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

const useForecast = () => useQuery({ queryKey: ['forecast'], queryFn: () => answer(api.GET('/billing/forecast')) });

/** How long the balance lasts, as a sentence. */
export const Forecast = () => {
  const { data } = useForecast();
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

const COMPARED_DAYS = 30;

/** `12 % more than the 30 days before`. */
const comparedWith = (now: number, before: number): string => {
  if (before === 0) return 'nothing in the 30 days before';
  if (now > 3 * before) return `${count(before)} in the 30 days before`;
  const change = Math.round((100 * (now - before)) / before);
  return change === 0
    ? 'as in the 30 days before'
    : `${Math.abs(change)} % ${change > 0 ? 'more' : 'less'} than before`;
};

/** The balance, what was used lately against what was before, and how long it lasts. */
const Cards = () => {
  const overview = useQuery({ queryKey: ['overview'], queryFn: () => answer(api.GET('/billing/overview')) });
  const usage = useQuery({
    queryKey: ['usage', 'compared'],
    queryFn: () => answer(api.GET('/billing/usage', { params: { query: { days: 2 * COMPARED_DAYS } } })),
  });
  const forecast = useForecast();
  const first = new Date(Date.now() - (COMPARED_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const usedIn = (isOf: (date: string) => boolean): number =>
    (usage.data?.usage ?? []).reduce((all, { date, total_credits: credits }) => all + (isOf(date) ? credits : 0), 0);
  const [now, before] = [usedIn((date) => date >= first), usedIn((date) => date < first)];
  return (
    <dl className="figures">
      <div>
        <dt>Balance</dt>
        <dd>{overview.data === undefined ? '–' : count(overview.data.credits.balance)}</dd>
      </div>
      <div>
        <dt>Used in 30 days</dt>
        <dd>{usage.data === undefined ? '–' : count(now)}</dd>
        {usage.data !== undefined && <dd className="quiet hint">{comparedWith(now, before)}</dd>}
      </div>
      <div>
        <dt>Lasts until</dt>
        <dd>{forecast.data?.empties_on ?? '–'}</dd>
      </div>
    </dl>
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
      <Cards />
      <Forecast />
      <Show of={transactions}>{(pages) => <AsOf newestFirst={pages.flatMap((page) => page.transactions)} />}</Show>
      <More of={transactions}>Further back</More>
    </>
  );
};
