import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { answer, api } from './api.js';
import { count, Empty, Exact, Show, Table, words } from './ui.js';

const NEWEST = 100;

interface Transaction {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly balance_after: number;
  readonly operation: string | null;
  readonly created_at: string;
}

const WIDTH = 800;
const HEIGHT = 200;

/** The balance as a step line: it changes at an event, and at no other time. Oldest first. */
const StepLine = ({ steps, at }: { readonly steps: readonly Transaction[]; readonly at: number }) => {
  const balances = steps.map(({ balance_after }) => balance_after);
  const lowest = Math.min(...balances);
  const range = Math.max(1, Math.max(...balances) - lowest);
  const x = (index: number): number => (WIDTH * index) / Math.max(1, steps.length - 1);
  const y = (balance: number): number => HEIGHT - (HEIGHT * (balance - lowest)) / range;
  const path = steps.map(({ balance_after }, index) =>
    index === 0 ? `M0 ${y(balance_after)}` : `H${x(index)}V${y(balance_after)}`,
  );
  return (
    <svg
      viewBox={`-2 -8 ${WIDTH + 4} ${HEIGHT + 16}`}
      className="chart"
      preserveAspectRatio="none"
      role="img"
      aria-label="Balance after each event"
    >
      <path d={path.join('')} className="line" />
      <line x1={x(at)} x2={x(at)} y1={0} y2={HEIGHT} className="mark" />
    </svg>
  );
};

const AsOf = ({ newestFirst }: { readonly newestFirst: readonly Transaction[] }) => {
  const [params, setParams] = useSearchParams();
  const steps = [...newestFirst].reverse();
  const named = steps.findIndex(({ id }) => id === params.get('as_of'));
  const at = named === -1 ? steps.length - 1 : named;
  const shown = newestFirst.slice(steps.length - 1 - at);
  const [last] = shown;
  if (last === undefined) return <Empty>There are no credits yet. Buy some, or ask your operator.</Empty>;
  return (
    <>
      <p className="balance">
        <strong>{count(last.balance_after)}</strong> credits after <Exact at={last.created_at} /> UTC
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
          onChange={(event) => setParams({ as_of: steps[Number(event.target.value)]?.id ?? '' }, { replace: true })}
        />
      </label>
      <h2>The events behind it</h2>
      <Table
        label="Transactions up to this time"
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Time (UTC)', cell: ({ created_at }) => <Exact at={created_at} /> },
          { title: 'What', cell: ({ type, operation }) => words(operation ?? type) },
          { title: 'Credits', number: true, cell: ({ amount }) => `${amount > 0 ? '+' : ''}${count(amount)}` },
          { title: 'Balance', number: true, cell: ({ balance_after }) => count(balance_after) },
        ]}
      />
    </>
  );
};

export const Balance = () => {
  const transactions = useQuery({
    queryKey: ['transactions'],
    queryFn: () => answer(api.GET('/billing/transactions', { params: { query: { limit: NEWEST } } })),
  });
  return (
    <>
      <h1>Balance history</h1>
      <Show of={transactions}>{({ transactions: newestFirst }) => <AsOf newestFirst={newestFirst} />}</Show>
    </>
  );
};
