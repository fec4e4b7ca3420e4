import { ManualClock } from '../../../test/support/manual-clock.js';
import { LostTelemetry } from './lost-telemetry.js';

const watching = () => {
  const clock = new ManualClock();
  const lines: object[] = [];
  const lost = new LostTelemetry({ warn: (fields: object) => lines.push(fields) } as never, clock);
  return { clock, lines, lost };
};

it('tells of the first failure at once, and of the rest by one line a minute', () => {
  const { clock, lines, lost } = watching();
  for (let second = 0; second < 150; second += 1) {
    lost.failed('traces', new Error('refused'));
    lost.warned('Dropped 7 spans');
    clock.advance(1_000);
  }
  expect(lines).toMatchObject([{ failures: 1 }, { failures: 120 }, { failures: 120 }]);
});

it('tells the status and the code, and nothing of what the collector wrote', () => {
  const { lines, lost } = watching();
  lost.failed('metrics', Object.assign(new Error('no such tenant: Bearer secret'), { code: 401, data: 'secret' }));
  expect(lines).toMatchObject([{ signal: 'metrics', status: 401 }]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});
