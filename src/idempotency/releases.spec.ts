import { jest } from '@jest/globals';
import { type Queryable, StatementNotSent } from '../platform/postgres/database.js';
import { Unavailable } from '../kernel/unavailable.js';
import { IdempotencyStore } from './idempotency-store.js';
import { eventually } from '../../test/support/processes.js';

const KEYS = 500;
const claimOf = (index: number) => ({
  keyHash: String(index),
  bodyHash: 'b',
  tenantId: 't',
  deductionId: `d${index}`,
  effectSeed: 's',
  deductionAfter: 0n,
});

/** Postgres that does not answer claims, and notes what it is told to free. */
const away = (fault: () => Unavailable) => {
  const freed: number[] = [];
  const query = jest.fn((_text: string, values: readonly unknown[] = [], name?: string) => {
    if (name !== 'idempotency_releases') return Promise.reject(fault());
    freed.push((values[0] as unknown[]).length);
    return Promise.resolve([]);
  });
  return { store: new IdempotencyStore({ query } as unknown as Queryable), freed };
};

it('frees the keys of an outage together, however many there are', async () => {
  const { store, freed } = away(() => new Unavailable('postgres'));
  await Promise.allSettled(Array.from({ length: KEYS }, (_, index) => store.claim(claimOf(index))));
  await eventually('the releases', () => freed.length > 0);
  expect(freed).toEqual([KEYS]);
});

it('frees nothing that was never sent', async () => {
  const faults = [new StatementNotSent(), new Unavailable('postgres')];
  const { store, freed } = away(() => faults.shift() ?? new StatementNotSent());
  await Promise.allSettled(Array.from({ length: KEYS }, (_, index) => store.claim(claimOf(index))));
  await eventually('the releases', () => freed.length > 0);
  expect(freed).toEqual([1]);
});
