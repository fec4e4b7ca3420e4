import { readFile } from 'node:fs/promises';
import { inBrowser } from '../support/browser.js';
import { DEVELOPER, FINANCE, Hands, OFFICER, OPERATOR, PERSON, RECORD } from '../support/console-tasks.js';
import { ConsoleVisit, inMenu } from '../support/console.js';
import { SCALED_ERASURE } from '../support/load/deployment.js';
import { TestReceiver } from '../support/receiver.js';
import { runningService } from '../support/running-service.js';
import { eventually } from '../support/stack.js';

inBrowser('console: thirty tasks')('what people do in the console, by presses', () => {
  const service = runningService({
    env: { ...SCALED_ERASURE, SANDBOX_RATE_LIMIT: '100000', WEBHOOKS_ALLOW_LOOPBACK: 'true' },
  });
  const visit = new ConsoleVisit(service);
  let receiver: TestReceiver;
  /** Of a charged call. */
  let request = '';

  beforeAll(async () => {
    receiver = await TestReceiver.start();
    await visit.call('/api/v1/members', { email: 'vera@example.org', name: 'Vera', role: 'officer' });
    await visit.call('/api/v1/ingest', RECORD);
    await visit.call('/api/v1/check-eligibility', { email: PERSON.email }).catch(() => undefined);
    await visit.call('/api/v1/check-eligibility', PERSON);
    request = await eventually('the request', async () => {
      const { requests } = await visit.call('/api/v1/requests?route=/api/v1/check-eligibility&status=200');
      return (requests as { request_id: string }[])[0]?.request_id;
    });
    await eventually('the match', async () => {
      const { matches } = await visit.call('/api/v1/compliance/matches');
      return (matches as unknown[]).length > 0;
    });
  }, 120_000);
  beforeEach(() => visit.begin(), 90_000);
  afterEach(() => visit.end());
  afterAll(async () => {
    await visit.close();
    await receiver.stop();
  });

  const groups = [
    ['officer', OFFICER],
    ['developer', DEVELOPER(() => receiver.url('/tasks'))],
    ['finance', FINANCE],
    ['operator', OPERATOR(() => request)],
  ] as const;

  it('are thirty, and docs/console.md lists each with its presses', async () => {
    const documented = await readFile(new URL('../../docs/console.md', import.meta.url), 'utf8');
    const tasks = groups.flatMap(([who, some]) =>
      some.map(({ title, presses }) => `| ${who} | ${title} | ${presses} |`),
    );
    expect(tasks).toHaveLength(30);
    expect(tasks.filter((row) => !documented.includes(row))).toEqual([]);
  });

  describe.each(groups)('%s', (who, tasks) => {
    it.each(tasks.map((task) => [task.title, task] as const))('%s', async (_title, { presses, run }) => {
      if (who === 'operator') {
        await inMenu(visit.page, 'Switch to operator');
        await visit.page.getByRole('heading', { name: 'Accounts', exact: true }).waitFor();
      }
      const hands = new Hands(visit.page);
      await run(hands);
      expect(hands.presses).toBe(presses);
    });
  });
});
