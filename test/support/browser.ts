import { type AxeResults, type RunOptions } from 'axe-core';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => existsSync(path));

/** `describe` where there is a browser; elsewhere the tests are skipped aloud. */
export const inBrowser = (what: string): typeof describe | typeof describe.skip => {
  if (CHROMIUM !== undefined) return describe;
  process.stderr.write(`${what}: SKIPPED, since there is no Chromium (apt-get install chromium)\n`);
  return describe.skip;
};

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });

/** Everything that the page writes to its console, and every error in it, from now on. */
export const complaintsOf = (page: Page): readonly string[] => {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One line for each rule and cause, with the first element. */
const listed = ({ violations }: Pick<AxeResults, 'violations'>): string[] => {
  const found = new Map<string, string>();
  for (const { id, nodes } of violations) {
    for (const { failureSummary = '', html } of nodes) {
      const fault = `${id}: ${failureSummary}`;
      if (!found.has(fault)) found.set(fault, html);
    }
  }
  return [...found].map(([fault, html]) => `${fault} at ${html}`);
};

const faultsOf = async (page: Page, options: RunOptions): Promise<string[]> => {
  // Not as a script of the page: its own policy lets nothing of others run.
  await page.evaluate(axe);
  const axeOptions = JSON.stringify({ ...options, resultTypes: ['violations'] });
  return listed(await page.evaluate<AxeResults>(`axe.run(document, ${axeOptions})`));
};

/** What the page has against the Web Content Accessibility Guidelines 2.2, levels A and AA, as it looks now. */
const accessibilityFaults = (page: Page, but: readonly string[]): Promise<string[]> => {
  const values = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
  const rules = Object.fromEntries(but.map((rule) => [rule, { enabled: false }]));
  return faultsOf(page, { runOnly: { type: 'tag', values }, rules });
};

/** Each colour scheme and each width once: the styles know no colours for a width. */
const LOOKS = [
  { colorScheme: 'light', width: 400 },
  { colorScheme: 'dark', width: 1_280 },
] as const;
let pagesLookedAt = 0;

/** Faults of the page: what is wider than a narrow or a wide window, and what axe finds in one of them, in turns, since it takes seconds. `but`: rules left out. */
export const looksFaulty = async (page: Page, but: readonly string[] = []): Promise<string[]> => {
  const faults: string[] = [];
  const turn = (pagesLookedAt += 1) % LOOKS.length;
  for (const [index, { colorScheme, width }] of LOOKS.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    const found = [
      ...(beyond > 0 ? [`${beyond} pixels are beyond the window`] : []),
      ...(index === turn ? await accessibilityFaults(page, but) : []),
    ];
    faults.push(...found.map((fault) => `${colorScheme}, ${width} px: ${fault}`));
  }
  return faults;
};

/** What a mouse can use: links, buttons, fields, and what scrolls by itself. Each gets a number. */
const MARK = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0)
  .map((one, index) => (one.dataset.reached = index) + ' ' + one.outerHTML.slice(0, 120))`;
/** Its number, and whether it shows that it has the focus. */
const FOCUSED = `(({ outlineStyle, boxShadow }) =>
  [document.activeElement.dataset.reached ?? '', outlineStyle !== 'none' || boxShadow !== 'none'])(getComputedStyle(document.activeElement))`;

/** What the Tab key does not reach, and what does not show that it has the focus. */
export const keyboardFaults = async (page: Page): Promise<string[]> => {
  const there = await page.evaluate<string[]>(MARK);
  const left = new Map(there.map((text) => [text.split(' ', 1)[0] ?? '', text]));
  const hidden: string[] = [];
  // A date has a stop for each of its parts.
  for (let presses = 0; presses <= 2 * there.length && left.size > 0; presses += 1) {
    await page.keyboard.press('Tab');
    const [at, isShown] = await page.evaluate<[string, boolean]>(FOCUSED);
    const text = left.get(at);
    if (text === undefined) continue;
    left.delete(at);
    if (!isShown) hidden.push(`shows no focus: ${text}`);
  }
  return [...[...left.values()].map((text) => `not reached: ${text}`), ...hidden];
};
