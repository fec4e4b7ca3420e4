import { type Page, type Request } from 'playwright-core';
import { inBrowser } from '../support/browser.js';
import { ConsoleVisit, inMenu } from '../support/console.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

const DAY = 86_400_000;
const PERSON = { email: 'ada@example.org', phone_number: '+12025550171' };

/** The instants between which a range lies, as the API reads its edges: a bare date is a whole UTC day. */
const rangeOf = ({ start_date: start, end_date: end }: { start_date?: unknown; end_date?: unknown }): string[] => {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(String(end));
  const until = Date.parse(String(end)) + (isDay ? DAY : 0);
  return [Date.parse(String(start)), until].map((time) => new Date(time).toISOString());
};

/** A zone in which it is another day now than in UTC. */
const elsewhere = (): string => (new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati');

inBrowser('console: zones')('dates that somebody chooses in the console', () => {
  const service = runningService({ env: { SANDBOX_RATE_LIMIT: '100000' } });
  const visit = new ConsoleVisit(service);
  afterEach(() => visit.end());
  afterAll(() => visit.close());

  /** With all times shown in the zone of the browser. */
  const beginIn = async (timezoneId: string): Promise<Page> => {
    await visit.begin({ timezoneId });
    await inMenu(visit.page, 'Times: UTC');
    await visit.page.getByRole('button', { name: 'Times: local' }).waitFor();
    return visit.page;
  };

  const isOfLog = (request: Request): boolean => request.url().includes('/compliance/audit-log?');
  const filters = (request: Request): object => Object.fromEntries(new URL(request.url()).searchParams);
  /** What the log is asked for once these days were chosen. */
  const askedFor = async (since: string, until: string): Promise<string[]> => {
    const { page } = visit;
    await page.getByLabel('Since').fill(since);
    const sent = page.waitForRequest((request) => isOfLog(request) && 'end_date' in filters(request));
    await page.getByLabel('Until').fill(until);
    return rangeOf(filters(await sent));
  };

  it.each([
    ['Asia/Kolkata', '2026-11-20', '2026-11-21', '2026-11-19T18:30:00.000Z', '2026-11-21T18:30:00.000Z'],
    ['America/Los_Angeles', '2026-11-20', '2026-11-20', '2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z'],
    // A day of 25 hours.
    ['Europe/Berlin', '2026-10-25', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ])(
    'are days of the zone that is shown: %s, %s to %s',
    async (zone, since, until, start, end) => {
      await beginIn(zone);
      await visit.open('/audit');
      expect(await askedFor(since, until)).toEqual([start, end]);
      const again = visit.page.waitForRequest(isOfLog);
      await inMenu(visit.page, 'Times: local');
      expect(rangeOf(filters(await again))).toEqual([
        `${since}T00:00:00.000Z`,
        new Date(Date.parse(until) + DAY).toISOString(),
      ]);
    },
    120_000,
  );

  it('are UTC days where UTC is shown', async () => {
    await visit.begin({ timezoneId: 'Asia/Kolkata' });
    await visit.open('/audit');
    expect(await askedFor('2026-11-20', '2026-11-21')).toEqual([
      '2026-11-20T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ]);
  }, 120_000);

  it('find an entry by the day that stands beside it', async () => {
    const page = await beginIn(elsewhere());
    await visit.call('/api/v1/check-eligibility', PERSON);
    await visit.open('/audit?action=eligibility_check');
    const entry = page.getByRole('cell', { name: 'eligibility check' }).first();
    await eventually('the entry', async () => {
      await page.reload();
      await entry.waitFor();
      return true;
    });
    const [day = ''] = (await page.locator('tbody time').first().innerText()).split(' ');
    await page.getByLabel('Since').fill(day);
    const narrowed = page.waitForResponse((answer) => isOfLog(answer.request()) && answer.url().includes('end_date'));
    await page.getByLabel('Until').fill(day);
    await narrowed;
    await entry.waitFor();
  }, 120_000);

  it('are the days of a report, in the zone that is shown', async () => {
    const page = await beginIn('Asia/Kolkata');
    await visit.open('/documents');
    await page.getByLabel('From').fill('2026-11-01');
    await page.getByLabel('To').fill('2026-11-20');
    const sent = page.waitForRequest((request) => request.url().endsWith('/compliance/report'));
    await page.getByRole('button', { name: /^Request for/ }).click();
    const body = (await sent).postDataJSON() as object;
    expect(rangeOf(body)).toEqual(['2026-10-31T18:30:00.000Z', '2026-11-20T18:30:00.000Z']);
  }, 120_000);
});
