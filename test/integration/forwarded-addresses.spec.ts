import { loadConfig } from '../../src/platform/config/load-config.js';
import { ManualClock } from '../support/manual-clock.js';
import { type Answer, startTestApp, type TestApp } from './http-test-app.js';

/** What the whole service makes of TRUST_PROXY. Every request of these tests comes from 127.0.0.1. */
const trustedAs = (text: string) => ({ trustProxy: loadConfig({ TRUST_PROXY: text }).trustProxy });

type Headers = Readonly<Record<string, string | string[]>>;

const app = async (text: string, work: (app: TestApp, clock: ManualClock) => Promise<void>): Promise<void> => {
  const clock = new ManualClock();
  const started = await startTestApp({ config: trustedAs(text), clock });
  try {
    await work(started, clock);
  } finally {
    await started.close();
  }
};

const addressAt = async ({ call }: TestApp, headers: Headers): Promise<unknown> => {
  const answer = await call('GET', '/things', { key: 'good', headers });
  expect(answer.status).toBe(200);
  return answer.json['ip'];
};

const addressesAt = async (text: string, all: readonly Headers[]): Promise<unknown[]> => {
  const found: unknown[] = [];
  await app(text, async (started) => {
    for (const headers of all) found.push(await addressAt(started, headers));
  });
  return found;
};

const xff = (value: string | string[]): Headers => ({ 'X-Forwarded-For': value });
const forwarded = (value: string): Headers => ({ Forwarded: value });

/** What one trusted proxy writes, and whom it saw. */
const READABLE: readonly (readonly [Headers, string])[] = [
  [xff('203.0.113.9'), '203.0.113.9'],
  [xff('203.0.113.9:50123'), '203.0.113.9'],
  [xff('1.1.1.1, 198.51.100.7:61000'), '198.51.100.7'],
  [xff('1.1.1.1,198.51.100.7'), '198.51.100.7'],
  [xff(['1.1.1.1', '198.51.100.7:1']), '198.51.100.7'],
  [xff('[2001:db8:1::7]:443'), '2001:db8:1::7'],
  [xff('[2001:db8:1::7]'), '2001:db8:1::7'],
  [xff('2001:db8:1::7'), '2001:db8:1::7'],
  [xff('2001:db8::7:443'), '2001:db8::7:443'],
  [xff('::ffff:198.51.100.8'), '198.51.100.8'],
  [xff('[::ffff:198.51.100.8]:8080'), '198.51.100.8'],
  [forwarded('for=203.0.113.9'), '203.0.113.9'],
  [forwarded('For="203.0.113.9:50123";proto=http;by=203.0.113.43'), '203.0.113.9'],
  [forwarded('for="[2001:db8:cafe::17]:4711"'), '2001:db8:cafe::17'],
  [forwarded('for="[2001:db8:cafe::17]"; proto=https'), '2001:db8:cafe::17'],
  [forwarded('for=192.0.2.43, for=198.51.100.17'), '198.51.100.17'],
  [forwarded('proto=https;for=192.0.2.60;host="a,b;c=d"'), '192.0.2.60'],
  [forwarded('for="_a,b;c", for=198.51.100.1;by="\\"x\\""'), '198.51.100.1'],
];

/** What tells of nobody. */
const UNREADABLE: readonly Headers[] = [
  xff('unknown'),
  xff('_hidden'),
  xff('maria@example.org'),
  xff('203.0.113.9:'),
  xff('203.0.113.9:99999'),
  xff('203.0.113.9:80:80'),
  xff('203.0.113.999'),
  xff('[2001:db8:1::7'),
  xff('2001:db8:1::7]'),
  xff('[203.0.113.9]:80'),
  xff('1.1.1.1, unknown'),
  xff('"203.0.113.9"'),
  forwarded('for=unknown'),
  forwarded('for=_SEVKISEK'),
  forwarded('for="_gazonk:80"'),
  forwarded('for=[2001:db8:cafe::17]'),
  forwarded('for="203.0.113.9'),
  forwarded('proto=https'),
  forwarded('for=1.1.1.1, proto=https'),
  forwarded('nonsense'),
];

describe('one proxy that is trusted', () => {
  it.each(READABLE)('writes %j of the caller %s', async (headers, address) => {
    expect(await addressesAt('true', [headers])).toEqual([address]);
    expect(await addressesAt('1', [headers])).toEqual([address]);
    expect(await addressesAt('127.0.0.0/8', [headers])).toEqual([address]);
  });

  it.each(UNREADABLE)('that writes %j tells of nobody, and is not the caller itself', async (headers) => {
    expect(await addressesAt('true', [headers])).toEqual([null]);
  });

  it('is the caller itself where it tells of nobody else', async () => {
    expect(await addressesAt('true', [{}])).toEqual(['127.0.0.1']);
  });

  it('is believed in X-Forwarded-For, which it wrote, before a Forwarded that the caller sent along', async () => {
    expect(await addressesAt('true', [{ ...xff('198.51.100.7'), ...forwarded('for=9.9.9.9') }])).toEqual([
      '198.51.100.7',
    ]);
  });
});

describe('several proxies', () => {
  const chain = xff('6.6.6.6, 203.0.113.9:50123, 10.1.2.3:4000');

  it('are counted from the service, and what stands before the last of them is not believed', async () => {
    expect(await addressesAt('1', [chain])).toEqual(['10.1.2.3']);
    expect(await addressesAt('2', [chain])).toEqual(['203.0.113.9']);
    expect(await addressesAt('2', [forwarded('for=6.6.6.6, for="203.0.113.9:50123", for=10.1.2.3')])).toEqual([
      '203.0.113.9',
    ]);
  });

  it('are known by their addresses and ranges, also where these have ports', async () => {
    for (const text of ['127.0.0.1,10.0.0.0/8', ' 127.0.0.0/8 , 10.1.2.3 ', '::1, 127.0.0.1, 10.0.0.0/8, fd00::/8']) {
      expect(await addressesAt(text, [chain])).toEqual(['203.0.113.9']);
    }
    expect(await addressesAt('127.0.0.1,fd00::/8', [xff('6.6.6.6, 2001:db8::9, [fd00::1]:443')])).toEqual([
      '2001:db8::9',
    ]);
  });

  it('are not believed where a stranger stands among them, nor where the service is called by none of them', async () => {
    expect(await addressesAt('127.0.0.1,10.0.0.0/8', [xff('6.6.6.6, 8.8.8.8, 10.1.2.3')])).toEqual(['8.8.8.8']);
    expect(await addressesAt('10.0.0.0/8', [chain])).toEqual(['127.0.0.1']);
    expect(await addressesAt('127.0.0.1,10.0.0.0/8', [xff('203.0.113.9, unknown, 10.1.2.3')])).toEqual([null]);
  });
});

describe('callers behind one proxy', () => {
  const refusals = async (headers: (index: number) => Headers): Promise<Map<number, number>> => {
    const counts = new Map<number, number>();
    await app('true', async ({ call }) => {
      for (let index = 0; index < 70; index += 1) {
        const { status }: Answer = await call('GET', '/things', { key: 'junk', headers: headers(index) });
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    });
    return counts;
  };

  it('have a limit each, however the proxy writes their addresses', async () => {
    expect(await refusals((index) => xff(`198.51.100.${index}:${40_000 + index}`))).toEqual(new Map([[403, 70]]));
    expect(await refusals((index) => forwarded(`for="[2001:db8:${index + 1}::1]:443"`))).toEqual(new Map([[403, 70]]));
  });

  it('share one limit where they come from one address, whatever their ports', async () => {
    expect((await refusals((index) => xff(`198.51.100.7:${40_000 + index}`))).get(429)).toBeGreaterThan(0);
  });
});

describe('an address that cannot be read', () => {
  const warnings = ({ logs }: TestApp): readonly Readonly<Record<string, unknown>>[] =>
    logs
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level, msg }) => level !== 'info' && /address|forwarded/i.test(String(msg)));

  it('is logged once a minute without its text, and counted each time', async () => {
    await app('true', async (started, clock) => {
      for (let time = 0; time < 3; time += 1) await addressAt(started, xff('maria@example.org'));
      expect(warnings(started)).toHaveLength(1);
      clock.advance(59_000);
      await addressAt(started, forwarded('for=unknown'));
      expect(warnings(started)).toHaveLength(1);
      clock.advance(1_000);
      await addressAt(started, xff('maria@example.org'));
      expect(warnings(started)).toHaveLength(2);
      expect(started.logs.join('')).not.toContain('maria@example.org');
      const metrics = (
        await started.call('GET', '/metrics', { headers: { Authorization: 'Bearer admin' } })
      ).text.split('\n');
      const counters = metrics.filter((line) => /^[a-z_]*(address|forwarded)[a-z_]*_total[ {]/.test(line));
      expect(counters.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(5);
    });
  });
});
