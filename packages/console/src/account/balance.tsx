import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Answers, answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { StepLine } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { count, many, sentence } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { DAY_MS, Exact } from '../parts/time.js';
import { Transactions } from '../parts/transactions.js';

const ON_A_PAGE = 100;

type Transaction = Answers['TransactionResponse'];

const AsOf = ({ newestFirst }: { readonly newestFirst: readonly Transaction[] }) => {
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

const CHARTED_DAYS = 30;

type Day = Answers['BalanceOfDay'];

/** The end of each day. The first credits of an account begin at none. */
const stepsOf = (days: readonly Day[]) => {
  const known = days.flatMap(({ date, balance, purchased }, place) => {
    const isToday = place === days.length - 1;
    const end = isToday ? new Date().toISOString() : `${date}T23:59:59.999Z`;
    const type: Transaction['type'] = purchased > 0 ? 'purchase' : 'usage';
    return balance === null ? [] : [{ balance_after: balance, created_at: end, type }];
  });
  const [first] = known;
  if (first === undefined || known.length === days.length) return known;
  const begin = `${first.created_at.slice(0, 10)}T00:00:00.000Z`;
  return [{ balance_after: 0, created_at: begin, type: 'usage' as const }, ...known];
};

const useDays = (every?: number) =>
  useQuery({
    queryKey: ['transactions', 'by day'],
    queryFn: () => answer(api.GET('/billing/balances', { params: { query: { days: CHARTED_DAYS } } })),
    ...(every === undefined ? {} : { refetchInterval: every }),
  });

/** The balance of a month by time, days with purchases marked, and as it goes on at the present pace. */
export const Month = ({ every }: { readonly every?: number }) => {
  const days = useDays(every);
  const pace = useForecast().data?.credits_per_day ?? 0;
  return (
    <section className="card">
      <h2>Balance in {CHARTED_DAYS} days</h2>
      <Forecast />
      <Show of={days}>
        {({ balances }) => {
          const steps = stepsOf(balances);
          return steps.length === 0 ? (
            <Empty>There are no credits yet. Buy some, or ask your operator.</Empty>
          ) : (
            <StepLine steps={steps} pace={pace} />
          );
        }}
      </Show>
    </section>
  );
};

type Used = Answers['UsageDay'];

/** `Sanctions check 12, report 5`, the most first. */
const usedFor = (used: Used): string =>
  Object.entries(used)
    .filter(([name, credits]) => name !== 'total_credits' && typeof credits === 'number' && credits > 0)
    .sort(([, one], [, other]) => Number(other) - Number(one))
    .map(([name, credits]) => `${sentence(name).toLowerCase()} ${count(Number(credits))}`)
    .join(', ');

/** What each day cost and brought, the newest first. */
const Days = () => {
  const days = useDays();
  const usage = useQuery({
    queryKey: ['usage', 'by day', CHARTED_DAYS],
    queryFn: () => answer(api.GET('/billing/usage', { params: { query: { days: CHARTED_DAYS } } })),
  });
  const used = new Map(usage.data?.usage.map((day) => [day.date, day]));
  return (
    <Show of={days}>
      {({ balances }) => {
        const rows = balances
          .filter(({ date, purchased }) => purchased > 0 || (used.get(date)?.total_credits ?? 0) > 0)
          .toReversed();
        return rows.length === 0 ? null : (
          <>
            <h2>Day by day</h2>
            <Table
              label="Credits by day, newest first"
              rows={rows}
              keyOf={({ date }) => date}
              columns={[
                { title: 'Day, UTC', cell: ({ date }) => date },
                { title: 'Used', number: true, cell: ({ date }) => count(used.get(date)?.total_credits ?? 0) },
                {
                  title: 'For',
                  cell: ({ date }) => {
                    const of = used.get(date);
                    return of === undefined ? '–' : usedFor(of);
                  },
                },
                { title: 'Purchased', number: true, cell: ({ purchased }) => (purchased > 0 ? count(purchased) : '–') },
                { title: 'Balance', number: true, cell: ({ balance }) => count(balance ?? 0) },
              ]}
            />
          </>
        );
      }}
    </Show>
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
      <Title
        path={`/billing/transactions?limit=${ON_A_PAGE}`}
        next={
          <Link className="primary" href="/plan">
            Buy credits
          </Link>
        }
      >
        Balance history
      </Title>
      <Cards />
      <Month />
      <Days />
      <h2>Event by event</h2>
      <Show of={transactions}>{(pages) => <AsOf newestFirst={pages.flatMap((page) => page.transactions)} />}</Show>
      <More of={transactions}>Further back</More>
    </>
  );
};
