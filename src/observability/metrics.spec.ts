import { Unavailable } from '../kernel/unavailable.js';
import { Metrics } from './metrics.js';

const linesOf = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.registry.getSingleMetricAsString(name)).split('\n').filter((line) => line.startsWith(`${name}{`));

it('names the first hundred throttled accounts, and counts the others and strangers without a name', async () => {
  const metrics = new Metrics();
  for (let index = 0; index < 150; index += 1) {
    metrics.countThrottled({ kind: 'account', id: `t${index}` }, 'rate_limited');
    metrics.countThrottled({ kind: 'address', id: `10.0.0.${index}` }, 'burst_exceeded');
  }
  metrics.countThrottled({ kind: 'account', id: 't7' }, 'rate_limited');
  const lines = await linesOf(metrics, 'http_requests_throttled_total');
  expect(lines).toHaveLength(102);
  const valueOf = (labels: string) => lines.find((line) => line.includes(labels))?.split(' ')[1];
  expect(valueOf('account="t7"')).toBe('2');
  expect(valueOf('account="other"')).toBe('50');
  expect(valueOf('caller="address",account=""')).toBe('150');
  expect(lines.join('\n')).not.toContain('10.0.0.');
});

it('keeps what a store said last while it is away, and forgets what it says no more', async () => {
  const metrics = new Metrics();
  let read = () =>
    Promise.resolve(
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
    );
  metrics.storedGauges('depth', 'For a test', 'queue', () => read());
  expect(await linesOf(metrics, 'depth')).toEqual(['depth{queue="a"} 1', 'depth{queue="b"} 2']);
  read = () => Promise.reject(new Unavailable('redis'));
  expect(await linesOf(metrics, 'depth')).toHaveLength(2);
  read = () => Promise.resolve(new Map([['b', 3]]));
  expect(await linesOf(metrics, 'depth')).toEqual(['depth{queue="b"} 3']);
});

it('reads the stores one after the other, so that a scrape takes one connection', async () => {
  const metrics = new Metrics();
  let [reading, most] = [0, 0];
  const read = async () => {
    most = Math.max(most, (reading += 1));
    await new Promise((resolve) => setImmediate(resolve));
    return (reading -= 1);
  };
  for (const name of ['one', 'two', 'three']) metrics.storedGauge(name, 'For a test', read);
  await metrics.registry.metrics();
  expect(most).toBe(1);
});
