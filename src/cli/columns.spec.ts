import { fields, legible, table } from './columns.js';

it('shows what is missing as a dash, lists with commas, and no character that steers a terminal', () => {
  expect([null, undefined, '', [], 0, false].map(legible)).toEqual(['-', '-', '-', '-', '0', 'false']);
  expect(legible(['checks', 'keys'])).toBe('checks, keys');
  expect(legible('\u001b[2J\u009bA\u202eevil')).toBe('\ufffd[2J\ufffdA\ufffdevil');
});

it('lines the members of an object up', () => {
  expect(fields({ id: 'a', balance: 5 })).toEqual(['id       a', 'balance  5']);
});

it('makes columns as wide as their widest cell, and numbers end at the same place', () => {
  const rows = [
    { name: 'Ada', balance: 1_000, status: 'active' },
    { name: 'Bob and sons', balance: null, status: 'suspended' },
  ];
  expect(table(['name', 'balance', 'status'], rows)).toEqual([
    'name          balance  status',
    'Ada              1000  active',
    'Bob and sons        -  suspended',
  ]);
});
