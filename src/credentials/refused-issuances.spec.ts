import { newTenantId } from '../kernel/ids.js';
import { type Database } from '../platform/postgres/database.js';
import { RefusedIssuances } from './refused-issuances.js';

const refusal = { tenantId: newTenantId(), identityHash: 'ab'.repeat(32) };
const now = new Date('2026-11-01T00:00:00.000Z');

/** Refusals whose insert ends as `inserted` does. */
const refusals = (inserted: Promise<object[]>): RefusedIssuances =>
  new RefusedIssuances({ query: () => inserted } as unknown as Database, { now: () => now, monotonic: () => 0 });

describe('a refusal is noted', () => {
  it('once it can be found, and not while it is written', async () => {
    let commit = (): void => undefined;
    const issuances = refusals(new Promise((resolve) => (commit = () => resolve([]))));
    const added = issuances.add(refusal, 'attempt', now);
    expect(issuances.noted).toBe(0);
    commit();
    await added;
    expect(issuances.noted).toBe(1);
  });

  it('also where the insert failed, since it may have taken effect', async () => {
    const issuances = refusals(Promise.reject(new Error('no answer')));
    await expect(issuances.add(refusal, 'attempt', now)).rejects.toThrow('no answer');
    expect(issuances.noted).toBe(1);
  });
});
