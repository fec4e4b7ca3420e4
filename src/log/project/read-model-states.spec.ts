import { type Queryable } from '../../platform/postgres/database.js';
import { ReadModelWatch } from './read-model-states.js';

const projection = { name: 'counts', version: 'v1', streamPrefixes: [], schema: '', tables: [], project: () => [] };

describe('the watch over the read models', () => {
  it('believes rows as soon as they hold what the log held at the first look', async () => {
    let position = '1';
    let looks = 0;
    const row = () => ({ server: 'since noon', projection: 'counts', version: 'v1', position, unattended: false });
    const database = { query: () => Promise.resolve([row()]) } as unknown as Queryable;
    const headOfLog = (): Promise<bigint> => Promise.resolve(BigInt((looks += 1) + 1));
    const watch = new ReadModelWatch({ database, projections: [projection], headOfLog });
    const state = async () => (await watch.states()).get('counts');
    expect(await state()).toBe('catching_up');
    position = '2';
    expect(await state()).toBe('current');
    expect(looks).toBe(1);
  });
});
