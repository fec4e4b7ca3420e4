import { type OpenAct, OperatorTrail } from '../http/operator-trail.js';
import { CommandLineActs } from './command-line-acts.js';

class Trail extends OperatorTrail {
  readonly steps: string[] = [];
  fails = false;

  override record(): Promise<OpenAct> {
    if (this.fails) return Promise.reject(new Error('the log is away'));
    this.steps.push('recorded');
    return Promise.resolve({} as OpenAct);
  }
  override conclude(_act: OpenAct, { outcome }: { readonly outcome: string }): Promise<void> {
    this.steps.push(outcome);
    return Promise.resolve();
  }
}

const begin = () => {
  const trail = new Trail();
  const acts = new CommandLineActs(trail, { actor: (name) => name });
  const perform = (work: () => Promise<number>): Promise<number> =>
    acts.perform({ action: 'screening -- replay', by: { operator: 'vera' } }, () => {
      trail.steps.push('work');
      return work();
    });
  return { trail, perform };
};

it.each([
  [0, 'done'],
  [1, 'refused'],
])('is recorded before it is done, then as its exit status %i says: %s', async (status, outcome) => {
  const { trail, perform } = begin();
  expect(await perform(() => Promise.resolve(status))).toBe(status);
  expect(trail.steps).toEqual(['recorded', 'work', outcome]);
});

it('is not done where it cannot be recorded', async () => {
  const { trail, perform } = begin();
  trail.fails = true;
  await expect(perform(() => Promise.resolve(0))).rejects.toThrow('the log is away');
  expect(trail.steps).toEqual([]);
});

it('stays open where the work throws, since nobody knows how far it came', async () => {
  const { trail, perform } = begin();
  await expect(perform(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(trail.steps).toEqual(['recorded', 'work']);
});
