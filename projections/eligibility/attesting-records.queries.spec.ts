import { type ReadModels } from '../../src/log/project/projection.js';
import { AttestingRecords } from './attesting-records.queries.js';

const NOW = new Date('2026-11-01T00:00:00.000Z');
const millisecondsLater = (count: number): Date => new Date(NOW.getTime() + count);

it('an attestation stands until its end, not at it', async () => {
  const ends = [null, millisecondsLater(-1), NOW, millisecondsLater(1)];
  const rows = ends.map((kycExpiresAt) => ({ identityHash: 'h', kycExpiresAt }));
  const records = new AttestingRecords({ query: () => Promise.resolve(rows) } as unknown as ReadModels);
  const standing = await records.standing('h', NOW);
  expect(standing.map(({ kycExpiresAt }) => kycExpiresAt)).toEqual([null, millisecondsLater(1)]);
});
