import { type Locator, type Page } from 'playwright-core';

export const PERSON = { email: 'tess@example.org', phone_number: '+12025550188' };
export const RECORD = {
  ...PERSON,
  full_name: 'Confirmed Testmatch',
  date_of_birth: '1970-01-01',
  kyc_status: 'APPROVED',
};

/** What a person does with hands: each press of a button, link or choice is counted. */
export class Hands {
  presses = 0;

  constructor(readonly page: Page) {}

  async press(target: Locator): Promise<void> {
    this.presses += 1;
    await target.click();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    return this.press(within.getByRole('button', { name }).first());
  }

  go(screen: string): Promise<void> {
    return this.press(this.page.getByRole('navigation').getByRole('link', { name: screen, exact: true }));
  }

  async choose(label: string, option: string): Promise<void> {
    this.presses += 1;
    await this.page.getByRole('combobox', { name: label, exact: true }).selectOption(option);
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog');
  }

  /** Writes into the open dialog, and presses its button. */
  async confirm(button: string, fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) await this.dialog.getByLabel(label).first().fill(text);
    await this.press(this.dialog.getByRole('button', { name: button, exact: true }));
  }

  /** The name of the file that the press saves. */
  async saved(press: () => Promise<void>): Promise<string> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), press()]);
    return download.suggestedFilename();
  }
}

interface Task {
  readonly title: string;
  /** Presses from the first page after signing in. */
  readonly presses: number;
  run(hands: Hands): Promise<unknown>;
}

const pane = ({ page }: Hands): Locator => page.getByRole('region', { name: 'The match' });

const openPerson = async (hands: Hands): Promise<void> => {
  const { page } = hands;
  await hands.go('Identities');
  await page.getByLabel('E-mail').fill(PERSON.email);
  await page.getByLabel('Phone number').fill(PERSON.phone_number);
  await hands.button('Find');
  await page.getByRole('heading', { name: 'Identity', exact: true }).waitFor();
};

export const OFFICER: readonly Task[] = [
  {
    title: 'See what a match rests on',
    presses: 1,
    run: async (hands) => {
      await hands.go('Match queue');
      await pane(hands).getByRole('list', { name: 'Why' }).getByRole('listitem').first().waitFor();
    },
  },
  {
    title: 'Give a match to a colleague',
    presses: 4,
    run: async (hands) => {
      await hands.go('Match queue');
      await hands.button(/^Assign/, pane(hands));
      await hands.choose('To', 'Vera');
      await hands.confirm('Assign', {});
      await hands.page.getByRole('list', { name: 'Matches: open' }).getByText('Vera').first().waitFor();
    },
  },
  {
    title: 'Keep “sanctions alone” as a view of the queue',
    presses: 4,
    run: async (hands) => {
      await hands.go('Match queue');
      await hands.choose('Kind', 'sanctions');
      await hands.button(/^Save view/);
      await hands.confirm('Save', { Name: 'Sanctions alone' });
      await hands.page.getByLabel('View').getByText('Sanctions alone').waitFor({ state: 'attached' });
    },
  },
  {
    title: 'Take the case file away',
    presses: 2,
    run: async (hands) => {
      await hands.go('Match queue');
      expect(await hands.saved(() => hands.button('Case file as PDF'))).toMatch(/^match-.*\.pdf$/);
    },
  },
  {
    title: 'Dismiss a match with a reason',
    presses: 3,
    run: async (hands) => {
      await hands.go('Match queue');
      await hands.button(/^Dismiss/, pane(hands));
      await hands.confirm('Dismiss', { Reason: 'Another birth date' });
      await hands.page
        .getByRole('log', { name: 'Done' })
        .getByText(/^Decided/)
        .waitFor();
    },
  },
  {
    title: 'See who looked at a person',
    presses: 2,
    run: async (hands) => {
      await openPerson(hands);
      await hands.page
        .getByLabel('Accesses to the person, newest first')
        .getByRole('cell', { name: /data ingested|identity read/i })
        .first()
        .waitFor();
    },
  },
  {
    title: 'Prove the newest entries of the audit log',
    presses: 2,
    run: async (hands) => {
      await hands.go('Audit log');
      await hands.button(/^Verify the newest/);
      await hands.page
        .getByRole('status')
        .filter({ hasText: /proven|verified|of \d+/ })
        .first()
        .waitFor();
    },
  },
  {
    title: 'Ask for a report of this month',
    presses: 2,
    run: async (hands) => {
      const today = new Date().toISOString().slice(0, 10);
      await hands.go('Reports and retention');
      await hands.page.getByLabel('From', { exact: true }).fill(`${today.slice(0, 7)}-01`);
      await hands.page.getByLabel('To', { exact: true }).fill(today);
      await hands.button(/^Request for/);
      await hands.page
        .getByLabel(/^Reports, newest first/)
        .getByRole('row')
        .nth(1)
        .waitFor();
    },
  },
  {
    title: 'Erase a person who asks for it',
    presses: 4,
    run: async (hands) => {
      await openPerson(hands);
      await hands.button(/^Erase at once/);
      await hands.confirm('Erase at once', {
        'Reason, which names no person': 'a letter',
        'Type erase to confirm': 'erase',
      });
      await hands.dialog.waitFor({ state: 'detached' });
    },
  },
];

export const DEVELOPER = (receiver: () => string): readonly Task[] => [
  {
    title: 'Make a key that may spend 500 credits a day',
    presses: 3,
    run: async (hands) => {
      const { page } = hands;
      await hands.go('API keys');
      await page.getByLabel('Name').fill('Night batch');
      await page.getByLabel('Credits a day, at most').fill('500');
      await hands.button('Create key');
      await hands.button('I have kept it');
      await page.getByRole('cell', { name: 'Night batch', exact: true }).waitFor();
    },
  },
  {
    title: 'Add an endpoint for an event',
    presses: 4,
    run: async (hands) => {
      const { page } = hands;
      await hands.go('Webhooks');
      await page.getByLabel('Address').fill(receiver());
      await hands.press(page.getByLabel('identity.created'));
      await hands.button('Add for 1 event');
      await hands.button('I have kept it');
    },
  },
  {
    title: 'Send it an event as a try',
    presses: 4,
    run: async (hands) => {
      await hands.go('Webhooks');
      await hands.button('Catalogue of events');
      const event = hands.page.getByRole('listitem').filter({ hasText: 'identity.created' }).first();
      await hands.press(event.getByText('identity.created').first());
      await hands.button('Send this to the endpoint', event);
      await hands.page.getByText(/^Test:/).waitFor();
    },
  },
  {
    title: 'See what the receiver answered',
    presses: 2,
    run: async (hands) => {
      await hands.go('Webhooks');
      await hands.button('Deliveries');
      await hands.page.getByLabel('Deliveries, newest first').getByRole('row').nth(1).waitFor();
    },
  },
  {
    title: 'Pause it',
    presses: 2,
    run: async (hands) => {
      await hands.go('Webhooks');
      await hands.button(/^Pause/);
      await hands.page
        .getByRole('button', { name: /^Activate/ })
        .first()
        .waitFor();
    },
  },
  {
    title: 'See which calls were refused, and why',
    presses: 2,
    run: async (hands) => {
      await hands.go('Requests');
      await hands.choose('Outcome', '4xx');
      await hands.page.getByRole('cell', { name: 'MISSING_FIELD' }).first().waitFor();
    },
  },
  {
    title: 'See what one call cost and left behind',
    presses: 2,
    run: async (hands) => {
      await hands.go('Requests');
      await hands.press(hands.page.getByRole('link', { name: 'POST /api/v1/check-eligibility' }).first());
      await hands.page.getByRole('heading', { name: '1 transaction' }).waitFor();
    },
  },
];

export const FINANCE: readonly Task[] = [
  {
    title: 'See how long the credits last',
    presses: 1,
    run: async (hands) => {
      await hands.go('Balance history');
      await hands.page.getByText(/the balance lasts|there is no forecast/).waitFor();
    },
  },
  {
    title: 'See the balance before the last event',
    presses: 2,
    run: async (hands) => {
      await hands.go('Balance history');
      const slider = hands.page.getByLabel('As of');
      const before = await slider.inputValue();
      await hands.press(slider);
      await slider.press('ArrowLeft');
      expect(await slider.inputValue()).not.toBe(before);
    },
  },
  {
    title: 'See which key spends most',
    presses: 1,
    run: async (hands) => {
      await hands.go('Usage');
      await hands.page.getByLabel('Credits by key').getByRole('row').nth(1).waitFor();
    },
  },
  {
    title: 'Take the days away as CSV',
    presses: 2,
    run: async (hands) => {
      await hands.go('Usage');
      expect(await hands.saved(() => hands.button('Save as CSV'))).toMatch(/\.csv$/);
    },
  },
  {
    title: 'Be told at 20 and at 5 percent',
    presses: 2,
    run: async (hands) => {
      await hands.go('Plan and alerts');
      await hands.page.getByLabel('Thresholds, percent').fill('20, 5');
      await hands.button('Save alerts');
      await hands.page.getByText('Saved').first().waitFor();
    },
  },
  {
    title: 'Buy credits: to the payment page',
    presses: 2,
    run: async (hands) => {
      await hands.go('Plan and alerts');
      await hands.button(/credits for \$/);
      await hands.page.waitForURL((url) => !url.pathname.startsWith('/console'));
    },
  },
];

export const OPERATOR = (request: () => string): readonly Task[] => [
  {
    title: 'See what is wrong now',
    presses: 1,
    run: async (hands) => {
      await hands.go('Now');
      await hands.page.getByText('Postgres').first().waitFor();
    },
  },
  {
    title: 'Verify a read model against the log',
    presses: 2,
    run: async (hands) => {
      await hands.go('Projections');
      const row = hands.page
        .getByRole('row')
        .filter({ has: hands.page.getByRole('cell', { name: 'ledger', exact: true }) });
      await hands.button('Verify', row);
      await hands.page.getByRole('region', { name: 'Verification of ledger' }).getByText('done').waitFor();
    },
  },
  {
    title: 'Look for drift, and save what was found',
    presses: 2,
    run: async (hands) => {
      await hands.go('Drift and parked events');
      await hands.saved(() => hands.button('Take a snapshot'));
    },
  },
  {
    title: 'Give an account 250 credits',
    presses: 3,
    run: async (hands) => {
      await hands.press(hands.page.getByRole('link', { name: 'Demo account' }));
      await hands.button(/^Adjust credits/);
      const fields = { 'Credits, signed': '250', Reason: 'Goodwill', 'Type adjust to confirm': 'adjust' };
      await hands.confirm('Adjust', fields);
      await hands.page.getByRole('cell', { name: '+250' }).waitFor();
    },
  },
  {
    title: 'See who did what, and why',
    presses: 1,
    run: async (hands) => {
      await hands.go('Operators’ log');
      await hands.page.getByText('Goodwill').first().waitFor();
    },
  },
  {
    title: 'Shut an account out, and let it in again',
    presses: 5,
    run: async (hands) => {
      await hands.press(hands.page.getByRole('link', { name: 'Demo account' }));
      await hands.button(/^Suspend/);
      await hands.confirm('Suspend', { Reason: 'An invoice is open', 'Type suspend to confirm': 'suspend' });
      await hands.button(/^Reinstate/);
      await hands.confirm('Reinstate', { Reason: 'It is paid' });
      await hands.page.getByRole('button', { name: /^Suspend/ }).waitFor();
    },
  },
  {
    title: 'Follow a request to its events',
    presses: 2,
    run: async (hands) => {
      await hands.go('Replay');
      await hands.page.getByLabel('Request id').fill(request());
      await hands.button('Replay');
      await hands.page.getByText('Operation charged').first().waitFor();
    },
  },
  {
    title: 'Write the timeline of an incident for the report',
    presses: 2,
    run: async (hands) => {
      await hands.go('Timeline');
      await hands.saved(() => hands.button(/^Save/));
    },
  },
];
