import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { projections } from '../../src/projections.js';
import { type ProjectionSession } from '../../src/platform/postgres/session.js';
import { goldenFile, goldenLog } from '../support/golden-log.js';
import { type GoldenRows, goldenRowsOf, judge } from '../support/golden-rows.js';
import { createServiceDatabase } from '../support/stack.js';
import { openSession } from './projections-histories.js';

const file = goldenFile('projections.json');
const recording = process.env['RECORD_PROJECTIONS'] === '1';

const recorded = (): Record<string, GoldenRows> =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, GoldenRows>) : {};

const record = (name: string, rows: GoldenRows): void => {
  const all = { ...recorded(), [name]: rows };
  const kept = projections.flatMap((projection) => {
    const entry = all[projection.name];
    return entry === undefined ? [] : [[projection.name, entry] as const];
  });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
};

describe('the rows of the golden log', () => {
  let session: ProjectionSession;

  beforeAll(async () => {
    session = await openSession(await createServiceDatabase(), []);
  });

  afterAll(() => session.close());

  it.each(projections.map((projection) => [projection.name, projection] as const))(
    'of %s are those of its version',
    async (name, projection) => {
      const rows = await goldenRowsOf(session, projection, goldenLog());
      const verdict = judge(name, recorded()[name], rows);
      if (verdict === 'as recorded') return;
      if (!recording || !verdict.recordable) throw new Error(verdict.complaint);
      record(name, rows);
    },
  );

  it('are the same whenever they are made', async () => {
    for (const projection of projections) {
      const once = await goldenRowsOf(session, projection, goldenLog());
      expect(await goldenRowsOf(session, projection, goldenLog())).toEqual(once);
    }
  });
});

describe('what is recorded of a projection', () => {
  const rows = (version: number, digest: string): GoldenRows => ({ version, relations: { kept: 'a', counts: digest } });

  it('may be recorded where its version is new', () => {
    expect(judge('counts', undefined, rows(1, 'b'))).toMatchObject({ recordable: true });
    expect(judge('counts', rows(7, 'b'), rows(8, 'c'))).toMatchObject({ recordable: true });
  });

  it('is never replaced under an unchanged version, or by an earlier one', () => {
    expect(judge('counts', rows(7, 'b'), rows(7, 'b'))).toBe('as recorded');
    expect(judge('counts', rows(7, 'b'), rows(7, 'c'))).toEqual({
      complaint: 'the rows of counts changed (counts): raise its version to 8, then run `npm run projections:record`',
      recordable: false,
    });
    expect(judge('counts', rows(7, 'b'), rows(6, 'b'))).toMatchObject({ recordable: false });
  });
});
