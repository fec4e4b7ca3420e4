import { useQuery } from '@tanstack/react-query';
import { type Answers, answer, api } from '../api.js';
import { useAddress } from '../parts/address.js';
import { Bars, DayHeat, Legend } from '../parts/charts.js';
import { Title } from '../parts/title.js';
import { saveFile } from '../parts/file.js';
import { Choice } from '../parts/form.js';
import { count, sentence, words } from '../parts/format.js';
import { Empty, Show } from '../parts/states.js';
import { Table } from '../parts/table.js';
import { Views } from '../parts/views.js';

type Operation = Exclude<keyof Answers['UsageTotals'], 'total_credits'>;

/** Total: a new operation does not compile without its place. */
const ORDER: Readonly<Record<Operation, true>> = {
  check_eligibility: true,
  issue_credential: true,
  verify_credential: true,
  sanctions_check: true,
  pep_check: true,
  assess_risk: true,
  request_claim: true,
  report: true,
};
const OPERATIONS = Object.keys(ORDER) as Operation[];
const RANGES = ['7', '30', '90', '365'] as const;

const saveCsv = (days: readonly Answers['UsageDay'][]): void => {
  const head = ['date', 'total_credits', ...OPERATIONS];
  const rows = days.map((day) => [day.date, day.total_credits, ...OPERATIONS.map((name) => day[name])]);
  const text = [head, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
  saveFile('usage.csv', 'text/csv', text);
};

const ByKey = ({ rows }: { readonly rows: readonly Answers['UsageOfKey'][] }) => (
  <>
    <h2>By key</h2>
    <Table
      label="Credits by key"
      rows={rows}
      keyOf={({ key_id: id }) => id ?? 'none'}
      columns={[
        { title: 'Key', cell: ({ key_id: id, name }) => name ?? id ?? 'Access tokens' },
        { title: 'Id', cell: ({ key_id: id }) => (id === null ? '–' : <code>{id}</code>) },
        { title: 'Credits', number: true, cell: ({ total_credits: credits }) => count(credits) },
        {
          title: 'Most on',
          cell: (row) => sentence(OPERATIONS.toSorted((one, other) => row[other] - row[one])[0] ?? ''),
        },
      ]}
    />
  </>
);

/** In fewer days the bars say as much. */
const HEAT_FROM_DAYS = 60;

const Days = ({ usage, totals, by_key: byKey = [] }: Answers['UsageResponse']) => {
  if (totals.total_credits === 0)
    return <Empty>No credits were used in these days. Each paid call appears here.</Empty>;
  const oldestFirst = usage.toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const shown = OPERATIONS.filter((name) => totals[name] > 0);
  const most = shown.toSorted((one, other) => totals[other] - totals[one])[0];
  const bars = oldestFirst.map((day) => ({
    title: day.date,
    layers: shown.map((name) => ({ name: words(name), value: day[name] })),
  }));
  const perDay = new Map(oldestFirst.map(({ date, total_credits }) => [date, total_credits]));
  return (
    <>
      <section className="card">
        <h2>{count(totals.total_credits)} credits</h2>
        {most !== undefined && (
          <p className="quiet">
            {Math.round((100 * totals[most]) / totals.total_credits)} % on {words(most)}
          </p>
        )}
        <Bars label="Credits by day and operation" unit="credits" bars={bars} />
        <Legend names={shown.map(words)} />
      </section>
      {perDay.size > HEAT_FROM_DAYS && (
        <section className="card">
          <h2>By weekday and week</h2>
          <DayHeat label="Credits by day" days={perDay} />
        </section>
      )}
      <h2>Totals</h2>
      <Table
        label="Credits by operation"
        rows={OPERATIONS.filter((name) => totals[name] > 0)}
        keyOf={(name) => name}
        columns={[
          { title: 'Operation', cell: sentence },
          { title: 'Credits', number: true, cell: (name) => count(totals[name]) },
          {
            title: 'Share',
            number: true,
            cell: (name) => `${Math.round((100 * totals[name]) / totals.total_credits)} %`,
          },
        ]}
      />
      <ByKey rows={byKey} />
      <button type="button" onClick={() => saveCsv(oldestFirst)}>
        Save as CSV
      </button>
    </>
  );
};

export const Usage = () => {
  const { read, write } = useAddress();
  const days = RANGES.find((each) => each === read('days')) ?? '30';
  const usage = useQuery({
    queryKey: ['usage', days],
    queryFn: () => answer(api.GET('/billing/usage', { params: { query: { days: Number(days), group_by: 'key' } } })),
  });
  return (
    <>
      <Title path={`/billing/usage?days=${days}&group_by=key`}>Usage</Title>
      <div className="filters">
        <Views screen="usage" />
        <Choice
          label="Days"
          value={days}
          of={RANGES}
          named={(each) => `last ${each} days`}
          onChange={(each) => write({ days: each })}
        />
      </div>
      <Show of={usage}>{(found) => <Days {...found} />}</Show>
    </>
  );
};
