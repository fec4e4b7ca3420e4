import { type ReadModels, type Statement } from '../../src/log/project/projection.js';
import { EligibilityQueries } from './eligibility.queries.js';

const NOW = new Date('2026-05-01T00:00:00.000Z');

interface Row {
  readonly identity_hash: string;
  readonly tier: string;
  readonly kyc_expires_at: Date | null;
  readonly last_verified_at: Date;
}

const row = (tier: string, verified: string, expires: string | null = null, hash = 'h'): Row => ({
  identity_hash: hash,
  tier,
  kyc_expires_at: expires === null ? null : new Date(expires),
  last_verified_at: new Date(verified),
});

/** Rows as Postgres would give them, and what it was asked. */
const over = (rows: readonly Row[]): { readonly queries: EligibilityQueries; readonly statements: Statement[] } => {
  const statements: Statement[] = [];
  const query = (statement: Statement): Promise<readonly Row[]> => {
    statements.push(statement);
    const [hashes] = statement.values as [string[]];
    return Promise.resolve(rows.filter(({ identity_hash }) => hashes.includes(identity_hash)));
  };
  return { queries: new EligibilityQueries({ query } as unknown as ReadModels), statements };
};

describe('looking a person up', () => {
  it('answers with the highest tier and the latest verification, whoever attested which', async () => {
    const { queries } = over([row('Tier3', '2025-01-01'), row('Tier1', '2026-01-01')]);
    expect(await queries.find('h', NOW)).toEqual({ tier: 'Tier3', lastVerifiedAt: new Date('2026-01-01') });
  });

  it('does not count what has expired at that moment, to the millisecond', async () => {
    const { queries } = over([row('Tier2', '2026-01-01', NOW.toISOString())]);
    expect(await queries.find('h', NOW)).toBeUndefined();
    expect(await queries.find('h', new Date(NOW.getTime() - 1))).toMatchObject({ tier: 'Tier2' });
  });

  it('merges the look-ups of the moment, and gives each its own answer', async () => {
    const { queries, statements } = over([
      row('Tier1', '2026-01-01', null, 'a'),
      row('Tier2', '2026-01-01', null, 'b'),
    ]);
    const answers = await Promise.all(['a', 'b', 'c', 'a'].map((hash) => queries.find(hash, NOW)));
    expect(answers.map((answer) => answer?.tier)).toEqual(['Tier1', 'Tier2', undefined, 'Tier1']);
    expect(statements.length).toBeLessThan(4);
  });
});
