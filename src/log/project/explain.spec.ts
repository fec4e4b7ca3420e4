import { type Row, type RowDifference } from './compare.js';
import { explain, type Step, type TracedRow } from './explain.js';

const event = (position: number, type: string): Step['event'] => ({
  position: BigInt(position),
  stream: 'credits-t1',
  revision: BigInt(position),
  type,
  id: `id-${position}`,
});

/** A row that sums up: each event adds to `value`. */
const summed = (...changes: readonly (readonly [string, number])[]): Step[] => {
  let value: number | undefined;
  return changes.map(([type, change], index) => {
    const before: Row | null = value === undefined ? null : { key: 'k', value };
    value = (value ?? 0) + change;
    return { event: event(index + 1, type), before, after: { key: 'k', value } };
  });
};

const differing = (steps: readonly Step[], live: Row | null): TracedRow => {
  const rebuilt = steps.at(-1)?.after ?? null;
  const kind: RowDifference['kind'] = live === null ? 'missing' : rebuilt === null ? 'unexpected' : 'different';
  const columns = kind === 'different' ? ['value'] : [];
  return { table: 'sums', difference: { key: '["k"]', kind, columns, live, rebuilt }, steps };
};

const explained = (...rows: readonly TracedRow[]) =>
  explain(rows).map(({ step, evidence, counted }) => [step && Number(step.event.position), evidence, counted]);

describe('the event behind a row that differs', () => {
  it('is the only one that makes the row', () => {
    expect(explained(differing(summed(['Bought', 5]), { key: 'k', value: 4 }))).toEqual([[1, 'only_event', undefined]]);
  });

  it('is the first of the row whose other rows are wrong, too', () => {
    const steps = summed(['Bought', 5], ['Used', -1], ['Back', 1], ['Back', 1]);
    const [, , back, last] = steps as [Step, Step, Step, Step];
    const own = (step: Step): TracedRow =>
      differing([{ ...step, before: null, after: { key: 'k', value: 1 } }], { key: 'k', value: -1 });
    expect(explained(own(last), differing(steps, { key: 'k', value: 2 }), own(back))).toEqual([
      [4, 'only_event', undefined],
      [3, 'other_rows', undefined],
      [3, 'only_event', undefined],
    ]);
  });

  it('is the first that a row has not followed', () => {
    const steps = summed(['Bought', 5], ['Used', -1], ['Used', -1]);
    expect(explained(differing(steps, { key: 'k', value: 4 }))).toEqual([[3, 'not_followed', undefined]]);
    expect(explained(differing(steps, null))).toEqual([[1, 'not_followed', undefined]]);
    const unmade = [...steps, { event: event(4, 'Gone'), before: { key: 'k', value: 3 }, after: null }];
    expect(explained(differing(unmade, { key: 'k', value: 3 }))).toEqual([[4, 'not_followed', undefined]]);
  });

  it('is the one from which on its type counted in another way, if only one way gives the value', () => {
    const steps = summed(['Bought', 100], ['Back', 2], ['Used', -31], ['Back', 3], ['Used', -17], ['Back', 4]);
    const live = (value: number) => explained(differing(steps, { key: 'k', value }));
    expect(live(61 - 2 * (3 + 4))).toEqual([[4, 'as_if', 'with the wrong sign']]);
    expect(live(61 + 17)).toEqual([[5, 'as_if', 'not at all']]);
    expect(live(61 - 17 - 31)).toEqual([[3, 'as_if', 'twice']]);
  });

  it('is not named where several would do, or none', () => {
    const steps = summed(['Bought', 100], ['Used', -1], ['Spent', -1], ['Bought', 50]);
    expect(explained(differing(steps, { key: 'k', value: 149 }))).toEqual([[undefined, undefined, undefined]]);
    expect(explained(differing(steps, { key: 'k', value: 1_000 }))).toEqual([[undefined, undefined, undefined]]);
    expect(explained(differing([], { key: 'k', value: 1 }))).toEqual([[undefined, undefined, undefined]]);
  });
});
