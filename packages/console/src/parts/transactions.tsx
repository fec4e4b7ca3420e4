import { type Answers } from '../api.js';
import { count, sentence, signed } from './format.js';
import { Table } from './table.js';
import { Exact } from './time.js';

export const Transactions = (props: {
  readonly label: string;
  readonly rows: readonly Answers['TransactionResponse'][];
}) => (
  <Table
    {...props}
    keyOf={({ id }) => id}
    columns={[
      { title: 'Time', cell: ({ created_at }) => <Exact at={created_at} /> },
      { title: 'What', cell: ({ type, operation }) => sentence(operation ?? type) },
      { title: 'Credits', number: true, cell: ({ amount }) => signed(amount) },
      { title: 'Balance', number: true, cell: ({ balance_after }) => count(balance_after) },
    ]}
  />
);
