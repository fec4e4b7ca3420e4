import { useQuery } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { StepLine } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { Choice } from '../parts/form.js';
import { count, many, sentence, signed } from '../parts/format.js';
import { More, usePages } from '../parts/pages.js';
import { Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { DAY_MS, dayIn, Exact, useZone, type Zone } from '../parts/time.js';
import { Transactions } from '../parts/transactions.js';

const ON_A_PAGE = 100;

type Transaction = Answers['TransactionResponse'];

const GROUPINGS = ['days', 'each'] as const;

interface Group {
  readonly day: string;
  readonly what: string;
  readonly times: number;
  readonly credits: number;
  /** After the newest of them. */
  readonly balance: number;
}

const groupsOf = (newestFirst: readonly Transaction[], zone: Zone): readonly Group[] => {
  const groups = new Map<string, Group>();
  for (const { created_at: at, operation, type, amount, balance_after: balance } of newestFirst) {
    const [day, what] = [dayIn(zone, Date.parse(at)), operation ?? type];
    const { times, credits, ...rest } = groups.get(`${day} ${what}`) ?? { day, what, times: 0, credits: 0, balance };
    groups.set(`${day} ${what}`, { ...rest, times: times + 1, credits: credits + amount });
  }
  return [...groups.values()];
};

/** What each day cost, by operation. */
const Days = ({ rows }: { readonly rows: readonly Transaction[] }) => {
  const zone = useZone();
  return (
    <Table
      label="Credits by day and operation, up to this time"
      rows={groupsOf(rows, zone)}
      keyOf={({ day, what }) => `${day} ${what}`}
      columns={[
        { title: 'Day', cell: ({ day }) => day },
        { title: 'What', cell: ({ what }) => sentence(what) },
        { title: 'Times', number: true, cell: ({ times }) => count(times) },
        { title: 'Credits', number: true, cell: ({ credits }) => signed(credits) },
        { title: 'Balance', number: true, cell: ({ balance }) => count(balance) },
      ]}
    />
  );
};

const AsOf = ({ newestFirst }: { readonly newestFirst: readonly Transaction[] }) => {
  const { read, write } = useAddress();
  const grouping = GROUPINGS.find((each) => each === read('by')) ?? 'days';
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
      <div className="filters">
        <Choice
          label="Show"
          value={grouping}
          of={GROUPINGS}
          named={(each) => (each === 'days' ? 'by day' : 'each transaction')}
          onChange={(by) => write({ by })}
        />
      </div>
      {grouping === 'days' ? <Days rows={shown} /> : <Transactions label="Transactions up to this time" rows={shown} />}
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

/** The end of each day, and each purchase between. */
const stepsOf = (
  days: readonly Answers['BalanceOfDay'][],
  purchases: readonly Transaction[],
): readonly Pick<Transaction, 'balance_after' | 'created_at' | 'type'>[] => {
  const now = new Date().toISOString();
  const closings = days.flatMap(({ date, balance }, place) => {
    const end = place === days.length - 1 ? now : `${date}T23:59:59.999Z`;
    return balance === null ? [] : [{ balance_after: balance, created_at: end, type: 'usage' } as const];
  });
  return [...closings, ...purchases].sort((one, other) => one.created_at.localeCompare(other.created_at));
};

/** The balance of a month by time, purchases marked, and as it goes on at the present pace. */
export const Month = ({ every }: { readonly every?: number }) => {
  const again = every === undefined ? {} : { refetchInterval: every };
  const days = useQuery({
    queryKey: ['transactions', 'by day'],
    queryFn: () => answer(api.GET('/billing/balances', { params: { query: { days: CHARTED_DAYS } } })),
    ...again,
  });
  const since = new Date(Date.now() - (CHARTED_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const purchases = useQuery({
    queryKey: ['transactions', 'purchases', since],
    queryFn: () =>
      answer(
        api.GET('/billing/transactions', {
          params: { query: { type: ['purchase', 'auto_recharge'], start_date: since, limit: 100 } },
        }),
      ),
    ...again,
  });
  const pace = useForecast().data?.credits_per_day ?? 0;
  const steps = stepsOf(days.data?.balances ?? [], purchases.data?.transactions ?? []);
  return (
    <section className="card">
      <h2>Balance in {CHARTED_DAYS} days</h2>
      <Forecast />
      {steps.length > 1 ? <StepLine steps={steps} pace={pace} /> : <div className="chart" />}
    </section>
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
      <Month />
      <h2>As of an event</h2>
      <Show of={transactions}>{(pages) => <AsOf newestFirst={pages.flatMap((page) => page.transactions)} />}</Show>
      <More of={transactions}>Further back</More>
    </>
  );
};
